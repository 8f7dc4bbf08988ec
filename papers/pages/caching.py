"""ETags for pages made from the snapshot: an unchanged page is neither written nor sent again."""

import hashlib
import sys
from collections.abc import Callable, Iterator
from functools import cache, wraps
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.module_loading import import_string
from msgspec.structs import replace

from papers.snapshot import served

_CODE_SUFFIXES = (".py", ".html", ".svg", ".xml", ".txt", ".css", ".js", ".json")

View = Callable[..., HttpResponse]


def snapshot_page(view: View) -> View:
    """Answer 304 if the browser has the page for this snapshot, this code and this reader."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:  # Any: whatever the address holds
        etag = None if served.served_file().served_damaged else _etag(request)
        response = get_conditional_response(request, etag=etag) if etag else None
        response = response or view(request, *args, **kwargs)
        if etag:
            response.headers.setdefault("ETag", etag)
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Cookie", "HX-Request"])
        return response

    return page


def _etag(request: HttpRequest) -> str:
    used = served.current_index()
    parts = [
        served.facts().build_id,
        # An index that is built later changes the pages.
        str(replace(used.manifest, files=())) if used else "",
        code_version(),
        request.get_full_path(),
        request.headers.get("HX-Request", ""),
        request.headers.get("Accept", "").partition(",")[0],
        f"{request.scheme}://{request.get_host()}",
        *(request.COOKIES.get(name, "") for name in ("theme", "basket", "csrftoken", settings.SESSION_COOKIE_NAME)),
        # What the site shows around a page or in it that is not of the library.
        import_string(settings.PAGE_SURROUNDINGS)(request),
    ]
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return f'"{digest[:32]}"'


@cache
def code_version() -> str:
    """Changes whenever a file of the code or a template does, or an installed package; alike on every machine."""
    digest = hashlib.sha256()
    root = Path(settings.BASE_DIR)
    for path in sorted(_code_files(root)):
        digest.update(f"{path.relative_to(root).as_posix()}\0".encode() + path.read_bytes())
    # Named by package and version. Reading what is inside would take the first reader of a worker 0.1 s.
    packages = sorted({path.name for folder in sys.path for path in Path(folder).glob("*.dist-info")})
    digest.update("\0".join(packages).encode())
    return digest.hexdigest()


def _code_files(root: Path) -> Iterator[Path]:
    """Every file of our packages and the templates: what a page depends on cannot be forgotten here."""
    folders = (root / name for name in (*settings.PACKAGES, "templates"))  # installed, templates are in a package
    return (path for folder in folders for path in folder.rglob("*") if path.suffix in _CODE_SUFFIXES)
