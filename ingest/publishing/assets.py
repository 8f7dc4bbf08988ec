"""Writes texts, PDFs and images into the asset folder under their hashes, and knows what each paper has there."""

import hashlib
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from msgspec import Struct

from ingest.entries.text import plain_text
from papercore import limits
from papercore.snapshot.layout import IMAGE_EXTENSIONS, image_key, pdf_key, source_key, translation_key
from papercore.text import clean_text

# Captions and attributes are bounded: without an end they would be searched for from every start.
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_INLINE = re.compile(r"(!\[[^\]]{0,1000}\]\(\s*<?)([^)\s<>]+)")
_HTML = re.compile(r"(<img\b[^<>]{0,1000}?\bsrc\s*=\s*[\"'])([^\"']+)", re.IGNORECASE)
_NOT_A_FILE = re.compile(r"[a-z][a-z0-9+.-]*:|//|#", re.IGNORECASE)


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


class ImageFolders(Struct, frozen=True):
    """The folders in which a text's images are looked for; only files below `roots` are used."""

    folders: Sequence[Path]
    roots: Sequence[Path]

    def find(self, name: str) -> Path | None:
        """The file that a text calls by this name."""
        relative = unquote(name.split("?")[0].split("#")[0])
        for path in (folder / relative for folder in self.folders):
            if path.suffix.lower() in IMAGE_EXTENSIONS and "\0" not in str(path):
                real = path.resolve()
                inside = any(real.is_relative_to(root.resolve()) for root in self.roots)
                if inside and real.is_file() and real.stat().st_size <= limits.ASSET_BYTES:
                    return path
        return None


def rewrite_images(markdown: str, replace: Callable[[str], str]) -> str:
    """The text with each local image's target replaced; code blocks and remote images stay as they are."""

    def replaced(match: re.Match[str]) -> str:
        target = match[2]
        return match[1] + (target if _NOT_A_FILE.match(target) else replace(target))

    lines, fence = [], ""
    for line in markdown.split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and line.strip() == mark[1]:
            fence = ""
        lines.append(line if fence or mark else _HTML.sub(replaced, _INLINE.sub(replaced, line)))
    return "\n".join(lines)


class AssetError(ValueError):
    """One file cannot be used; the message says why."""


class AssetWriter:
    def __init__(self, root: Path, image_roots: list[Path]) -> None:
        self.root = root
        self._image_roots = image_roots
        self._image_keys: dict[Path, str] = {}
        for name in ("summary", "manifest", "md", "md_translate", "pdf", "images"):
            (root / name).mkdir(parents=True)

    def add_source(self, files: PaperFiles, path: Path) -> None:
        markdown = self._markdown(files, path, [path.parent])
        files.source = _text_asset(markdown)
        self._write(source_key(files.source.sha256), markdown.encode())

    def add_translation(self, files: PaperFiles, lang: str, path: Path, source: Path | None) -> None:
        """Images are looked for beside the translation, then beside the source."""
        markdown = self._markdown(files, path, [path.parent, *([source.parent] if source else [])])
        asset = files.translations[lang] = _text_asset(markdown)
        self._write(translation_key(lang, asset.sha256), markdown.encode())

    def add_pdf(self, files: PaperFiles, path: Path) -> None:
        with path.open("rb") as stream:
            files.pdf = hashlib.file_digest(stream, "sha256").hexdigest()
        target = self.root / pdf_key(files.pdf)
        if not target.exists():
            shutil.copyfile(path, target)

    def _markdown(self, files: PaperFiles, path: Path, image_folders: list[Path]) -> str:
        """The text with its images stored, and its links pointing to them."""
        if path.stat().st_size > limits.ASSET_BYTES:
            raise AssetError(f"larger than {limits.ASSET_BYTES:,} bytes")
        try:
            markdown = clean_text(path.read_text(encoding="utf-8-sig")) + "\n"
        except UnicodeDecodeError:
            raise AssetError("not UTF-8") from None
        folders = ImageFolders(image_folders, self._image_roots)
        return rewrite_images(markdown, lambda name: self._add_image(files, folders, name))

    def _add_image(self, files: PaperFiles, folders: ImageFolders, name: str) -> str:
        path = folders.find(name)
        if path is None:
            files.images[name] = None
            return name
        if path not in self._image_keys:
            content = path.read_bytes()
            key = image_key(hashlib.sha256(content).hexdigest() + path.suffix.lower())
            self._write(key, content)
            self._image_keys[path] = key
        key = self._image_keys[path]
        files.images[key] = key
        return key

    def _write(self, key: str, content: bytes) -> None:
        target = self.root / key
        if key.count("/") > 1:
            target.parent.mkdir(exist_ok=True)
        target.write_bytes(content)


def _text_asset(markdown: str) -> TextAsset:
    return TextAsset(hashlib.sha256(markdown.encode()).hexdigest(), plain_text(markdown))
