"""The keys of a paper by strength, and the id made from the strongest."""

import hashlib
import json
import re
import unicodedata
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from papers.build.dates import UNKNOWN, parse_date
from papers.build.entry import PaperEntry
from papers.build.text import clean_line, words_of

KeyType = Literal["doi", "arxiv", "bib", "meta"]
STRENGTH: tuple[KeyType, ...] = ("doi", "arxiv", "bib", "meta")
ARXIV_DOI = "10.48550/arxiv."

_DOI_PREFIX = re.compile(r"^(?:https?://(?:dx\.|www\.)?doi\.org/|doi:\s*)+", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
_ARXIV_PREFIX = re.compile(r"^(?:https?://(?:www\.)?arxiv\.org/(?:abs|pdf)/|arxiv:\s*)+", re.IGNORECASE)
_ARXIV_END = re.compile(r"(?:v\d+)?(?:\.pdf)?$")
_ARXIV = re.compile(r"\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7}")


@dataclass(frozen=True, slots=True)
class Key:
    type: KeyType
    text: str
    fingerprint: str | None = None


def canonical_doi(text: str) -> str | None:
    """Lower case, without resolver, prefix and trailing punctuation; None for anything that is not a DOI.

    Words such as `n/a` in a DOI field must not join all papers that have them.
    """
    value = _DOI_PREFIX.sub("", unquote(text.strip()).strip()).strip().lower().rstrip(".,;)")
    return value if _DOI.fullmatch(value) else None


def canonical_arxiv(text: str) -> str | None:
    """Without prefix and version; None for anything that is not an arXiv id."""
    value = _ARXIV_END.sub("", _ARXIV_PREFIX.sub("", text.strip()).strip().lower())
    return value if _ARXIV.fullmatch(value) else None


def arxiv_of_doi(doi: str | None) -> str | None:
    return canonical_arxiv(doi.removeprefix(ARXIV_DOI)) if doi and doi.startswith(ARXIV_DOI) else None


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
    return clean_line(unicodedata.normalize("NFKC", text)).lower()


def paper_id_of(key: str) -> str:
    return hashlib.sha256(f"v1|{key}".encode()).hexdigest()[:32]
