"""DOIs, arXiv ids and others: how people write them, their canonical form, and lists of them."""

import re
from typing import Literal
from urllib.parse import unquote

from msgspec import Struct

from papercore import limits
from papercore.text import one_line

_DOI_PREFIX = r"(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi:)"
_DOI_NAME = r"10\.\d{4,9}(?:\.\d+)*/\S+"
_ARXIV_PREFIX = r"(?:https?://(?:www\.)?arxiv\.org/(?:abs|pdf)/|arxiv:)"
_ARXIV_NUMBER = r"(?:\d{4}\.\d{4,5}|[a-z][a-z-]*(?:\.[a-z]{2})?/\d{7})"
_ARXIV_SUFFIX = r"(?:v\d+)?(?:\.pdf)?"
# As patterns for one word of a query, whatever its case.
DOI_PATTERN = f"{_DOI_PREFIX}?{_DOI_NAME}"
ARXIV_PATTERN = f"{_ARXIV_PREFIX}?{_ARXIV_NUMBER}{_ARXIV_SUFFIX}"

# A prefix may come twice, and be followed by blanks: `doi: https://doi.org/10.1000/1`.
_DOI_PREFIXES = re.compile(rf"(?:{_DOI_PREFIX}\s*)+")
_DOI = re.compile(_DOI_NAME)
_ARXIV = re.compile(rf"(?:{_ARXIV_PREFIX}\s*)*({_ARXIV_NUMBER}){_ARXIV_SUFFIX}")
_ARXIV_MENTION = re.compile(rf"(?:arxiv[.:/ ]|arxiv\.org/(?:abs|pdf)/)\s*({_ARXIV_NUMBER})")
# arXiv registers its papers' DOIs under this prefix.
ARXIV_DOI_PREFIX = "10.48550/arxiv."

# Identifiers among other words, and in the addresses of papers' pages.
_DOI_IN_WORD = re.compile(r"10\.\d{4,9}/[^\s\"'<>,;]{1,200}")
_AFTER_DOI = re.compile(r"(?:[?#].*|/(?:full|abstract|pdf|epdf|meta|html)(?:/.*)?|(?<=\d)v\d+(?:\.full.*)?|\.pdf)$")
_PMID = re.compile(r"(?:pmid:?\s*|https?://(?:www\.)?pubmed\.ncbi\.nlm\.nih\.gov/)(\d{1,9})/?(?:[?#].*)?", re.I)
_PUBMED = re.compile(
    r"https?://(?:www\.)?(?:ncbi\.nlm\.nih\.gov/pubmed|europepmc\.org/(?:article|abstract)/med)/(\d{1,9})/?", re.I
)
_PMCID = re.compile(r"(?:https?://\S{1,100}/)?(pmc\d{1,9})/?(?:[?#].*)?", re.I)
_OPENALEX = re.compile(r"(?:https?://(?:api\.)?openalex\.org/(?:works/)?)(w\d{1,12})", re.I)
_ARXIV_PAGE = re.compile(r"https?://(?:[a-z]{2,8}\.)?arxiv\.org/(?:abs|pdf|html|format)/([^?#]{1,40})", re.I)
_NATURE = re.compile(r"https?://(?:www\.)?nature\.com/articles/([a-z0-9.-]{4,60})", re.I)
_ACL = re.compile(r"https?://(?:www\.)?aclanthology\.org/([a-z0-9.-]{4,60}?)(?:\.pdf)?/?", re.I)
_SEPARATOR = re.compile(r"[\s,;]+")
_LABEL = re.compile(r"\b(pmid|doi|arxiv)(?:\s{0,2}:)?\s{1,8}(?=\S)", re.I)
_BULLET = re.compile(r"(?:[-*+•]|\[?\d{1,4}[.)\]])\s{1,8}")

IdentifierKind = Literal["doi", "arxiv", "pmid", "pmcid", "openalex"]


def canonical(text: str) -> str | None:
    """The canonical form of a DOI or arXiv id; None for anything else."""
    return canonical_doi(text) or canonical_arxiv(text)


def canonical_doi(text: str) -> str | None:
    """The bare form of a DOI; None for anything else.

    Words such as `n/a` in a DOI field must not make one paper of all that hold them.
    """
    bare = bare_doi(text)
    return bare if _DOI.fullmatch(bare) else None


def bare_doi(text: str) -> str:
    """Lower case, without resolver, `doi:` and closing punctuation. Whether it is a DOI is not checked: sources hand
    out malformed ones, and two records that share one are still the same paper."""
    plain = unquote(text).strip().lower()
    if prefix := _DOI_PREFIXES.match(plain):
        plain = plain[prefix.end() :]
    return plain.rstrip(".,;)")


