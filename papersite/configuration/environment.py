"""Reads settings: each function takes a variable's name, and rejects a value that makes no sense.

A variable of the environment comes first, then the file of settings, then the default.
"""

import os
import re
from collections.abc import Callable
from difflib import get_close_matches
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar
from urllib.parse import SplitResult, urlsplit

from django.core.exceptions import ImproperlyConfigured

from papersite.configuration.files import settings_file

Given = ParamSpec("Given")
Value = TypeVar("Value")

# What has been read so far, by the variable's name: `papersite settings` lists it.
READ: dict[str, object] = {}
ON = ("1", "true", "yes", "on")
OFF = ("0", "false", "no", "off")
# More than any setting needs, and less than int() refuses to read.
NUMBER_DIGITS = 9
# As Django's own check of deployments wants it.
SECRET_KEY_CHARS = 50
SECRET_KEY_DIFFERENT_CHARS = 5
NAMED_FOLDER = re.compile(r"[A-Za-z0-9_.-]+=")
INSTALLED_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
HOST = re.compile(r"\*|\.?[\w.-]+|\[[0-9A-Fa-f:.]+\]")


def recorded(
    read: Callable[Concatenate[str, Given], Value],
) -> Callable[Concatenate[str, Given], Value]:
    """Keep what a reader made of a variable."""

    @wraps(read)
    def record(name: str, /, *args: Given.args, **kwargs: Given.kwargs) -> Value:
        READ[name] = value = read(name, *args, **kwargs)
        return value

    return record


def source_of(name: str) -> str:
    """Where a setting comes from: the environment, the file of settings, or nowhere."""
    if os.environ.get(name, "").strip():
        return "environment"
    file = settings_file()
    return str(file.path) if file.values.get(name, "").strip() else "default"


def refuse_unknown_settings() -> None:
    """A mistyped name in the file would otherwise be a setting without effect. Called when all others are read."""
    file = settings_file()
    # A cluster's settings are read only where one is used, and --data needs no file.
    known = {*READ, *(name for name in file.values if name.startswith("PAPERSITE_OPENSEARCH_"))}
    for name in file.values:
        if name not in known:
            (near,) = get_close_matches(name, known, 1) or [""]
            hint = f" Did you mean {near.removeprefix('PAPERSITE_').lower()}?" if near else ""
            key = name.removeprefix("PAPERSITE_").lower()
            raise ImproperlyConfigured(f"{file.path}: there is no setting {key!r}.{hint}")


@recorded
def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or settings_file().values.get(name, "").strip() or default


def config_file() -> str:
    """The path of the file of settings in use; empty if there is none."""
    return str(settings_file().path or "")


@recorded
def flag(name: str, default: bool = False) -> bool:
    value = text(name).lower()
    if value not in ("", *ON, *OFF):
        raise ImproperlyConfigured(f"{name} must be on or off, not {value!r}.")
    return value in ON if value else default


@recorded
def number(name: str, default: int) -> int:
    value = text(name, str(default))
    if not (value.isascii() and value.isdigit() and len(value) <= NUMBER_DIGITS):
        raise ImproperlyConfigured(f"{name} must be a whole number below a billion, not {value[:40]!r}.")
    return int(value)


@recorded
def words(name: str, default: str = "") -> list[str]:
    return [word for part in text(name, default).split(",") if (word := part.strip())]


@recorded
def patterns(name: str) -> list[str]:
    """Texts with `{name}` where a name stands in them."""
    found = words(name)
    for pattern in found:
        if pattern.count("{name}") != 1 or not pattern.replace("{name}", "").strip():
            raise ImproperlyConfigured(f"{name} must have {{name}} once in each pattern, beside a text: {pattern!r}.")
    return found


@recorded
def choice(name: str, choices: tuple[str, ...]) -> str:
    """One of the choices; the first is the default."""
    value = text(name, choices[0])
    if value not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {value!r}.")
    return value


@recorded
def path(name: str, default: Path) -> Path:
    value = text(name)
    return _absolute(name, value) if value else default


def _absolute(name: str, value: str) -> Path:
    try:
        if value and "://" not in value:
            return _base(name) / Path(value).expanduser()
    except RuntimeError:  # ~somebody, whom the system does not know
        pass
    raise ImproperlyConfigured(f"{name} must be a path, not {value!r}.")


