"""What a data folder is prepared from. Needs the settings but no apps: a start with nothing to do is quick."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from papersite import places
from specs.reading.files import find_specs, projects

# Spec files that are looked at for changes when the site starts; a look at one takes microseconds.
SPECS_LOOKED_AT = 20_000


def inputs_fingerprint() -> str:
    """Changes with whatever the data folder is prepared from: program, settings, library, specs."""
    digest = hashlib.sha256()
    for name, value in sorted(os.environ.items()):
        if name.startswith("PAPERSITE_") and name != "PAPERSITE_SECRET_KEY":
            digest.update(f"{name}={value}\0".encode())
    for path in _input_files():
        try:
            status = path.stat()
        except OSError:
            continue
        digest.update(f"{path}\0{status.st_mtime_ns}\0{status.st_size}\0".encode())
    return digest.hexdigest()


def _input_files() -> Iterator[Path]:
    yield from (Path(settings.SNAPSHOT), Path(settings.CONFIG or places.PACKAGE))
    for package in settings.PACKAGES:
        yield from sorted((settings.BASE_DIR / package).rglob("*.py"))
    yield from sorted((places.PACKAGE / "static").rglob("*"))
    specs = [file.path for project in projects() for folder in project.spec_folders for file in find_specs(folder)]
    yield from specs[:SPECS_LOOKED_AT]
