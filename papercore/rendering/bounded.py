"""Renders a text within limits of time and memory, or shows it as typed."""

import atexit
import os
from html import escape

from msgspec.structs import replace

from papercore import limits
from papercore.rendering.processes import CannotRender, RenderProcesses
from papercore.rendering.rendered import Rendered, Source
from papercore.rendering.slow import SlowTexts
from papercore.text import count_words

_NOTE = "This text needs more time than a page has to be laid out, so it is shown as typed."
_slow_texts = SlowTexts()
_processes = RenderProcesses()


def render(text: str, pictures: str = "", prefix: str = "s", top: int = 2, *, passages: bool = False) -> Rendered:
    """Render a text, as `Source` describes it. Raises RendererBusy, and nothing else, whatever the text is."""
    source = Source(text, pictures, prefix, top, passages)
    if len(text) <= limits.RENDERED_HERE_CHARS and "```" not in text and "~~~" not in text:
        # Its parser and converters are much code, which no start of a site has to wait for.
        from papercore.rendering.markdown import convert

        return convert(source)
    if text in _slow_texts:
        return _as_typed(source)
    try:
        return _processes.render(source)
    except CannotRender:
        _slow_texts.add(text)
        return _as_typed(source)


def as_typed(text: str) -> Rendered:
    """A text that is not laid out at all."""
    return Rendered((f'<pre class="typed">{escape(text)}</pre>',), (), 0, count_words(text), cut=False)


def _as_typed(source: Source) -> Rendered:
    typed = as_typed(source.shown)
    note = f'<div class="note warn"><p>{_NOTE}</p></div>'
    return replace(typed, blocks=(note + typed.html,), cut=source.cut)


def _start_anew() -> None:
    """A forked process shares no sockets with its parent: two readers of one would mix up the answers."""
    global _processes
    _processes = RenderProcesses()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
atexit.register(lambda: _processes.stop())
