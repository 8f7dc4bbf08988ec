"""A WSGI application that does nothing, to measure what gunicorn itself costs."""

from collections.abc import Callable, Iterable

_BODY = b"{}"
StartResponse = Callable[[str, list[tuple[str, str]]], object]


def application(environ: dict[str, object], start_response: StartResponse) -> Iterable[bytes]:
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(_BODY)))])
    return [_BODY]
