"""Which papers of a snapshot file cite which, by the references at the end of their texts."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from paper_search.models import Paper, RawPaper
from paper_search.sources.links import Links
from papercore.bibliography.identifiers import arxiv_of_doi, canonical_doi
from papercore.bibliography.references import (
    CitablePaper,
    Reference,
    certain_match,
    cites,
    possible_beginnings,
    references_in,
)
from papercore.snapshot.assets import source_key
from papercore.snapshot.file import Connection
from papercore.snapshot.fulltext import match_expression

# Papers whose title may be that of a reference, places in it where one may begin, and papers that may cite another.
CANDIDATES, TITLE_STARTS, CITING_CANDIDATES = 50, 24, 100
# Of a long title the beginning tells enough.
TITLE_WORDS = 12
MAX_TEXT_BYTES = 5_000_000


class CitationsInSnapshot(Struct, frozen=True):
    """`read` gives a paper of the snapshot by its id."""

    connection: Connection
    assets: Path
    read: Callable[[str], RawPaper | None]

    def links(self, papers: Sequence[Paper]) -> Links:
        """The papers of the snapshot that one of these cites, or that cite one, by their ids."""
        links = Links()
        for paper in papers:
            own = self._own_id(paper)
            for reference in self._references(own) if own else ():
                candidates = [found for found in map(self.read, self._possibly_cited(reference)) if found]
                citable = [as_cited(found) for found in candidates]
                match = certain_match(reference, citable)
                cited = next((found.id for found, known in zip(candidates, citable, strict=True) if known is match), "")
                if match and cited != own:
                    links.cited_by[cited].add(paper.id)
            known = as_cited(paper)
            for other in self._possibly_citing(known):
                if other != own and any(cites(reference, known) for reference in self._references(other)):
                    links.cites[other].add(paper.id)
        return links

    def _own_id(self, paper: Paper) -> str | None:
        """The id under which the snapshot has the paper, which may come from another source."""
        rows = self._rows(
            "SELECT paper_id FROM paper WHERE paper_id = ? UNION SELECT paper_id FROM paper_key_alias "
            "WHERE paper_key = ?",
            paper.id,
            f"doi:{canonical_doi(paper.doi or '')}",
        )
        return next(iter(rows), None)

    def _references(self, paper_id: str) -> tuple[Reference, ...]:
        hashes = self._rows("SELECT source_md_content_hash FROM paper WHERE paper_id = ?", paper_id)
        path = self.assets / source_key(hashes[0]) if hashes and hashes[0].isalnum() else None
        if path is None or not path.is_file() or path.stat().st_size > MAX_TEXT_BYTES:
            return ()
        return _references_of_text(path.read_text(encoding="utf-8", errors="replace"))

    def _possibly_cited(self, reference: Reference) -> Iterator[str]:
        keys = (f"doi:{reference.doi}", f"arxiv:{reference.arxiv}")
        found = self._rows("SELECT paper_id FROM paper_key_alias WHERE paper_key IN (?, ?)", *keys)
        starts = list(possible_beginnings(reference))[:TITLE_STARTS]
        if starts:
            expression = " OR ".join(f"title : ^ {match_expression([words])}" for words in starts)
            found += self._matching(expression, CANDIDATES)
        yield from dict.fromkeys(found)

    def _possibly_citing(self, cited: CitablePaper) -> list[str]:
        terms = [" ".join(cited.title_words[:TITLE_WORDS]), *sorted(cited.dois), *sorted(cited.arxivs)]
        expression = match_expression(terms)
        return self._matching(f"source : ({expression})", CITING_CANDIDATES) if expression else []

    def _matching(self, expression: str, limit: int) -> list[str]:
        return self._rows("SELECT paper_id FROM paper_fts WHERE paper_fts MATCH ? LIMIT ?", expression, limit)

    def _rows(self, sql: str, *values: str | int) -> list[str]:
        self.connection.restart_clock()
        return [str(value) for (value,) in self.connection.execute(sql, values) if value]


@lru_cache(maxsize=256)
def _references_of_text(text: str) -> tuple[Reference, ...]:
    return references_in(text)


def as_cited(paper: Paper | RawPaper) -> CitablePaper:
    """What a reference to the paper would say."""
    doi = canonical_doi(paper.doi or "")
    number = arxiv_of_doi(doi)
    return CitablePaper(
        title=paper.title,
        year=paper.year,
        authors=tuple(author.name for author in paper.authors),
        dois=frozenset([doi] if doi else []),
        arxivs=frozenset([number] if number else []),
    )