def _base(name: str) -> Path:
    """What a relative path counts from: the folder of the file that gives it, or the one that the command runs in."""
    file = settings_file()
    from_file = not os.environ.get(name, "").strip() and name in file.values and file.path
    return file.path.parent if from_file and file.path else Path.cwd()


@recorded
def optional_path(name: str) -> str:
    value = text(name)
    return str(_absolute(name, value)) if value else ""


def installed_or_path(name: str, installed: Path, shipped: Path | None = None) -> str:
    """A path, or the name of a folder among the installed ones, unless it is `off`.

    Without one the last that was installed, or else what was shipped with the program.
    """
    value = text(name)
    if value.lower() in OFF:
        return ""
    if not value:
        if find_spec("onnxruntime") is None:  # nobody named a model: the site starts without what would run it
            return ""
        for folder in (installed, shipped) if shipped else (installed,):
            models = [path for path in folder.glob("[!.]*") if (path / "tokenizer.json").is_file()]
            if models:
                return str(max(models, key=lambda path: path.stat().st_mtime_ns))
        return ""
    if INSTALLED_NAME.fullmatch(value) and not Path(value).exists():
        return str(installed / value)
    return optional_path(name)


def require_package(package: str, extra: str, name: str) -> None:
    """Fail if a setting needs a package that is installed with an extra alone."""
    if find_spec(package) is None:
        raise ImproperlyConfigured(f"{name} needs the package {package}: pip install 'papersite[{extra}]'.")


@recorded
def data_folder(name: str, default: Path) -> Path:
    """A folder, which is made if it can be: every command may be the first."""
    folder = path(name, default)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise ImproperlyConfigured(f"{name} must be a folder, and {folder} is none.") from None
    except OSError:
        pass  # what only reads works without it; a check reports it
    return folder


@recorded
def folders(name: str, default: Path | None) -> str:
    """A folder, or several as `name=folder,name=folder`, with absolute paths; empty if switched off."""
    value = text(name, str(default or "off"))
    if value.lower() in OFF:
        return ""
    if not NAMED_FOLDER.match(value):
        return str(_absolute(name, value))
    parts = [part.strip().partition("=") for part in value.split(",") if part.strip()]
    return ",".join(f"{label.strip()}={_absolute(name, folder.strip())}" for label, _, folder in parts)


@recorded
def hosts(name: str, default: str) -> list[str]:
    found = words(name, default)
    for host in found:
        if not HOST.fullmatch(host):
            raise ImproperlyConfigured(f"{name}: {host!r} is not a host name such as papers.example.org.")
    return found


@recorded
def secret_key(name: str, debug: bool) -> str:
    """The key, or nothing if none is given. One that can be guessed is refused, except for debugging."""
    value = text(name)
    weak = len(value) < SECRET_KEY_CHARS or len(set(value)) < SECRET_KEY_DIFFERENT_CHARS
    if value and weak and not debug:
        raise ImproperlyConfigured(
            f"{name} is too short to be safe: set it to {SECRET_KEY_CHARS} or more random characters, as made by"
            ' python -c "import secrets; print(secrets.token_urlsafe(50))".'
        )
    return value


def _split_url(name: str, value: str) -> SplitResult:
    try:
        parts = urlsplit(value)
        _ = parts.port  # read here, because reading a bad one raises
    except ValueError as error:
        raise ImproperlyConfigured(f"{name}: {value!r} is not a URL ({error}).") from None
    return parts


@recorded
def folder_or_url(name: str, default: Path) -> str:
    """A folder's absolute path, or an http(s) base URL without a trailing slash."""
    value = text(name)
    if "://" not in value:
        return str(path(name, default))
    parts = _split_url(name, value)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ImproperlyConfigured(f"{name} must be a folder or a plain http(s) URL, not {value!r}.")
    return value.rstrip("/")


@recorded
def origins(name: str) -> list[str]:
    """Exact origins; `http://host:*` means any port of that host, `null` opaque origins."""
    values = words(name)
    for value in values:
        parts = _split_url(name, value.removesuffix(":*"))
        plain = (
            parts.scheme in ("http", "https") and parts.hostname and not (parts.path or parts.query or parts.username)
        )
        if value != "null" and not plain:
            raise ImproperlyConfigured(
                f"{name}: {value!r} is not an origin such as https://example.org or http://localhost:*."
            )
    return values
