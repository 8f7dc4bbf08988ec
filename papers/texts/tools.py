"""The tools that read the texts of papers, cut where the caller wants it."""

import re

from papercore import limits
from papercore.passages import cut
from papercore.text import truncate
from papers.catalogue.lookup import find_paper
from papers.catalogue.schemas import (
    Id,
    Language,
    MaxChars,
    PaperId,
    SectionName,
    SourceText,
    SummaryText,
    TextOffset,
    TranslationText,
)
from papers.catalogue.text_kinds import origin_of
from papers.snapshot.errors import SectionNotFound
from papers.snapshot.served import paper_tool
from papers.texts.named import source_of, texts_of

# "3.1 Results" is also found as "Results".
_NUMBERING = re.compile(r"^(?:(?:\d{1,3}|[IVX]{1,5}|[A-Z])(?:[.)]|(?=\s))){1,6}\s")


@paper_tool
def get_paper_summary(
    paper_id: PaperId, template: Id | None = None, max_chars: MaxChars = limits.TEXT_CHARS
) -> SummaryText:
    """Return one summary of a paper as a JSON document in a string.

    Call get_paper_metadata first to see which templates the paper has; without `template` you get the preferred one.
    A summary answers most questions about a paper; read get_paper_source only for details it leaves out.
    """
    paper = find_paper(paper_id)
    chosen = template or paper.preferred_summary_template
    text = texts_of(paper).summary(chosen)
    origin = origin_of(paper, f"summary:{chosen}")
    return SummaryText(
        paper_id=paper.paper_id,
        text_kind=origin.kind,
        authors_words=origin.authors_words,
        template=chosen,
        content=truncate(text, max_chars),
        total_chars=len(text),
        truncated=len(text) > max_chars,
    )


@paper_tool
def get_paper_source(
    paper_id: PaperId,
    max_chars: MaxChars = limits.TEXT_CHARS,
    section: SectionName | None = None,
    offset: TextOffset = 0,
) -> SourceText:
    """Return the full text of one paper as markdown: all of it, one section, or a window from `offset`.

    Warning: it can be very large (often over 50,000 characters). For one point search_passages and get_passage cost
    far less. Set `max_chars`; `next_offset` goes on from there.
    """
    paper = find_paper(paper_id)
    text = source_of(paper)
    if section is not None:
        text = section_text(paper.paper_id, text, section)
    rest = text[offset:]
    is_cut = len(rest) > max_chars
    origin = origin_of(paper, "source")
    return SourceText(
        paper_id=paper.paper_id,
        text_kind=origin.kind,
        authors_words=origin.authors_words,
        markdown=truncate(rest, max_chars),
        total_chars=len(text),
        truncated=is_cut,
        next_offset=offset + max_chars if is_cut else None,
    )


@paper_tool
def get_paper_translation(
    paper_id: PaperId, lang: Language, max_chars: MaxChars = limits.TEXT_CHARS
) -> TranslationText:
    """Return a translation of one paper's full text as markdown.

    get_paper_metadata lists the languages in `available_translations`. Can be very large: set `max_chars`.
    """
    paper = find_paper(paper_id)
    text = texts_of(paper).translation(lang)
    return TranslationText(
        paper_id=paper.paper_id,
        text_kind="translation",
        authors_words=False,
        lang=lang.lower(),
        markdown=truncate(text, max_chars),
        total_chars=len(text),
        truncated=len(text) > max_chars,
    )


def section_text(paper_id: str, text: str, name: str) -> str:
    """A section with those below it: by its number, else by its heading, in any case, with or without its number."""
    sections, wanted = cut(text).sections, name.strip()
    if wanted.isascii() and wanted.isdigit():
        found = list(sections[int(wanted) : int(wanted) + 1])
    else:
        key = wanted.casefold()
        found = [section for section in sections if section.title.casefold() == key]
        found += [section for section in sections if _NUMBERING.sub("", section.title).casefold() == key]
    if not found:
        raise SectionNotFound("The text has no such section; get_paper_outline lists them.", paper_id=paper_id)
    return text[found[0].start : found[0].end].strip()
