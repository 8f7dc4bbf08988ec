"""Renders untrusted markdown as safe HTML: math, tables, code, diagrams, footnotes. Needs the extra `rendering`."""

from papercore.rendering.bounded import RendererBusy, as_typed, render
from papercore.rendering.markdown import Heading, Rendered

__all__ = ["Heading", "Rendered", "RendererBusy", "as_typed", "render"]
