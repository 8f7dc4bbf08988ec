"""Gunicorn's log without access lines, which it would make for each request and drop: the site logs its own."""

from gunicorn.glogging import Logger


class ServerLog(Logger):  # type: ignore[misc]  # gunicorn has no types
    def access(self, resp: object, req: object, environ: object, request_time: object) -> None:
        """Nothing: see papersite.middleware.RequestLogMiddleware."""