def canonical_arxiv(text: str) -> str | None:
    """The number of an arXiv id without prefix and version; None for anything else."""
    found = _ARXIV.fullmatch(text.strip().lower())
    return found[1] if found else None


def arxiv_of_doi(doi: str | None) -> str | None:
    """The arXiv number in a canonical DOI that arXiv registered."""
    return canonical_arxiv(doi.removeprefix(ARXIV_DOI_PREFIX)) if doi and doi.startswith(ARXIV_DOI_PREFIX) else None


def arxiv_mentioned_in(text: str) -> str | None:
    """The number of the first arXiv id that a text names as such."""
    found = _ARXIV_MENTION.search(text.lower())
    return found[1] if found else None


def paper_key(text: str) -> str | None:
    """The key under which snapshots list the paper that a text names by its DOI or arXiv id and nothing else."""
    if doi := canonical_doi(text):
        return f"doi:{doi}"
    arxiv = canonical_arxiv(text)
    return f"arxiv:{arxiv}" if arxiv else None


def doi_url(doi: str) -> str:
    return f"https://doi.org/{doi}"


class Identifier(Struct, frozen=True):
    """What names a paper, in canonical form."""

    kind: IdentifierKind
    value: str

    def __str__(self) -> str:
        return self.value.upper() if self.kind in ("pmcid", "openalex") else f"{self.kind}:{self.value}"

    @property
    def url(self) -> str:
        """The page that it leads to."""
        pages: dict[IdentifierKind, str] = {
            "arxiv": f"https://arxiv.org/abs/{self.value}",
            "pmid": f"https://pubmed.ncbi.nlm.nih.gov/{self.value}/",
            "pmcid": f"https://pmc.ncbi.nlm.nih.gov/articles/{self.value.upper()}/",
            "openalex": f"https://openalex.org/{self.value.upper()}",
        }
        return pages.get(self.kind) or doi_url(self.value)


class IdentifierList(Struct, frozen=True):
    """The identifiers of a text, each once, and the words that are none."""

    identifiers: tuple[Identifier, ...]
    unknown: tuple[str, ...]
    # Whether there were more than are read.
    cut: bool = False


def read_identifiers(text: str) -> IdentifierList:
    """Identifiers with blanks, commas or lines between them; a line that begins with # is a comment."""
    found: dict[Identifier, None] = {}
    unknown: dict[str, None] = {}
    lines = map(str.strip, text[: limits.IDENTIFIER_LIST_CHARS].splitlines())
    for line in (line for line in lines if not line.startswith("#")):
        bullet = _BULLET.match(line)
        # `PMID: 123` and `doi: 10.1/x` are one word each.
        labelled = _LABEL.sub(r"\1:", line[bullet.end() :] if bullet else line)
        for word in filter(None, _SEPARATOR.split(labelled)):
            if identifier := read_identifier(word):
                found[identifier] = None
            elif any(map(str.isalnum, word)):
                unknown[word[:100]] = None
    cut = len(found) > limits.IDENTIFIERS or len(text) > limits.IDENTIFIER_LIST_CHARS
    return IdentifierList(tuple(found)[: limits.IDENTIFIERS], tuple(unknown)[: limits.IDENTIFIERS], cut)


def read_identifier(word: str) -> Identifier | None:
    """The identifier that a word is, or that the address of a paper's page holds; a number alone is none."""
    text = one_line(unquote(word)).strip("<>()[]{}\"'")
    if page := _ARXIV_PAGE.match(text):
        return _arxiv(page[1].removesuffix("/"))
    if found := _PMID.fullmatch(text) or _PUBMED.match(text):
        return Identifier("pmid", found[1])
    if found := _OPENALEX.match(text):
        return Identifier("openalex", found[1].lower())
    if found := _DOI_IN_WORD.search(text):
        return _doi(_AFTER_DOI.sub("", found[0]) if "://" in text and "doi.org/" not in text.lower() else found[0])
    if found := _PMCID.fullmatch(text):
        return Identifier("pmcid", found[1].lower())
    if found := _NATURE.match(text):
        return _doi(f"10.1038/{found[1]}")
    if found := _ACL.fullmatch(text):
        return _doi(f"10.18653/v1/{found[1]}")
    return _arxiv(text)


def _doi(text: str) -> Identifier | None:
    doi = canonical_doi(text)
    if arxiv := arxiv_of_doi(doi):
        return Identifier("arxiv", arxiv)
    return Identifier("doi", doi) if doi else None


def _arxiv(text: str) -> Identifier | None:
    number = canonical_arxiv(text)
    return Identifier("arxiv", number) if number else None
