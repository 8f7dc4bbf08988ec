"""What the texts of a paper are, and whose words: the authors', the publisher's, a model's; and their names."""

import json
from functools import lru_cache
from typing import Literal

from django.conf.locale import LANG_INFO
from msgspec import Struct

from papercore.errors import ToolError
from papercore.snapshot.assets import OCR_MARK, manifest_key, source_key
from papercore.text import one_line
from papers.snapshot.assets import read_text
from papers.snapshot.models import Paper
from papers.snapshot.served import version

TextKind = Literal["authors_text", "ocr_text", "abstract", "reading_edition", "translation", "summary"]
# The kinds that tell what a paper says itself, or stand in for that; the others retell it.
OWN_TEXTS: frozenset[TextKind] = frozenset({"authors_text", "ocr_text", "abstract", "reading_edition"})
# The template under which an abstract serves as summary.
_ABSTRACT_TEMPLATE = "summary:abstract"
_LANGUAGES = {"zh": "Chinese", "zh-cn": "Chinese", "zh-tw": "Chinese (traditional)", "no": "Norwegian"}
# So much of an abstract tells whether a summary repeats it.
_COMPARED_CHARS = 120
_NAMES: dict[TextKind, str] = {
    "authors_text": "Authors' text",
    "ocr_text": "Text read by OCR",
    "abstract": "Abstract",
    "reading_edition": "Reading edition",
    "translation": "Translation",
    "summary": "Summary",
}


class TextOrigin(Struct, frozen=True):
    """What a text is, whether its words are the authors' own, and who or what made one that is not theirs."""

    kind: TextKind
    authors_words: bool
    # A language or a template.
    part: str = ""
    made_by: str = ""

    @property
    def label(self) -> str:
        """As a reader sees it beside the place of a passage."""
        name = f"{_NAMES[self.kind]} ({self.part})" if self.part else _NAMES[self.kind]
        return f"{name}, {self.made_by}" if self.made_by and not self.authors_words else name


def origin_of(paper: Paper, text: str, words: str = "") -> TextOrigin:
    """What the text of this name is, of which some words may tell.

    Letters that OCR read from a picture may be wrong. An abstract that a model extracted is not known to be the
    authors', and one that the summary repeats was written with the summary.
    """
    kind, _, part = text.partition(":")
    made_by = paper.model or ""
    if kind == "translation":
        return TextOrigin("translation", authors_words=False, part=language_name(part))
    if kind == "summary" and text != _ABSTRACT_TEMPLATE:
        return TextOrigin("summary", authors_words=False, part=template_name(part), made_by=made_by)
    name = "source" if kind == "source" else "abstract"
    if name in _reading_editions(version(), paper.paper_id):
        return TextOrigin("reading_edition", authors_words=False)
    if name == "source" and paper.source_md_content_hash and _is_recognised(paper.source_md_content_hash):
        return TextOrigin("ocr_text", authors_words=False)
    if name == "source":
        return TextOrigin("authors_text", authors_words=True)
    has_summary = f"summary:{paper.preferred_summary_template}" != _ABSTRACT_TEMPLATE
    beginning = one_line(words)[:_COMPARED_CHARS]
    repeated = has_summary and bool(beginning) and beginning in (paper.summary_preview or "")
    return TextOrigin("abstract", authors_words=not made_by and not repeated, made_by=made_by)


@lru_cache(maxsize=20_000)
def _is_recognised(source: str) -> bool:
    """Whether the text with this hash was read by OCR."""
    try:
        return read_text(source_key(source)).startswith(OCR_MARK)
    except ToolError:
        return False


# A manifest is small, and a list of passages asks for the same few again and again.
@lru_cache(maxsize=20_000)
def _reading_editions(version: int, paper_id: str) -> frozenset[str]:
    """The texts of a paper that its manifest says are not in the authors' words; most manifests say nothing."""
    try:
        manifest = json.loads(read_text(manifest_key(paper_id)))
    except (ToolError, ValueError, RecursionError):
        return frozenset()
    stated = manifest.get("reading_editions") if isinstance(manifest, dict) else None
    return frozenset(name for name in stated if isinstance(name, str)) if isinstance(stated, list) else frozenset()


def template_name(template: str) -> str:
    return template.replace("_", " ").replace("-", " ").capitalize()


def language_name(code: str) -> str:
    info = LANG_INFO.get(code.lower(), {})
    return str(_LANGUAGES.get(code.lower()) or info.get("name") or code)


def text_name(text: str) -> str:
    """A text of a paper, named as in addresses, the way a reader tells it from the others of its kind."""
    kind, _, part = text.partition(":")
    if kind == "summary":
        return template_name(part)
    return language_name(part) if kind == "translation" else kind.capitalize()
