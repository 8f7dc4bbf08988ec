"""DOIs and arXiv ids: how people write them, and the canonical form in which they are compared and stored."""

import re
from urllib.parse import unquote

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
