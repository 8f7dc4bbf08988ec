"""Where the program's own files are: beside the packages in a checkout, inside this package when installed."""

from pathlib import Path

import platformdirs

PACKAGE = Path(__file__).resolve().parent.parent
CHECKOUT = PACKAGE.parent if (PACKAGE.parent / "manage.py").is_file() else None


def own_path(name: str) -> Path:
    """A file or folder that the build maps into the package: `templates`, `openspec`, `gunicorn.conf.py`."""
    return (CHECKOUT or PACKAGE) / name


def default_data_folder() -> Path:
    """`var/` in a checkout; elsewhere the folder that the platform has for a user's programs."""
    return CHECKOUT / "var" if CHECKOUT else platformdirs.user_data_path("papersite", appauthor=False)
