"""A paper's keys by strength, and its id: a paper of an earlier snapshot keeps its id, whichever key it is known by."""

import hashlib
import json
import sqlite3
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import chain, count
from pathlib import Path
from typing import Literal

from msgspec import Struct

from ingest.entries.entry import BuildError, PaperEntry
from ingest.entries.text import normal_title
from papercore.bibliography.fields import UNKNOWN, parse_date
from papercore.bibliography.identifiers import ARXIV_DOI_PREFIX
from papercore.snapshot.file import BadSnapshot, open_read_only, refuse_unfinished_wal
from papercore.text import one_line

KeyType = Literal["doi", "arxiv", "bib", "meta"]
STRENGTH: tuple[KeyType, ...] = ("doi", "arxiv", "bib", "meta")


class Key(Struct, frozen=True):
    type: KeyType
    text: str
    fingerprint: str | None = None


def keys_of(entry: PaperEntry) -> list[Key]:
    """Every key of the entry, strongest first; there is always a meta key."""
    strong = [
        Key("doi", f"doi:{entry.doi}") if entry.doi else None,
        Key("arxiv", f"arxiv:{entry.arxiv}") if entry.arxiv else None,
        Key("bib", f"bib:{entry.bib_key}") if entry.bib_key else None,
    ]
    return [*(key for key in strong if key), meta_key(entry)]


def meta_key(entry: PaperEntry) -> Key:
    """The hash of title, authors, venue and year, as the format defines it."""
    fields = {
        "authors": sorted(_normal(name) for name in entry.authors),
        "title": normal_title(entry.title),
        "venue": _normal(entry.venue),
        "year": parse_date(entry.date).year if entry.date else UNKNOWN,
    }
    fingerprint = json.dumps(fields, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return Key("meta", f"meta:{hashlib.sha256(fingerprint.encode()).hexdigest()}", fingerprint)


def _normal(text: str) -> str:
    return one_line(unicodedata.normalize("NFKC", text)).lower()


def paper_id_of(key: str) -> str:
    return hashlib.sha256(f"v1|{key}".encode()).hexdigest()[:32]


class KeyAlias(Struct, frozen=True):
    """A key, and the paper that it leads to."""

    key: Key
    paper_id: str


class PaperIdentity(Struct, frozen=True):
    """A paper's id, its strongest key, and every key that leads to it."""

    paper_id: str
    key: Key
    aliases: tuple[Key, ...]


class PreviousIds:
    """The ids and keys of an earlier snapshot; without one, none."""

    def __init__(self, aliases: Sequence[KeyAlias] = ()) -> None:
        self._by_key = {alias.key.text: alias.paper_id for alias in aliases}
        self._titles = {alias.paper_id: _title(alias.key) for alias in aliases if alias.key.fingerprint}
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
        return cls([KeyAlias(Key(kind, text, fingerprint), paper_id) for kind, text, fingerprint, paper_id in rows])

    def id_of(self, key: Key, title: str) -> str | None:
        """The id that the key led to. A .bib key may have gone to another paper since, so its title must agree."""
        paper_id = self._by_key.get(key.text)
        if paper_id is None or (key.type == "bib" and self._titles.get(paper_id, title) != title):
            return None
        return paper_id

    @property
    def ids(self) -> set[str]:
        return set(self._keys)

    def keys_of(self, paper_id: str) -> list[Key]:
        return self._keys.get(paper_id, [])


def owned_keys(papers: Mapping[int, Sequence[Sequence[Key]]]) -> tuple[dict[int, list[Key]], dict[int, frozenset[str]]]:
    """The keys of each paper from those of its entries, and the DOIs that it names but that are another paper's.

    A key that two papers have belongs to the one that more entries give it to, else to the one that sorts first.
    """
    claims: dict[str, dict[int, int]] = {}
    for paper, entries in papers.items():
        for key in chain.from_iterable(entries):
            claims.setdefault(key.text, {})[paper] = claims.get(key.text, {}).get(paper, 0) + 1
    contested = {text: found for text, found in claims.items() if len(found) > 1}
    order = {
        paper: sorted(keys[-1].text for keys in papers[paper]) for paper in set(chain.from_iterable(contested.values()))
    }
    owner = {text: min(found, key=lambda paper: (-found[paper], order[paper])) for text, found in contested.items()}
    owned: dict[int, list[Key]] = {}
    disowned: dict[int, frozenset[str]] = {}
    replaced = set[str]()
    for paper, entries in papers.items():
        keys = {key.text: key for key in chain.from_iterable(entries)}
        lost = [text for text in keys if owner.get(text, paper) != paper]
        owned[paper] = [key for text, key in keys.items() if text not in lost]
        if dois := frozenset(text.removeprefix("doi:") for text in lost if text.startswith("doi:")):
            disowned[paper] = dois
        if not owned[paper]:
            # Rare: every key of the paper belongs to another.
            meta = max((key for key in keys.values() if key.type == "meta"), key=lambda key: key.text)
            digests = (hashlib.sha256(f"{meta.text}|{order[paper]}|{n}".encode()).hexdigest() for n in count())
            text = next(text for digest in digests if (text := f"meta:{digest}") not in replaced)
            replaced.add(text)
            owned[paper] = [Key("meta", text, meta.fingerprint)]
    return owned, disowned


def identities(papers: dict[int, list[Key]], previous: PreviousIds) -> dict[int, PaperIdentity]:
    """An identity for every paper: first the old ids, claimed by the strongest keys, then new ones."""
    old_ids = _old_ids(papers, previous)
    # An old id that nobody claimed stays unused: links to it must not lead to another paper.
    taken = set(old_ids.values()) | previous.ids
    owned = {key.text for keys in papers.values() for key in keys}
    found: dict[int, PaperIdentity] = {}
    for number, unsorted_keys in papers.items():
        keys = by_strength(unsorted_keys)
        paper_id = old_ids.get(number)
        if paper_id:
            kept = [key for key in previous.keys_of(paper_id) if key.text not in owned]
        else:
            # A key's own id may belong to the paper that had the key before; then the next key serves.
            texts = (*(key.text for key in keys), keys[-1].text + "|again")
            paper_id = next(new_id for new_id in map(paper_id_of, texts) if new_id not in taken)
            taken.add(paper_id)
            kept = []
        found[number] = PaperIdentity(paper_id, keys[0], (*keys, *kept))
    return found


def _old_ids(papers: dict[int, list[Key]], previous: PreviousIds) -> dict[int, str]:
    """The papers that an earlier snapshot knows. All DOIs claim their ids before any arXiv id does, and so on."""
    claimed: dict[int, str] = {}
    taken: set[str] = set()
    if not previous.ids:
        return claimed
    for kind in STRENGTH:
        for number, keys in papers.items():
            if number in claimed:
                continue
            title = next((_title(key) for key in keys if key.fingerprint), "")
            old_ids = (previous.id_of(key, title) for key in keys if key.type == kind)
            old_id = next((old_id for old_id in old_ids if old_id and old_id not in taken), None)
            if old_id:
                claimed[number] = old_id
                taken.add(old_id)
    return claimed


def by_strength(keys: list[Key]) -> list[Key]:
    """Strongest first; a published DOI before the preprint's."""
    return sorted(keys, key=lambda key: (STRENGTH.index(key.type), key.text.startswith(f"doi:{ARXIV_DOI_PREFIX}")))


def _title(key: Key) -> str:
    try:
        fields = json.loads(key.fingerprint or "{}")
    except ValueError:
        return ""
    return str(fields.get("title", "")) if isinstance(fields, dict) else ""
