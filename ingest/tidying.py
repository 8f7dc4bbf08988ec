"""What a person may tidy up in a library: papers that may be one, and records with something missing."""

from collections.abc import Iterator
from contextlib import closing
from functools import lru_cache
from itertools import combinations, islice
from pathlib import Path
from typing import Literal

from msgspec import Struct

from ingest.changing import errors_translated, open_library
from ingest.entries.text import surname
from ingest.ledger.description import difference
from ingest.ledger.ledger import LEDGER, Ledger
from ingest.matching.corrections import FIELDS, Field, typed
from ingest.matching.facts import compared_title
from ingest.publishing.stored_papers import StoredPaper, StoredPapers
from papercore.snapshot.file import DATABASE, open_read_only

# A title that more papers have (Preface, Editorial) tells nothing.
_COMMON_TITLE = 6
# A main title before its colon that says enough to be compared without the rest.
_TELLING_CHARS = 16
_MOST_PAIRS = 2_000


Missing = Literal["authors", "year", "venue", "identifier", "text", "pdf"]
_LACKS: dict[Missing, str] = {
    "authors": "NOT EXISTS (SELECT 1 FROM paper_author a WHERE a.paper_id = p.paper_id)",
    "year": "year = 'unknown'",
    "venue": "venue = 'unknown'",
    "identifier": "doi IS NULL AND NOT EXISTS (SELECT 1 FROM paper_key_alias k WHERE k.paper_id = p.paper_id"
    " AND k.paper_key_type = 'arxiv')",
    "text": "source_md_content_hash IS NULL",
    "pdf": "pdf_content_hash IS NULL",
}


class LikelyDuplicate(Struct, frozen=True):
    """Two papers that may be one, as they are now, and why they were kept apart."""

    papers: tuple[StoredPaper, StoredPaper]
    differs: str

    def fields(self) -> list[tuple[Field, str, str]]:
        """What both say of each field of which one says something."""
        one, other = (typed(paper.record) for paper in self.papers)
        shown = (name for name in FIELDS if name not in ("abstract", "key") and (one[name] or other[name]))
        return [(name, one[name], other[name]) for name in shown]


def likely_duplicates(library: Path, first: int = 0, count: int = 20) -> tuple[list[LikelyDuplicate], int]:
    """Some of them, the likeliest first, and how many pairs there are."""
    with errors_translated(), open_library(library) as (build_id, stored):
        apart = _told_apart(library)
        pairs = [pair for pair in _pairs_in(library, build_id) if pair not in apart]
        found = []
        for pair in pairs[first : first + count]:
            one, other = (stored.read(paper_id) for paper_id in sorted(pair))
            if one and other:
                found.append(LikelyDuplicate((one, other), difference(one.record, other.record)))
    return found, len(pairs)


def _told_apart(library: Path) -> set[frozenset[str]]:
    if not (library / LEDGER).is_file():
        return set()
    with closing(Ledger(library / LEDGER)) as ledger:
        return ledger.told_apart()


@lru_cache(maxsize=2)
def _pairs_in(library: Path, build_id: str) -> tuple[frozenset[str], ...]:
    """Comparing all titles of 110,000 papers takes seconds."""
    with open_library(library) as (_, stored):
        return tuple(islice(_pairs(stored), _MOST_PAIRS))


def _pairs(stored: StoredPapers) -> Iterator[frozenset[str]]:
    """Papers of one title; then those of one first author whose titles are alike but for blanks or what follows a
    colon."""
    titled: dict[str, list[str]] = {}
    authored: dict[tuple[str, str], list[str]] = {}
    for paper_id, title, author in stored.titles_and_authors():
        titled.setdefault(compared_title(title), []).append(paper_id)
        if author:
            for part in {title, title.partition(":")[0]}:
                letters = compared_title(part).replace(" ", "")
                if len(letters) >= _TELLING_CHARS:
                    authored.setdefault((surname(author), letters), []).append(paper_id)
    seen = set[frozenset[str]]()
    for block in (*(papers for title, papers in titled.items() if title), *authored.values()):
        if len(block) <= _COMMON_TITLE:
            new = [frozenset(pair) for pair in combinations(dict.fromkeys(block), 2)]
            yield from (pair for pair in new if pair not in seen)
            seen.update(new)


class IncompletePaper(Struct, frozen=True):
    paper_id: str
    title: str


def incomplete_papers(
    library: Path, missing: Missing, first: int = 0, count: int = 50
) -> tuple[list[IncompletePaper], dict[Missing, int]]:
    """Some of the papers that lack this, and how many papers lack each thing."""
    with errors_translated(), closing(open_read_only(library / DATABASE)) as database:
        sums = ", ".join(f"total({lacks})" for lacks in _LACKS.values())
        counts = database.execute(f"SELECT {sums} FROM paper p").fetchone()  # noqa: S608 - our words
        sql = f"SELECT paper_id, title FROM paper p WHERE {_LACKS[missing]} ORDER BY title LIMIT ? OFFSET ?"  # noqa: S608 - our words
        found = [IncompletePaper(*row) for row in database.execute(sql, [count, first])]
    return found, {name: int(number) for name, number in zip(_LACKS, counts, strict=True)}
