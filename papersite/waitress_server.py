"""Serves the site with waitress: for one person, on platforms where gunicorn does not run."""

import waitress

from papercore import limits
from papersite.announcement import announce

_THREADS = 16


def serve(address: str) -> None:
    """Serve on HOST:PORT until the process is ended. One process: nothing is shared, and nothing is forked."""
    from papersite.wsgi import application

    server = waitress.create_server(
        application,
        listen=address,
        threads=_THREADS,
        max_request_body_size=limits.UPLOAD_BYTES,
        ident="papersite",
    )
    announce(f"http://{address}")
    server.run()
