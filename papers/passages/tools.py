"""The tools that read passages: the outline of a text, and a passage with its neighbours."""

from django.urls import reverse

from papercore import limits
from papercore.caller import current
from papercore.passages import CutText, Passage, Section, cut
from papercore.text import one_line
from papers.catalogue.lookup import find_paper
from papers.catalogue.schemas import PaperId
from papers.passages.addresses import LocatedPassage, TextPassage, find_passage
from papers.passages.schemas import (
    Address,
    NearbyPassage,
    Neighbours,
    OutlineSection,
    PaperOutline,
    PassageInContext,
    PassagePlace,
    TextName,
)
from papers.snapshot.served import paper_tool
from papers.texts.named import ABSTRACT, SOURCE, NamedText, texts_of

# A section's first words in an outline.
OPENING_CHARS = 90


@paper_tool
def get_paper_outline(paper_id: PaperId, text: TextName | None = None) -> PaperOutline:
    """List the sections of one text of a paper: heading, length, first words, and the address of the first passage.

    Use it before reading a long text: then get_passage for a place, or get_paper_source with `section` for a section.
    """
    paper = find_paper(paper_id)
    texts = texts_of(paper)
    names = texts.fullest_first
    source = texts.read(text or next(iter(names), ABSTRACT))
    found = cut(source.text)
    # What precedes the first heading is a section only if there is something.
    sections = [section for section in found.sections if section.number or found.within(section)]
    return PaperOutline(
        paper_id=paper.paper_id,
        title=paper.title,
        text=source.name,
        texts=names,
        total_chars=len(source.text),
        passages=len(found.passages),
        sections=[_outline_section(source, found, section) for section in sections[: limits.OUTLINE]],
        sections_not_shown=max(0, len(sections) - limits.OUTLINE),
    )


@paper_tool
def get_passage(address: Address, before: Neighbours = 1, after: Neighbours = 1) -> PassageInContext:
    """Open one passage of a paper's text, with the passages before and after it.

    Call it with an address from search_passages, to read what a hit says in its context before you quote it. Quote
    the words of `markdown`, and cite with the address.
    """
    found = find_passage(address)
    at = found.passage.number - 1
    passages = found.cut.passages

    def nearby(passage: Passage) -> NearbyPassage:
        located = TextPassage(found.source, found.cut, passage).located
        return NearbyPassage(address=located.address, markdown=located.quote)

    return PassageInContext(
        place=place_of(found.located),
        markdown=found.cut.quote(found.passage),
        language=found.source.language,
        start=found.passage.start,
        end=found.passage.end,
        before=[nearby(passage) for passage in passages[max(0, at - before) : at]],
        after=[nearby(passage) for passage in passages[at + 1 : at + 1 + after]],
    )


def place_of(found: LocatedPassage) -> PassagePlace:
    pdf_link = None
    if found.page and found.paper.pdf_content_hash and found.text == SOURCE:
        pdf_link = f"{current().site}{reverse('pdf-file', args=[found.paper.paper_id])}#page={found.page}"
    return PassagePlace(
        address=found.address,
        paper_id=found.paper.paper_id,
        title=found.paper.title,
        text_kind=found.origin.kind,
        authors_words=found.origin.authors_words,
        section=found.section,
        page=found.page,
        link=current().site + found.link,
        pdf_link=pdf_link,
    )


def _outline_section(source: NamedText, text: CutText, section: Section) -> OutlineSection:
    first = next(iter(text.within(section)), None)
    opening = one_line(text.quote(first)[: 2 * OPENING_CHARS])[:OPENING_CHARS] if first else ""
    return OutlineSection(
        number=section.number,
        level=section.level,
        heading=section.title,
        chars=section.end - section.start,
        address=TextPassage(source, text, first).located.address if first else None,
        opening=opening,
    )
