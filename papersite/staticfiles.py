"""Static files: hashed and compressed by `collectstatic`, plain before it; some come from installed packages."""

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import brotli
from django.contrib.staticfiles.finders import BaseFinder
from django.core.checks import CheckMessage
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import FileSystemStorage, Storage
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Files that the site serves from the package that ships them: name, package, file.
PACKAGE_FILES = (
    ("papersite/fonts/STIXTwoMath-Regular.ttf", "ziamath", "fonts/STIXTwoMath-Regular.ttf"),
    ("papersite/mermaid.js", "mermaidx", "assets/mermaid.js"),
)


class SiteCompressor(Compressor):  # type: ignore[misc]  # the package has no types
    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        # Quality 11 takes 13 s for the diagram script and the font, 9 takes 0.6 s and gives 8 % more bytes.
        return bytes(brotli.compress(data, quality=9))


class SiteStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # the package has no types
    """Hashed names where `collectstatic` has run; plain ones elsewhere (tests, runserver)."""

    def create_compressor(self, **options: object) -> SiteCompressor:
        return SiteCompressor(**options)

    def stored_name(self, name: str) -> str:
        return str(super().stored_name(name)) if self.hashed_files else name


class PackageFile(FileSystemStorage):
    """A storage that holds one file, under its name on the site."""

    def __init__(self, name: str, source: Path) -> None:
        super().__init__(location=str(source.parent))
        self.name, self.source = name, source

    def path(self, name: str) -> str:
        return str(self.source)


Checks = list[CheckMessage]  # inside a finder, `list` is a method


class PackageFinder(BaseFinder):
    """Finds PACKAGE_FILES."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        self.files = {name: _path_in_package(package, file) for name, package, file in PACKAGE_FILES}

    def find(self, path: str, find_all: bool = False) -> Any:  # a string or a list of them, as in Django
        found = [str(self.files[path])] if path in self.files else []
        return found if find_all else "".join(found)

    def check(self, **options: object) -> Checks:
        return []

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        for name, source in self.files.items():
            yield name, PackageFile(name, source)


def _path_in_package(package: str, file: str) -> Path:
    # find_spec, because importing these packages takes half a second.
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ImproperlyConfigured(f"The package {package} is not installed: pip install -r requirements.txt")
    return Path(spec.origin).parent / file
