"""The tools for passages: an outline, a passage with its neighbours, and quotes checked against the texts."""

from papercore import limits
from papercore.errors import ToolError
from papercore.passages import CutText, Section, cut
from papercore.retrieval import Filters
from papercore.text import one_line
from papers.catalogue.paper_lookup import find_paper
from papers.catalogue.schemas import PaperId, Value, VisibleQuery, Year
from papers.passages.addresses import LocatedPassage, TextPassage, find_passage
from papers.passages.schemas import (
    Address,
    NearbyPassage,
    Neighbours,
    OutlineSection,
    PaperOutline,
    PassageHit,
    PassageHits,
    PassageInContext,
    PassageLimit,
    PassagePlace,
    Quotes,
    QuoteToVerify,
    SearchedPapers,
    TextName,
    VerifiedQuote,
    VerifiedQuotes,
)
from papers.search.passages import FoundPassage, find_passages
from papers.search.quotes import QuoteTooShort, find_quote
from papers.snapshot.served import paper_tool
from papers.texts.named import NamedText, names_of, read_named


@paper_tool
def search_passages(
    query: VisibleQuery,
    paper_ids: SearchedPapers = (),
    limit: PassageLimit = limits.DEFAULT_PASSAGE_HITS,
    author: Value | None = None,
    venue: Value | None = None,
    keyword: Value | None = None,
    year_from: Year | None = None,
    year_to: Year | None = None,
) -> PassageHits:
    """Find the passages that answer a question: a few sentences each, word for word, with address and section.

    The cheapest way to evidence: ask in plain words, or as in search_papers. Looks into abstracts, summaries, full
    texts and translations of the papers that fit best; with `paper_ids` only into those. Then get_passage to read on,
    cite with the address, and verify_quotes before you answer. An empty list means that there is no evidence here.
    """
    named = {"author": author, "venue": venue, "keyword": keyword}
    values = tuple((name, value) for name, value in named.items() if value is not None)
    found = find_passages(query, Filters(values, year_from, year_to), paper_ids, limit)
    return PassageHits(passages=[hit_of(item) for item in found])


@paper_tool
def get_paper_outline(paper_id: PaperId, text: TextName | None = None) -> PaperOutline:
    """List the sections of one text of a paper: heading, length, first words, and the address of the first passage.

    Use it before reading a long text: then get_passage for a place, or get_paper_source with `section` for a section.
    """
    paper = find_paper(paper_id)
    source = read_named(paper, text)
    found = cut(source.text)
    # What precedes the first heading is a section only if there is something.
    sections = [section for section in found.sections if section.number or found.within(section)]
    return PaperOutline(
        paper_id=paper.paper_id,
        title=paper.title,
        text=source.name,
        texts=names_of(paper),
        total_chars=len(source.text),
        passages=len(found.passages),
        sections=[_outline_section(source, found, section) for section in sections[: limits.OUTLINE]],
        sections_not_shown=max(0, len(sections) - limits.OUTLINE),
    )


@paper_tool
def get_passage(address: Address, before: Neighbours = 1, after: Neighbours = 1) -> PassageInContext:
    """Open one passage of a paper's text, with the passages before and after it.

    Call it with an address from search_passages, to read what a hit says in its context before you quote it. Quote
    the words of `markdown`, cite with the address, and check your quotes with verify_quotes before you answer.
    """
    found = find_passage(address)
    at = found.passage.number - 1
    passages = found.cut.passages
    return PassageInContext(
        place=place_of(found.located),
        markdown=found.cut.quote(found.passage),
        language=found.source.language,
        start=found.passage.start,
        end=found.passage.end,
        before=[
            _nearby(TextPassage(found.source, found.cut, near).located) for near in passages[max(0, at - before) : at]
        ],
        after=[
            _nearby(TextPassage(found.source, found.cut, near).located) for near in passages[at + 1 : at + 1 + after]
        ],
    )


@paper_tool
def verify_quotes(quotes: Quotes) -> VerifiedQuotes:
    """Check that quotes are really in the papers: for each, where it is, or that it is nowhere.

    Call it with every quote of your answer before you give it, each with the address or paper it is from. Spaces,
    hyphens, quotation marks and upper or lower case may differ; nothing else may, so quote without ellipses.
    """
    verified = [_verified(item) for item in quotes]
    return VerifiedQuotes(quotes=verified, all_found=all(item.found for item in verified))


def hit_of(found: FoundPassage) -> PassageHit:
    return PassageHit(**dict(place_of(found.located)), quote=found.located.quote, score=round(found.score, 3))


def place_of(found: LocatedPassage) -> PassagePlace:
    return PassagePlace(
        address=found.address,
        paper_id=found.paper.paper_id,
        title=found.paper.title,
        section=found.section,
        page=found.page,
        link=found.link,
    )


def _nearby(found: LocatedPassage) -> NearbyPassage:
    return NearbyPassage(address=found.address, markdown=found.quote)


def _outline_section(source: NamedText, text: CutText, section: Section) -> OutlineSection:
    first = next(iter(text.within(section)), None)
    opening = one_line(text.quote(first)[: 2 * limits.OPENING_CHARS])[: limits.OPENING_CHARS] if first else ""
    return OutlineSection(
        number=section.number,
        level=section.level,
        heading=section.title,
        chars=section.end - section.start,
        address=TextPassage(source, text, first).located.address if first else None,
        opening=opening,
    )


def _verified(item: QuoteToVerify) -> VerifiedQuote:
    problem, found = None, None
    try:
        found = find_quote(item.quote, item.where)
    except QuoteTooShort:
        problem = f"Too short: a quote needs at least {limits.QUOTE_LEAST_CHARS} letters or digits."
    except ToolError as error:
        problem = error.message
    if not (found or problem or item.where.strip()):
        problem = f"Not in the {limits.QUOTE_PAPERS} papers that fit its words best; name the paper in `where`."
    place = place_of(found) if found else None
    return VerifiedQuote(quote=item.quote, found=found is not None, place=place, problem=problem)
