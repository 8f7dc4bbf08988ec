"""A local HTTP server that answers as it is told, for sources and language models."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit


@dataclass
class Answer:
    body: object = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    # Not answered before the server closes.
    hang: bool = False
    # Sent a byte at a time, this many seconds apart.
    drip_seconds: float = 0

    def data(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else json.dumps(self.body).encode()


@dataclass
class Asked:
    path: str
    params: dict[str, str]
    headers: dict[str, str]
    body: str


@dataclass
class Service:
    """Gives its answers in order, the last one again and again."""

    answers: list[Answer]
    asked: list[Asked] = field(default_factory=list)
    address: str = ""
    closing: threading.Event = field(default_factory=threading.Event)

    def next(self) -> Answer:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@contextmanager
def serving(*answers: Answer) -> Iterator[Service]:
    service = Service(list(answers))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            parts = urlsplit(self.path)
            service.asked.append(
                Asked(
                    parts.path,
                    dict(parse_qsl(parts.query)),
                    {name.lower(): value for name, value in self.headers.items()},
                    self.rfile.read(length).decode(),
                )
            )
            answer = service.next()
            if answer.hang:
                service.closing.wait(30)
                return
            data = answer.data()
            self.send_response(answer.status)
            for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if not answer.drip_seconds:
                self.wfile.write(data)
                return
            for place in range(len(data)):
                if service.closing.wait(answer.drip_seconds):
                    return
                try:
                    self.wfile.write(data[place : place + 1])
                except OSError:  # the client has had enough
                    return

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class's name)
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    service.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield service
    finally:
        service.closing.set()
        server.shutdown()
        server.server_close()
        thread.join(5)
