"""Images that a markdown text shows: found beside it, and pointed to by their content's hash."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from papercore.snapshot_layout import IMAGE_EXTENSIONS

# A figure, even a scanned page, stays below; more is a mistake.
IMAGE_BYTES = 20_000_000

# Captions and attributes are bounded: without an end they would be searched for from every start.
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_INLINE = re.compile(r"(!\[[^\]]{0,1000}\]\(\s*<?)([^)\s<>]+)")
_HTML = re.compile(r"(<img\b[^<>]{0,1000}?\bsrc\s*=\s*[\"'])([^\"']+)", re.IGNORECASE)
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//|#", re.IGNORECASE)


@dataclass(frozen=True)
class Image:
    """An image as the text names it; `path` is None when there is no such file."""

    name: str
    path: Path | None


@dataclass(frozen=True)
class ImageFolders:
    """Where a text's images may lie: beside it, or in another folder; never outside of `roots`."""

    beside: Sequence[Path]
    roots: Sequence[Path]

    def find(self, name: str) -> Image:
        for folder in self.beside:
            path = folder / unquote(name.split("?")[0].split("#")[0])
            if self._allowed(path):
                return Image(name, path)
        return Image(name, None)

    def _allowed(self, path: Path) -> bool:
        if path.suffix.lower() not in IMAGE_EXTENSIONS or "\0" in str(path):
            return False
        real = path.resolve()
        inside = any(real.is_relative_to(root.resolve()) for root in self.roots)
        return inside and real.is_file() and real.stat().st_size <= IMAGE_BYTES


def rewrite_images(markdown: str, replace: Callable[[str], str]) -> str:
    """The text with each local image's target replaced; code blocks and remote images stay as they are."""
    lines, fence = [], ""
    for line in markdown.split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and line.strip() == mark[1]:
            fence = ""
        lines.append(line if fence or mark else _rewrite_line(line, replace))
    return "\n".join(lines)


def _rewrite_line(line: str, replace: Callable[[str], str]) -> str:
    def replaced(match: re.Match[str]) -> str:
        target = match[2]
        return match[1] + (target if _ELSEWHERE.match(target) else replace(target))

    return _HTML.sub(replaced, _INLINE.sub(replaced, line))
