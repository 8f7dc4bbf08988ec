"""Where the program's own files are, and the file of settings, `papersite.toml`.

Each key in that file is the name of a variable without PAPERSITE_, in small letters.
"""

import os
import tomllib
from functools import lru_cache
from pathlib import Path

import platformdirs
from django.core.exceptions import ImproperlyConfigured
from msgspec import Struct, field

# papersite.toml; one with every setting has 3 KB.
SETTINGS_FILE_BYTES = 100_000
# In a checkout they lie beside the packages, when installed inside this one.
PACKAGE = Path(__file__).resolve().parent.parent
CHECKOUT = PACKAGE.parent if (PACKAGE.parent / "manage.py").is_file() else None
NAME = "papersite.toml"
VARIABLE = "PAPERSITE_CONFIG"
PREFIX = "PAPERSITE_"


def own_path(name: str) -> Path:
    """A file or folder that the build maps into the package: `templates`, `openspec`, `gunicorn.conf.py`."""
    return (CHECKOUT or PACKAGE) / name


def let_children_import() -> None:
    """Processes that this one starts find the packages, too: a checkout is on no import path but its own folder's."""
    known = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if CHECKOUT and str(CHECKOUT) not in known:
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(CHECKOUT), *known)))


def default_data_folder() -> Path:
    """`var/` in a checkout; elsewhere the folder that the platform has for a user's programs."""
    return CHECKOUT / "var" if CHECKOUT else platformdirs.user_data_path("papersite", appauthor=False)


class SettingsFile(Struct, frozen=True):
    """The values of the file as the environment would give them, by the names of their variables."""

    path: Path | None = None
    values: dict[str, str] = field(default_factory=dict)


def settings_file() -> SettingsFile:
    """The file that PAPERSITE_CONFIG names, or the one in the data folder; nothing if there is none."""
    named = os.environ.get(VARIABLE, "").strip()
    if named:
        return _read(Path(named).expanduser().absolute())
    data = os.environ.get("PAPERSITE_DATA", "").strip()
    path = (Path(data).expanduser().absolute() if data else default_data_folder()) / NAME
    return _read(path) if path.is_file() else SettingsFile()


@lru_cache(maxsize=4)
def _read(path: Path) -> SettingsFile:
    try:
        with path.open("rb") as file:
            text = file.read(SETTINGS_FILE_BYTES + 1)
    except OSError as error:
        raise ImproperlyConfigured(f"The settings in {path} cannot be read: {error.strerror}.") from None
    if len(text) > SETTINGS_FILE_BYTES:
        raise ImproperlyConfigured(f"{path} is no file of settings: it is larger than 100 KB.")
    try:
        table = tomllib.loads(text.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ImproperlyConfigured(f"{path} is not TOML: {error}.") from None
    values = {}
    for key, value in table.items():
        if isinstance(value, dict) and key != "specs":
            for inner, part in value.items():
                values[_variable(f"{key}_{inner}")] = _text(path, f"{key}.{inner}", part)
        else:
            values[_variable(key)] = _text(path, key, value)
    return SettingsFile(path, values)


def _variable(key: str) -> str:
    return PREFIX + key.replace("-", "_").upper()


def _text(path: Path, key: str, value: object) -> str:
    """A value as the environment would give it: `on`, `8000`, `a,b` or `name=folder,name=folder`."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return ",".join(value)
    if isinstance(value, dict) and all(isinstance(part, str) for part in value.values()):
        return ",".join(f"{name}={part}" for name, part in value.items())
    raise ImproperlyConfigured(f"{path}: {key} must be a text, a number, true or false, or a list of texts.")
