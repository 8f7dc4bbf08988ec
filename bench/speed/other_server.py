"""Another MCP server over HTTP, asked for papers as an agent would."""

import http.client
import json
from urllib.parse import urlsplit

from bench.speed.mcp import McpRequest

VERSION = "2025-03-26"
CLIENT = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


class OtherServer:
    """Initialized once, then asked on one connection."""

    def __init__(self, url: str, pid: int = 0) -> None:
        self.pid = pid
        address = urlsplit(url)
        if address.scheme != "http" or not address.hostname:
            raise SystemExit(f"{url} is no address of an MCP server such as http://127.0.0.1:9000/mcp.")
        self.name = address.netloc
        self._path = address.path or "/"
        self._connection = http.client.HTTPConnection(address.hostname, address.port or 80, timeout=60)
        self._session: dict[str, str] = {}

    def initialize(self) -> None:
        """Right before it is asked: servers close connections that are idle."""
        self._send(McpRequest("initialize", "legacy", "initialize", dict(CLIENT)))

    def search(self, query: str) -> None:
        arguments = {"query": query, "limit": 10}
        call: dict[str, object] = {"name": "search_papers", "arguments": arguments}
        answer = self._send(McpRequest("search", "legacy", "tools/call", call))
        if "result" not in answer or answer["result"].get("isError"):
            raise SystemExit(f"{self.name} does not answer search_papers: {str(answer)[:300]}")

    def _send(self, request: McpRequest) -> dict[str, dict[str, object]]:
        headers = {**request.headers(), "MCP-Protocol-Version": VERSION, **self._session}
        self._connection.request("POST", self._path, request.body(), headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        if answer.status != 200:
            raise SystemExit(f"{self.name} answers {request.method} with {answer.status}: {text[:300]}")
        if session := answer.headers.get("Mcp-Session-Id"):
            self._session = {"Mcp-Session-Id": session}
        return message_of(text)


def message_of(text: str) -> dict[str, dict[str, object]]:
    """The message in an answer: JSON, or the last event of a stream."""
    events = [line.removeprefix("data:") for line in text.splitlines() if line.startswith("data:")]
    message: dict[str, dict[str, object]] = json.loads(events[-1] if events else text)
    return message
