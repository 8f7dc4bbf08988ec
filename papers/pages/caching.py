"""ETags for pages made from the snapshot: an unchanged page is not sent again."""

import hashlib
from collections.abc import Callable, Iterator
from functools import cache, wraps
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import condition

from papers.search import index
from papers.snapshot import served

_COOKIES = ("theme", "basket", "csrftoken")
_CODE_SUFFIXES = (".py", ".html", ".svg", ".xml", ".txt", ".css", ".js", ".json")

View = Callable[..., HttpResponse]
# What pages show beside the snapshot, as texts that change with it; other apps add theirs.
other_contents: list[Callable[[HttpRequest], str]] = []


def snapshot_page(view: View) -> View:
    """Answer 304 if the browser has the page for this snapshot, this code and these cookies."""
    checked = condition(etag_func=_etag)(view)

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:  # Any: whatever the address holds
        response: HttpResponse = checked(request, *args, **kwargs)
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Cookie", "HX-Request"])
        return response

    return page


def _etag(request: HttpRequest, *args: object, **kwargs: object) -> str | None:
    if served.served_file().served_damaged:
        return None  # what is shown now must not be kept until the file is repaired
    parts = [
        served.facts().build_id,
        str(_manifest()),
        code_version(),
        request.get_full_path(),
        request.headers.get("HX-Request", ""),
    ]
    parts += [request.headers.get("Accept", "").partition(",")[0], request.get_host()]
    parts += [request.COOKIES.get(name, "") for name in (*_COOKIES, settings.SESSION_COOKIE_NAME)]
    parts += [content(request) for content in other_contents]
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return f'"{digest[:32]}"'


def _manifest() -> object:
    """What identifies the index: one that is built later changes the pages."""
    used = index.current()
    return used.manifest if used else None


@cache
def code_version() -> str:
    """Changes whenever a file of the code or a template does, or an installed package; alike on every machine."""
    digest = hashlib.sha256()
    root = Path(settings.BASE_DIR)
    for path in sorted(_code_files(root)):
        digest.update(f"{path.relative_to(root).as_posix()}\0".encode() + path.read_bytes())
    packages = sorted(f"{package.name} {package.version}" for package in distributions())
    digest.update("\0".join(packages).encode())
    return digest.hexdigest()


def _code_files(root: Path) -> Iterator[Path]:
    """Every file of our packages and the templates: what a page depends on cannot be forgotten here."""
    folders = (root / name for name in (*settings.PACKAGES, "templates"))  # installed, templates are in a package
    return (path for folder in folders for path in folder.rglob("*") if path.suffix in _CODE_SUFFIXES)
