"""The texts of a paper in the asset store: reading, checking and cutting them."""

import json
import re

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, ValidationError

from papercore.errors import ToolError
from papercore.snapshot.layout import preferred_summary_key, source_key, summary_key, translation_key
from papercore.text import truncate as truncated_text
from papers.snapshot import assets
from papers.snapshot.errors import AssetParseFailed
from papers.snapshot.models import Paper

MARKDOWN_SYNTAX = re.compile(r"([\\`*_\[\]<>#|~$])")
# Another [[[ inside would mean looking for ]]] from each of them.
MARKED = re.compile(r"\[\[\[((?:(?!\[\[\[).)*?)\]\]\]", re.DOTALL)


class Cut(Struct, frozen=True):
    """A text that fits, and what it was cut from."""

    text: str
    total_chars: int
    truncated: bool


class SummaryDocument(BaseModel):
    """The part of a summary asset that is read here. Fields may be missing, but not of another type."""

    model_config = ConfigDict(extra="ignore")

    paper_title: str = ""
    paper_authors: list[str] = []
    abstract: str | None = None
    keywords: list[str] = []
    paper_institutions: list[str] = []
    output_language: str | None = None
    template_tag: str | None = None
    summary: str = ""


def truncate(text: str, max_chars: int) -> Cut:
    """The first max_chars characters, and a marker that says how much is left."""
    return Cut(truncated_text(text, max_chars), len(text), truncated=len(text) > max_chars)


def summary_text(paper_id: str, template: str) -> str:
    """The summary document as stored, once it has been parsed without error."""
    try:
        text = assets.read_text(summary_key(paper_id, template))
        parse_summary(text)
    except ToolError as error:
        error.details |= {"paper_id": paper_id, "template": template}
        raise
    return text


def summary_document(paper_id: str, template: str) -> SummaryDocument:
    return parse_summary(summary_text(paper_id, template))


def preferred_document(paper_id: str) -> SummaryDocument:
    """The document of the preferred template. A paper without a summary has one too, with its metadata alone."""
    return parse_summary(assets.read_text(preferred_summary_key(paper_id)))


def parse_summary(text: str) -> SummaryDocument:
    try:
        return SummaryDocument.model_validate(json.loads(text))
    except (ValueError, RecursionError, ValidationError):
        raise AssetParseFailed("The summary is not a JSON document of the expected form.") from None


def source_text(paper: Paper) -> str:
    return _markdown(source_key(paper.source_md_content_hash or ""), paper_id=paper.paper_id)


def translation_text(paper_id: str, lang: str, content_hash: str) -> str:
    return _markdown(translation_key(lang, content_hash), paper_id=paper_id, lang=lang)


def _markdown(key: str, **details: str) -> str:
    try:
        return assets.read_text(key)
    except ToolError as error:
        error.details |= details
        raise


def escape_markdown(text: str) -> str:
    # Most texts have none of these characters, and looking is cheaper than replacing.
    return MARKDOWN_SYNTAX.sub(r"\\\1", text) if MARKDOWN_SYNTAX.search(text) else text


def snippet_markdown(raw: str) -> str:
    """A raw snippet, in which [[[ and ]]] stand around what matched, as markdown that shows it in bold."""
    parts = MARKED.split(raw)
    shown = [f"**{escape_markdown(part)}**" if odd % 2 else escape_markdown(part) for odd, part in enumerate(parts)]
    return " ".join("".join(shown).split())
