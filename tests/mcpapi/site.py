"""Real HTTP to a running site: raw requests, and well-formed ones of either era."""

import http.client
import json
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any  # JSON as it comes: the tests look into it freely

from mcp.shared.inbound import NAME_BEARING_METHODS, encode_header_value

MODERN = "2026-07-28"
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"

Headers = Iterable[tuple[str, str]]


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> Any:
        return self.json["error"]["code"]

    @property
    def result(self) -> Any:
        return self.json["result"]


@dataclass(frozen=True)
class Site:
    """A server that listens on 127.0.0.1."""

    port: int
    path: str = "/mcp"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.path}"

    def at(self, path: str) -> "Site":
        return Site(self.port, path)

    def send(self, verb: str, body: bytes | None = None, headers: Headers = ()) -> Answer:
        """Send exactly these headers, repeated ones too; Host and Content-Length are added where absent."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        names = {name.lower() for name, _ in headers}
        try:
            connection.putrequest(verb, self.path, skip_host="host" in names, skip_accept_encoding=True)
            for name, value in headers:
                connection.putheader(name, value)
            if body is not None and "content-length" not in names:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            # Nothing follows: a server that waits for the rest of a promised body need not.
            connection.sock.shutdown(socket.SHUT_WR)
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def post(self, message: object, *headers: tuple[str, str]) -> Answer:
        """A JSON body with its content type; bytes go as they are."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        return self.send("POST", body, [("Content-Type", "application/json"), *headers])

    def legacy(self, method: str, params: object = None, version: str = "2025-11-25") -> Answer:
        return self.post(request(method, params), ("MCP-Protocol-Version", version))

    def modern(self, method: str, params: dict[str, object] | None = None, **drop: str | None) -> Answer:
        """A well-formed request of 2026-07-28; the keyword arguments replace or drop a header."""
        params = {**(params or {}), "_meta": {VERSION_KEY: MODERN, CAPABILITIES_KEY: {}}}
        name = params.get(NAME_BEARING_METHODS.get(method, ""))
        headers = {
            "MCP-Protocol-Version": drop.get("version", MODERN),
            "Mcp-Method": drop.get("method_header", method),
            "Mcp-Name": drop.get("name_header", encode_header_value(str(name)) if name else None),
        }
        sent = [(key, value) for key, value in headers.items() if value is not None]
        return self.post(request(method, params), *sent)


def request(method: str, params: object = None, id_: object = 1) -> dict[str, object]:
    body: dict[str, object] = {"jsonrpc": "2.0", "id": id_, "method": method}
    return body if params is None else {**body, "params": params}


def initialize(version: str = "2025-11-25") -> dict[str, object]:
    client = {"name": "test", "version": "1"}
    return request("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": client})
