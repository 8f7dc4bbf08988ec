"""1,000 connections that send requests of every generated shape, and honest clients beside them.

python -m bench.faults.request_shapes [SECONDS]
"""

import asyncio
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import httpx

from papercore.snapshot.file import write_checksum
from tests import snapshot as sample
from tests.papersite.server.test_request_lengths import generated
from tests.server import SiteServer, manage

CONNECTIONS = 1_000
HONEST = 8
SECONDS = 60
# Before: so many clients that each worker has started its threads, and read what it keeps.
WARM_UP_SECONDS, WARM_UP_CLIENTS = 15, 200
MEMORY_SECONDS = 60
# Counted as complete by an earlier version, which then waited for a body in a thread.
WAITED_FOR = [
    b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + b"9" * 19 + b"\r\n\r\n",
    b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + b"F" * 17 + b"\r\n",
    b"POST /library/add/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 30000000\r\n\r\n" + b"x" * 100_000,
]


async def attack(port: int, number: int, until: float) -> None:
    """Send a shape, keep the connection until the server closes it, and come again."""
    random = Random(number)
    while time.monotonic() < until:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(random.choice(WAITED_FOR) if number % 2 else generated(random))
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.1, until - time.monotonic())):
                    while await reader.read(65_536):
                        pass
            writer.close()
        await asyncio.sleep(1)


async def ask(address: str, until: float, seconds: list[float], failures: list[str]) -> None:
    async with httpx.AsyncClient(trust_env=False, timeout=20) as client:
        while time.monotonic() < until:
            began = time.monotonic()
            try:
                (await client.get(f"{address}/papers/?q=attention")).raise_for_status()
                seconds.append(time.monotonic() - began)
            except httpx.HTTPError as error:
                failures.append(repr(error))
            await asyncio.sleep(0.2)


@dataclass(frozen=True)
class Served:
    """What honest clients got."""

    asked: int
    answered: float
    p95: float


async def measure(server: SiteServer, duration: int, connections: int, honest: int = HONEST) -> Served:
    until = time.monotonic() + duration
    seconds: list[float] = []
    failures: list[str] = []
    attacks = [attack(server.port, number, until) for number in range(connections)]
    await asyncio.gather(*attacks, *(ask(server.address, until, seconds, failures) for _ in range(honest)))
    asked = len(seconds) + len(failures)
    p95 = sorted(seconds)[int(len(seconds) * 0.95)] if seconds else float("inf")
    return Served(asked, len(seconds) / max(1, asked), p95)


def main() -> None:
    duration = int(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    with TemporaryDirectory() as folder:
        data = Path(folder)
        write_checksum(sample.build(data / "demo"))
        manage(data, "migrate")
        manage(data, "build_index")
        server = SiteServer(data)
        try:
            server.wait_until_up()
            asyncio.run(measure(server, WARM_UP_SECONDS, 0, WARM_UP_CLIENTS))
            workers, before = server.workers(), server.memory()
            served = asyncio.run(measure(server, duration, CONNECTIONS))
            print(f"honest requests {served.asked:,}, answered {served.answered:.2%}, p95 {served.p95 * 1000:.0f} ms")
            print(f"memory {before / 1e6:.0f} MB before, {server.memory() / 1e6:.0f} MB at the end", end="")
            time.sleep(MEMORY_SECONDS)
            print(f", {server.memory() / 1e6:.0f} MB a minute later")
            print(f"workers lost {len(set(workers) - set(server.workers()))}")
        finally:
            server.close()


if __name__ == "__main__":
    main()
