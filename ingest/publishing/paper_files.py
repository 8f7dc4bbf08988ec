"""What one paper has in the asset folder."""

from dataclasses import dataclass, field

from msgspec import Struct


class TextAsset(Struct, frozen=True):
    """A markdown text: the hash it is stored under, and its words for the full-text index."""

    sha256: str
    words: str


@dataclass
class PaperFiles:
    """`images` maps the name that a text uses to the image's key; to None where the file is missing.

    `has_markdown`: the source was written as such, so that the text of a PDF does not replace it.
    """

    source: TextAsset | None = None
    pdf: str | None = None
    translations: dict[str, TextAsset] = field(default_factory=dict)
    images: dict[str, str | None] = field(default_factory=dict)
    has_markdown: bool = field(default=False, compare=False)
