"""What hangs on a paper in the other tables of a snapshot, by kind."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol

# In one go: a query per table through the ORM costs ten times as much.
_SQL = """
SELECT 'author', value FROM paper_author JOIN author USING (author_id) WHERE paper_id = :id
UNION ALL SELECT 'venue', value FROM paper_venue JOIN venue USING (venue_id) WHERE paper_id = :id
UNION ALL SELECT 'keyword', value FROM paper_keyword JOIN keyword USING (keyword_id) WHERE paper_id = :id
UNION ALL SELECT 'tag', value FROM paper_tag JOIN tag USING (tag_id) WHERE paper_id = :id
UNION ALL SELECT 'institution', value FROM paper_institution JOIN institution USING (institution_id)
  WHERE paper_id = :id
UNION ALL SELECT 'template', template_tag FROM paper_summary WHERE paper_id = :id
UNION ALL SELECT 'language', lang FROM paper_translation WHERE paper_id = :id
UNION ALL SELECT 'key', paper_key FROM paper_key_alias WHERE paper_id = :id AND paper_key_type IN ('doi', 'arxiv')
UNION ALL SELECT 'bibtex', paper_id FROM paper_bibtex WHERE paper_id = :id
"""


class Asked(Protocol):
    """A snapshot's connection or cursor, Django's or SQLite's own."""

    def execute(self, sql: str, parameters: dict[str, str], /) -> Iterable[tuple[str, str]]: ...


def belongings(snapshot: Asked, paper_id: str) -> dict[str, list[str]]:
    """What the tables say of the paper, by kind, each list in alphabetical order; empty where they say nothing."""
    found: dict[str, list[str]] = defaultdict(list)
    for kind, value in snapshot.execute(_SQL, {"id": paper_id}):
        found[kind].append(value)
    for values in found.values():
        values.sort(key=str)
    return found
