"""Papers by their ids. In SQL: nearly every answer begins with it, and the ORM takes a millisecond to compose it."""

import json
from collections.abc import Iterable

from papers.snapshot.models import Paper
from papers.snapshot.router import ALIAS
from papers.snapshot.served import connection

_COLUMNS = [field.attname for field in Paper._meta.concrete_fields]
_SELECT = f"SELECT {', '.join(_COLUMNS)} FROM paper WHERE paper_id"  # noqa: S608 (our own names)
_BY_ID = f"{_SELECT} = ?"
_BY_IDS = f"{_SELECT} IN (SELECT value FROM json_each(?))"  # noqa: S608 (our own names)


def paper_with_id(paper_id: str) -> Paper | None:
    rows = connection().execute(_BY_ID, [paper_id])
    return Paper.from_db(ALIAS, _COLUMNS, rows[0]) if rows else None


def papers_with_ids(paper_ids: Iterable[str]) -> dict[str, Paper]:
    """Those that there are, in no order."""
    rows = connection().execute(_BY_IDS, [json.dumps(list(paper_ids))])
    papers = (Paper.from_db(ALIAS, _COLUMNS, row) for row in rows)
    return {paper.paper_id: paper for paper in papers}
