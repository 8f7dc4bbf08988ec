"""Ids from an earlier snapshot: a paper known there keeps its id, whichever key it is known by."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from papercore.snapshot_file import BadSnapshot, open_read_only, refuse_unfinished_wal
from papers.build.errors import BuildError
from papers.build.paper_keys import ARXIV_DOI, STRENGTH, Key, paper_id_of


@dataclass(frozen=True)
class Alias:
    key: Key
    paper_id: str


@dataclass(frozen=True, slots=True)
class PaperIdentity:
    """What a paper is called in the snapshot: its id, its strongest key, and every key it answers to."""

    paper_id: str
    key: Key
    aliases: tuple[Key, ...]


class PreviousIds:
    """The aliases of an earlier snapshot; an empty one knows nobody."""

    def __init__(self, aliases: Sequence[Alias] = ()) -> None:
        self._by_key = {alias.key.text: alias for alias in aliases}
        self._titles = {a.paper_id: _title(a.key.fingerprint) for a in aliases if a.key.fingerprint}
        self._keys: dict[str, list[Key]] = {}
        for alias in aliases:
            self._keys.setdefault(alias.paper_id, []).append(alias.key)

    @classmethod
    def read(cls, database: Path) -> "PreviousIds":
        try:
            refuse_unfinished_wal(database)
            with closing(open_read_only(database)) as connection:
                rows = connection.execute(
                    "SELECT paper_key_type, paper_key, meta_fingerprint, paper_id FROM paper_key_alias ORDER BY rowid"
                ).fetchall()
        except (BadSnapshot, sqlite3.Error) as error:
            raise BuildError(f"The previous snapshot {database} cannot be read: {error}") from None
        return cls([Alias(Key(kind, text, print_), paper_id) for kind, text, print_, paper_id in rows])

    def id_of(self, key: Key, title: str) -> str | None:
        """A .bib key may have gone to another paper since, so there the title has to agree."""
        alias = self._by_key.get(key.text)
        if alias is None or (key.type == "bib" and self._titles.get(alias.paper_id, title) != title):
            return None
        return alias.paper_id

    @property
    def ids(self) -> set[str]:
        return set(self._keys)

    def keys_of(self, paper_id: str) -> list[Key]:
        return self._keys.get(paper_id, [])


def _title(fingerprint: str | None) -> str:
    try:
        facts = json.loads(fingerprint or "{}")
    except ValueError:
        return ""
    return str(facts.get("title", "")) if isinstance(facts, dict) else ""


def identities(papers: dict[int, list[Key]], previous: PreviousIds) -> dict[int, PaperIdentity]:
    """An identity for every paper: old ids first, claimed by the strongest keys; then new ones."""
    ids: dict[int, str] = {}
    for kind in STRENGTH:
        taken = set(ids.values())
        for number, keys in papers.items():
            if number not in ids:
                ids |= _claim(number, [key for key in keys if key.type == kind], keys, previous, taken)
    # An old id that nobody claimed stays unused: links to it must not lead to another paper.
    taken = set(ids.values()) | previous.ids
    owned = {key.text for keys in papers.values() for key in keys}
    return {
        number: _identity(by_strength(keys), ids.get(number), taken, owned, previous) for number, keys in papers.items()
    }


def _claim(number: int, keys: list[Key], all_keys: list[Key], previous: PreviousIds, taken: set[str]) -> dict[int, str]:
    title = next((_title(key.fingerprint) for key in all_keys if key.fingerprint), "")
    for key in keys:
        old = previous.id_of(key, title)
        if old is not None and old not in taken:
            taken.add(old)
            return {number: old}
    return {}


def _identity(
    keys: list[Key], old: str | None, taken: set[str], owned: set[str], previous: PreviousIds
) -> PaperIdentity:
    # A key's own id may be in use by the paper that had the key before; then the next key serves.
    new_ids = (paper_id_of(text) for text in (*(key.text for key in keys), keys[-1].text + "|again"))
    paper_id = old or next(new_id for new_id in new_ids if new_id not in taken)
    taken.add(paper_id)
    kept = [key for key in previous.keys_of(paper_id) if key.text not in owned] if old else []
    return PaperIdentity(paper_id, keys[0], (*keys, *kept))


def by_strength(keys: list[Key]) -> list[Key]:
    """Strongest first; a published DOI before the preprint's."""
    return sorted(keys, key=lambda key: (STRENGTH.index(key.type), key.text.startswith(f"doi:{ARXIV_DOI}")))
