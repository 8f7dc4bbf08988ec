"""Images that a markdown text shows: found beside it, and linked by the hash of their content."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import unquote

from msgspec import Struct

from papercore import limits
from papercore.snapshot.layout import IMAGE_EXTENSIONS

# Captions and attributes are bounded: without an end they would be searched for from every start.
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_INLINE = re.compile(r"(!\[[^\]]{0,1000}\]\(\s*<?)([^)\s<>]+)")
_HTML = re.compile(r"(<img\b[^<>]{0,1000}?\bsrc\s*=\s*[\"'])([^\"']+)", re.IGNORECASE)
_NOT_A_FILE = re.compile(r"[a-z][a-z0-9+.-]*:|//|#", re.IGNORECASE)


class ImageFolders(Struct, frozen=True):
    """The folders in which a text's images are looked for; only files below `roots` are used."""

    folders: Sequence[Path]
    roots: Sequence[Path]

    def find(self, name: str) -> Path | None:
        """The file that a text calls by this name."""
        relative = unquote(name.split("?")[0].split("#")[0])
        return next((path for folder in self.folders if self._is_usable(path := folder / relative)), None)

    def _is_usable(self, path: Path) -> bool:
        if path.suffix.lower() not in IMAGE_EXTENSIONS or "\0" in str(path):
            return False
        real = path.resolve()
        inside = any(real.is_relative_to(root.resolve()) for root in self.roots)
        return inside and real.is_file() and real.stat().st_size <= limits.ASSET_BYTES


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
