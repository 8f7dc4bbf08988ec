"""The keys of a paper by strength, and the id made from the strongest."""

import hashlib
import json
import unicodedata
from typing import Literal

from msgspec import Struct

from ingest.entries.entry import PaperEntry
from ingest.entries.text import words_of
from papercore.bibliography.dates import UNKNOWN, parse_date
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
        "title": words_of(entry.title),
        "venue": _normal(entry.venue),
        "year": parse_date(entry.date).year if entry.date else UNKNOWN,
    }
    fingerprint = json.dumps(fields, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return Key("meta", f"meta:{hashlib.sha256(fingerprint.encode()).hexdigest()}", fingerprint)


def _normal(text: str) -> str:
    return one_line(unicodedata.normalize("NFKC", text)).lower()


def paper_id_of(key: str) -> str:
    return hashlib.sha256(f"v1|{key}".encode()).hexdigest()[:32]
