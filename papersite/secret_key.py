"""The secret key of a site that was given none: made once, and kept in the data folder."""

import os
import secrets
from pathlib import Path


def stored_secret_key(path: Path) -> str:
    """The key in the file, which only its owner can read."""
    if not path.exists():
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(secrets.token_urlsafe(50))
    return path.read_text(encoding="utf-8").strip()
