"""Hostile clients in one process: calls that wait under invented tokens, bytes one at a time, idle keep-alives."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from papercore import limits
from tests.server import rpc

CONNECTIONS = 1_000
# They share a few addresses, which nobody else uses.
ADDRESSES = [f"127.0.9.{number}" for number in range(1, 6)]
# Before a call that was answered is made again: asking at once would be a flood, which is for the proxy to stop.
ASK_AGAIN_SECONDS = 5.0
# Between two bytes, and before a connection that was closed or refused is opened again.
PAUSE_SECONDS = 1.0
ANSWER_BYTES = 65_536


@dataclass
class HostileClients:
    """Keeps CONNECTIONS connections open, a third of each kind, and opens again what the server closes."""

    port: int
    session_id: str
    open_now: int = 0
    open_each_second: list[int] = field(default_factory=list)

    async def run(self, seconds: int) -> None:
        kinds = [self.wait_for_work, self.drip, self.idle]
        tasks = [asyncio.create_task(self.reconnect(number, kinds[number % 3])) for number in range(CONNECTIONS)]
        for _ in range(seconds):
            await asyncio.sleep(1)
            self.open_each_second.append(self.open_now)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def reconnect(
        self, number: int, act: Callable[[int, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
    ) -> None:
        source = (ADDRESSES[number % len(ADDRESSES)], 0)
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=source)
                self.open_now += 1
                try:
                    await act(number, reader, writer)
                finally:
                    self.open_now -= 1
                    writer.close()
            await asyncio.sleep(PAUSE_SECONDS)

    async def wait_for_work(self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Nobody does it, so each call that is let in waits for as long as a call may."""
        arguments = {"session_id": self.session_id, "wait_seconds": limits.SESSION_WAIT_SECONDS}
        body = json.dumps(rpc("tools/call", {"name": "get_session", "arguments": arguments})).encode()
        head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        head += f"Authorization: Bearer papersite_invented-{number}\r\nContent-Length: {len(body)}\r\n\r\n"
        while not writer.is_closing():
            writer.write(head.encode() + body)
            if not await reader.read(ANSWER_BYTES):
                return
            await asyncio.sleep(ASK_AGAIN_SECONDS)

    async def drip(self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Send a header a byte at a time, until the server closes the connection."""
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Filler: ")
        while not reader.at_eof():
            writer.write(b"x")
            with suppress(TimeoutError):
                async with asyncio.timeout(PAUSE_SECONDS):
                    await reader.read(ANSWER_BYTES)

    async def idle(self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Ask once, then keep the connection for as long as the server does."""
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while await reader.read(ANSWER_BYTES):
            pass


def main() -> None:
    """Print how many connections were open, second by second, when the time is up."""
    port, session_id, seconds = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    clients = HostileClients(port, session_id)
    asyncio.run(clients.run(seconds))
    print(*clients.open_each_second)


if __name__ == "__main__":
    main()
