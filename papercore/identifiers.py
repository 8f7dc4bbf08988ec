"""DOIs and arXiv ids: recognised as people paste them, compared in one canonical form."""

import re
from urllib.parse import unquote

DOI = r"(?:https?://(?:dx\.)?doi\.org/|doi:)?10\.\d{4,9}/\S+"
ARXIV = r"(?:https?://arxiv\.org/(?:abs|pdf)/|arxiv:)?(?:\d{4}\.\d{4,5}|[a-z][a-z-]*(?:\.[a-z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?"
_DOI_PREFIX = re.compile(r"^(?:https?://(?:dx\.)?doi\.org/|doi:)", re.IGNORECASE)
_ARXIV_AROUND = re.compile(r"^(?:https?://arxiv\.org/(?:abs|pdf)/|arxiv:)|(?:v\d+)?(?:\.pdf)?$", re.IGNORECASE)
_DOI_WHOLE = re.compile(DOI, re.IGNORECASE)
_ARXIV_WHOLE = re.compile(ARXIV, re.IGNORECASE)


def canonical(text: str) -> str | None:
    """The comparable form of a DOI or arXiv id; None for anything else."""
    text = text.strip()
    if _DOI_WHOLE.fullmatch(text):
        return unquote(_DOI_PREFIX.sub("", text)).lower().rstrip(".,;)")
    if _ARXIV_WHOLE.fullmatch(text):
        return _ARXIV_AROUND.sub("", text).lower()
    return None
