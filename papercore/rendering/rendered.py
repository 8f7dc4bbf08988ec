"""A text before and after it is rendered."""

from msgspec import Struct

from papercore import limits


class Heading(Struct, frozen=True):
    """A line of the outline; level 1 is the highest in the text."""

    level: int
    text: str
    anchor: str


class Rendered(Struct, frozen=True):
    """A rendered text, one piece of HTML for each block at its top level; only its beginning if `cut`."""

    blocks: tuple[str, ...]
    outline: tuple[Heading, ...]
    diagrams: int
    words: int
    cut: bool

    @property
    def html(self) -> str:
        return "".join(self.blocks)


class Source(Struct, frozen=True):
    """A text to render, and how.

    `pictures` is the address of the folder with the library's pictures; without it none are shown. `prefix` tells
    apart the anchors of two texts on a page. The highest heading of the text becomes <h{top}>, and no level below it
    is skipped. `passages`: blocks get anchors by which passages are linked.
    """

    text: str
    pictures: str = ""
    prefix: str = "s"
    top: int = 2
    passages: bool = False

    @property
    def shown(self) -> str:
        return self.text[: limits.MARKDOWN_CHARS]

    @property
    def cut(self) -> bool:
        return len(self.text) > limits.MARKDOWN_CHARS
