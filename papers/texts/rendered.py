"""The texts of a paper as pages show them: which exist, reading one, and its HTML."""

import json
from contextlib import suppress
from functools import lru_cache

from django.urls import reverse
from msgspec import Struct

from papercore import limits
from papercore.rendering import Rendered, RendererBusy, as_typed, render
from papers import tools
from papers.catalogue.names import text_name
from papers.catalogue.schemas import PaperMetadata
from papers.texts.background import BackgroundRenderer, NotReady


class Choice(Struct, frozen=True):
    """A text that a paper has: `summary:simple`, `source`, `translation:de`."""

    key: str
    label: str
    lang: str

    @property
    def kind(self) -> str:
        return self.key.partition(":")[0]

    @property
    def name(self) -> str:
        return self.key.partition(":")[2]

    @property
    def path(self) -> str:
        """Below the paper's own address."""
        return f"{self.kind}/{self.name}/" if self.name else f"{self.kind}/"


class Shown(Struct, frozen=True):
    """A text on a page."""

    choice: Choice
    rendered: Rendered
    total_chars: int
    # Whether the rest is still being rendered.
    is_beginning: bool = False


def choices(paper: PaperMetadata) -> list[Choice]:
    """Every text of the paper, the preferred summary first."""
    templates = sorted(paper.available_summary_templates, key=lambda name: name != paper.preferred_summary_template)
    languages = {f"summary:{name}": paper.output_language or "en" for name in templates}
    if paper.has_source:
        languages["source"] = ""
    languages |= {f"translation:{lang}": lang for lang in paper.available_translations}
    return [Choice(key, text_name(key), language) for key, language in languages.items()]


def show(paper: PaperMetadata, choice: Choice, prefix: str = "s", top: int = 2) -> Shown:
    """Read a text with its tool, and render it."""
    text, total = _read(paper.paper_id, choice)
    return Shown(choice, _rendered(text, prefix, top), total)


def show_soon(paper: PaperMetadata, choice: Choice, prefix: str = "s", top: int = 2) -> Shown:
    """The same, or the beginning of a long text that is not rendered in time."""
    text, total = _read(paper.paper_id, choice)
    if len(text) <= limits.TEXT_BEGINNING_CHARS:
        return Shown(choice, _rendered(text, prefix, top), total)
    with suppress(NotReady):
        return Shown(choice, _background.render(text, prefix, top, limits.TEXT_HEAD_START_SECONDS), total)
    beginning = _first_paragraphs(text)
    _beginnings.begin(beginning, prefix, top)
    with suppress(NotReady):
        left = limits.TEXT_WAIT_SECONDS - limits.TEXT_HEAD_START_SECONDS
        return Shown(choice, _background.render(text, prefix, top, left), total)
    return Shown(choice, _beginning(beginning, prefix, top), total, is_beginning=True)


def _first_paragraphs(text: str) -> str:
    """Whole ones if there are any."""
    characters = text[: limits.TEXT_BEGINNING_CHARS]
    return characters.rpartition("\n\n")[0] or characters


def _beginning(paragraphs: str, prefix: str, top: int) -> Rendered:
    """As typed if not even they are rendered in time."""
    try:
        return _beginnings.render(paragraphs, prefix, top, limits.BEGINNING_WAIT_SECONDS)
    except (NotReady, RendererBusy):
        return as_typed(paragraphs)


def markdown_of(paper: PaperMetadata, choice: Choice) -> str:
    return _read(paper.paper_id, choice)[0]


def _read(paper_id: str, choice: Choice) -> tuple[str, int]:
    if choice.kind == "summary":
        document = tools.get_paper_summary(paper_id, choice.name, limits.ASSET_BYTES)
        summary = str(json.loads(document.content).get("summary") or "")
        return summary, len(summary)
    if choice.kind == "source":
        source = tools.get_paper_source(paper_id, limits.MARKDOWN_CHARS)
        return source.markdown, source.total_chars
    translation = tools.get_paper_translation(paper_id, choice.name, limits.MARKDOWN_CHARS)
    return translation.markdown, translation.total_chars


# Keyed by the text itself, so that unchanged texts survive a rebuild of the snapshot.
@lru_cache(maxsize=64)
def _rendered(text: str, prefix: str, top: int) -> Rendered:
    # The address of a picture without its name.
    pictures = reverse("picture", args=["x"])[:-1]
    return render(text, pictures, prefix, top, passages=True)


# Beginnings do not wait for whole texts.
_background, _beginnings = BackgroundRenderer(_rendered), BackgroundRenderer(_rendered)
