"""The texts of a paper as pages show them: which exist, reading one, and its HTML.

Long texts are rendered in the background, so that a reader who waits can begin with the first part.
"""

import json
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from threading import RLock

from django.urls import reverse
from msgspec import Struct

from papercore import limits
from papercore.rendering import Rendered, RendererBusy, as_typed, render
from papers.catalogue.schemas import PaperMetadata
from papers.catalogue.text_kinds import text_name
from papers.texts.named import in_order
from papers.texts.tools import get_paper_source, get_paper_summary, get_paper_translation

# A reader waits this long for a text of more characters; then its beginning is shown, and the rest when it is ready.
TEXT_WAIT_SECONDS = 0.3
BEGINNING_WAIT_SECONDS = 0.15
# Most long texts are ready after this; for the others the beginning is rendered while the reader still waits.
TEXT_HEAD_START_SECONDS = 0.1
TEXT_BEGINNING_CHARS = 20_000
# Texts that wait to be rendered for readers who have begun; each holds its characters in memory.
RENDER_QUEUE = 16
# What a future raises that is not ready in time.
NotReady = TimeoutError
# A text, the prefix of its anchors, and the level of its highest heading.
Key = tuple[str, str, int]


class TextChoice(Struct, frozen=True):
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

    choice: TextChoice
    rendered: Rendered
    total_chars: int
    # Whether the rest is still being rendered.
    is_beginning: bool = False


def choices(paper: PaperMetadata) -> list[TextChoice]:
    """Every text of the paper that has a view of its own, in the order of `papers.texts.named`."""
    templates = in_order(paper.available_summary_templates, paper.preferred_summary_template)
    languages = {f"summary:{name}": paper.output_language or "en" for name in templates}
    if paper.has_source:
        languages["source"] = ""
    languages |= {f"translation:{lang}": lang for lang in paper.available_translations}
    return [TextChoice(key, text_name(key), language) for key, language in languages.items()]


def show(paper: PaperMetadata, choice: TextChoice, prefix: str = "s", top: int = 2) -> Shown:
    """Read a text with its tool, and render it."""
    text, total = _read(paper.paper_id, choice)
    return Shown(choice, _rendered(text, prefix, top), total)


def show_soon(paper: PaperMetadata, choice: TextChoice, prefix: str = "s", top: int = 2) -> Shown:
    """The same, or the beginning of a long text that is not rendered in time."""
    text, total = _read(paper.paper_id, choice)
    if len(text) <= TEXT_BEGINNING_CHARS:
        return Shown(choice, _rendered(text, prefix, top), total)
    with suppress(NotReady):
        return Shown(choice, _background.render(text, prefix, top, TEXT_HEAD_START_SECONDS), total)
    characters = text[:TEXT_BEGINNING_CHARS]
    # Whole paragraphs if there are any.
    beginning = characters.rpartition("\n\n")[0] or characters
    _beginnings.begin(beginning, prefix, top)
    with suppress(NotReady):
        left = TEXT_WAIT_SECONDS - TEXT_HEAD_START_SECONDS
        return Shown(choice, _background.render(text, prefix, top, left), total)
    try:
        shown = _beginnings.render(beginning, prefix, top, BEGINNING_WAIT_SECONDS)
    except (NotReady, RendererBusy):
        shown = as_typed(beginning)
    return Shown(choice, shown, total, is_beginning=True)


def markdown_of(paper: PaperMetadata, choice: TextChoice) -> str:
    return _read(paper.paper_id, choice)[0]


def _read(paper_id: str, choice: TextChoice) -> tuple[str, int]:
    if choice.kind == "summary":
        document = get_paper_summary(paper_id, choice.name, limits.ASSET_BYTES)
        summary = str(json.loads(document.content).get("summary") or "")
        return summary, len(summary)
    if choice.kind == "source":
        source = get_paper_source(paper_id, limits.MARKDOWN_CHARS)
        return source.markdown, source.total_chars
    translation = get_paper_translation(paper_id, choice.name, limits.MARKDOWN_CHARS)
    return translation.markdown, translation.total_chars


# Keyed by the text itself, so that unchanged texts survive a rebuild of the snapshot.
@lru_cache(maxsize=64)
def _rendered(text: str, prefix: str, top: int) -> Rendered:
    # The address of a picture without its name.
    pictures = reverse("picture", args=["x"])[:-1]
    return render(text, pictures, prefix, top, passages=True)


class BackgroundRenderer:
    """Calls a function that renders, once for each text at a time; its answers are the function's to remember."""

    def __init__(self, render: Callable[[str, str, int], Rendered]) -> None:
        self._render = render
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="render")
        self._at_work: dict[Key, Future[Rendered]] = {}
        # A text that is ready at once is forgotten by the thread that holds the lock.
        self._lock = RLock()

    def render(self, text: str, prefix: str, top: int, seconds: float) -> Rendered:
        """NotReady if it takes longer; it goes on for the next one who asks.

        Errors are those of the function. One that came while nobody waited is kept for whoever asks next: a page that
        is loaded until the text is ready must hear of it.
        """
        key = (text, prefix, top)
        future = self._future(key)
        try:
            return future.result(seconds)
        except NotReady:
            raise
        except BaseException:
            self._forget(key)
            raise

    def begin(self, text: str, prefix: str, top: int) -> None:
        """Start to render for whoever asks later, if there is room."""
        with suppress(NotReady):
            self._future((text, prefix, top))

    def _future(self, key: Key) -> "Future[Rendered]":
        with self._lock:
            if key in self._at_work:
                return self._at_work[key]
            unfinished = {other: future for other, future in self._at_work.items() if not future.done()}
            if len(unfinished) >= RENDER_QUEUE:
                raise NotReady
            if len(self._at_work) >= RENDER_QUEUE:
                self._at_work = unfinished
            future = self._at_work[key] = self._threads.submit(self._render, *key)
            future.add_done_callback(lambda done: None if done.exception() else self._forget(key))
            return future

    def _forget(self, key: Key) -> None:
        with self._lock:
            self._at_work.pop(key, None)


# Beginnings do not wait for whole texts.
_background, _beginnings = BackgroundRenderer(_rendered), BackgroundRenderer(_rendered)
