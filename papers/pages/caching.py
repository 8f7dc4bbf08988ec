"""ETags for pages made from the snapshot: an unchanged page is not sent again."""

import hashlib
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import condition

from papers.search import index
from papers.snapshot import served

_COOKIES = ("theme", "basket", "csrftoken")
_CODE = ("templates", "papers", "papersite", "papercore/rendering")

View = Callable[..., HttpResponse]


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


def _etag(request: HttpRequest, *args: object, **kwargs: object) -> str:
    parts = [
        served.facts().build_id,
        str(_manifest()),
        code_version(),
        request.get_full_path(),
        request.headers.get("HX-Request", ""),
    ]
    parts += [request.headers.get("Accept", "").partition(",")[0], request.get_host()]
    parts += [request.COOKIES.get(name, "") for name in _COOKIES]
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return f'"{digest[:32]}"'


def _manifest() -> object:
    """What identifies the index: one that is built later changes the pages."""
    used = index.current()
    return used.manifest if used else None


@cache
def code_version() -> str:
    """Changes whenever the code or a template does; the same in all processes of a machine."""
    root = Path(settings.BASE_DIR)
    files = (path for folder in _CODE for path in (root / folder).rglob("*") if path.suffix in (".py", ".html", ".css"))
    return str(max(path.stat().st_mtime_ns for path in files))
