"""Renders untrusted markdown as safe HTML: math, tables, code, diagrams, footnotes. Needs the extra `rendering`."""

from papercore.rendering.markdown import Heading, Rendered, render

__all__ = ["Heading", "Rendered", "render"]
