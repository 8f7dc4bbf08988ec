"""Looks up what the entries of a bibliography cite: by DOI or arXiv id, else by the very title."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from paper_search.config import KNOWN_SOURCES, AppConfig
from paper_search.models import RawPaper, SearchConstraints, SearchQuery
from paper_search.queries import quoted
from paper_search.sources.interface import PaperLookup
from paper_search.sources.lookup import ASKED, first_answer, lookup_sources
from paper_search.text import words
from papercore import limits
from papercore.bibliography.checking import (
    BibliographyEntry,
    FoundElsewhere,
    KnownWork,
    is_preprint,
    is_preprint_venue,
    is_surely,
    without_retraction_mark,
)
from papercore.bibliography.identifiers import ARXIV_DOI_PREFIX, Identifier

_ASKED_FOR_TITLES = ("crossref", "openalex", "arxiv")
# The paper with the very title is among the first.
_HITS = 5


class CitedWorks:
    """Crossref, OpenAlex and arXiv, asked about `most` entries at most, and no further one after so many seconds."""

    def __init__(
        self, config: AppConfig, most: int = limits.ENTRIES_ONLINE, seconds: float = limits.SECONDS_ONLINE
    ) -> None:
        self._config = config
        self._left = most
        self._ends = time.monotonic() + seconds
        # A source that could not be reached is not asked again: the network may be off.
        self._failed: dict[str, str] = {}

    def look_up(self, entries: Sequence[BibliographyEntry]) -> Iterator[FoundElsewhere]:
        """What the first source says that has an entry's work, entry by entry."""
        identifiers = [identifier for entry in entries[: self._left] if (identifier := _asked_by(entry))]
        sources = lookup_sources(self._config, identifiers)
        with asyncio.Runner() as runner:
            for entry in entries:
                if self._left <= 0:
                    yield FoundElsewhere(note="Not looked up online: too many entries for one check.")
                elif time.monotonic() >= self._ends:
                    yield FoundElsewhere(note="Not looked up online: the time for one check was used up.")
                else:
                    self._left -= 1
                    yield runner.run(self._ask(sources, entry))

    async def _ask(self, sources: dict[str, PaperLookup], entry: BibliographyEntry) -> FoundElsewhere:
        if identifier := _asked_by(entry):
            wanted = f"paper with {identifier}"
            asked = {name: partial(sources[name].look_up, identifier) for name in ASKED[identifier.kind]}
        elif words(entry.citation.title):
            wanted = "paper with this title and its first author or year"
            asked = {name: partial(_with_title, sources[name], entry) for name in _ASKED_FOR_TITLES}
        else:
            return FoundElsewhere(note="Not looked up online: it has no title.")
        outcome, paper, note = await first_answer(asked, self._failed, wanted)
        if not paper:
            return FoundElsewhere(note=f"{note}." if outcome == "unknown" else f"Not looked up online: {note}.")
        work = _known_work(paper, entry)
        if identifier and identifier.kind == "doi":
            # A publisher may have given the work another DOI, to which this one leads.
            work = replace(work, dois=work.dois | {identifier.value})
        return FoundElsewhere(work, by_identifier=identifier is not None)


def _asked_by(entry: BibliographyEntry) -> Identifier | None:
    """Its arXiv id rather than the DOI that arXiv made of it."""
    return min(entry.identifiers, key=lambda found: found.value.startswith(ARXIV_DOI_PREFIX), default=None)


async def _with_title(source: PaperLookup, entry: BibliographyEntry) -> RawPaper | None:
    title = entry.citation.title[: limits.KEYWORD_CHARS]
    query = SearchQuery(keywords=[" ".join(words(title))], boolean_query=quoted(title))
    papers = await source.search(query, SearchConstraints(max_results=_HITS))
    surely = (paper for paper in papers if is_surely(entry, _known_work(paper, entry)))
    # Of editions and versions, the one of the year.
    return max(surely, key=lambda paper: str(paper.year) == entry.citation.year, default=None)


def _known_work(paper: RawPaper, entry: BibliographyEntry) -> KnownWork:
    """The record of a preprint does not tell when and where it was published."""
    of_preprint = paper.source == "arxiv" or is_preprint_venue(paper.venue or "")
    says_where = is_preprint(entry) or not of_preprint
    title = without_retraction_mark(paper.title)
    return KnownWork(
        paper.id,
        title,
        tuple(author.name for author in paper.authors),
        paper.year if says_where else None,
        (paper.venue,) if paper.venue and says_where else (),
        frozenset({paper.doi} if paper.doi else ()),
        retracted=paper.facts.retracted or title != paper.title,
        source=KNOWN_SOURCES[paper.source].label,
    )
