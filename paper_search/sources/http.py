"""The layer under all network sources: retries, budget, and every failure in a few words."""

import asyncio
import json
import logging
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime

import httpx
from msgspec import Struct

from paper_search.config import KNOWN_SOURCES, AppConfig, SearchSourceConfig
from paper_search.sources.interface import SourceError, UnknownToSource
from paper_search.sources.throttle import Sleep, Throttle, shared_throttle
from papercore.version import VERSION

MAX_ATTEMPTS = 3
FIRST_RETRY_SECONDS = 1.0
# A service that asks for a longer pause than this is reported instead of waited for.
LONGEST_PAUSE_SECONDS = 10.0
# Larger responses are a mistake; a page of a hundred papers with abstracts is well below 2 MB.
MAX_RESPONSE_BYTES = 20_000_000
# The whole answer may take this many times the timeout, which counts each piece: one that drips is given up.
WHOLE_ANSWER_SHARE = 2.0
RETRIED_STATUSES = frozenset({429, 500, 502, 503, 504})
USER_AGENT = f"paper-search/{VERSION}"

Params = Mapping[str, str | int]


class _RedactKeys(logging.Filter):
    """httpx logs whole addresses, and some services want their key in them."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(
                part if isinstance(part, int) else re.sub(r"(api_key=)[^&\s]+", r"\1...", str(part))
                for part in record.args
            )
        return True


logging.getLogger("httpx").addFilter(_RedactKeys())


class Reply(Struct, frozen=True):
    """A response that was read to its end."""

    status_code: int
    headers: httpx.Headers
    content: bytes

    def text(self) -> str:
        """The body of a success; a SourceError says what the service answered instead."""
        if self.status_code in (404, 410):
            raise UnknownToSource(self.failure())
        if self.status_code >= 300:
            raise SourceError(self.failure())
        return self.content.decode("utf-8", "replace")

    def failure(self) -> str:
        status = self.status_code
        if status == 429:
            return "rate limit (429)"
        if status in (401, 403):
            return f"access refused ({status})"
        return f"server error ({status})" if status >= 500 else f"refused the query ({status})"

    def retry_after(self) -> float:
        """Seconds the service asks to wait, given as a number or a date; 0 when it says nothing usable."""
        text = self.headers.get("retry-after", "")
        try:
            seconds = float(text)
        except ValueError:
            try:
                seconds = parsedate_to_datetime(text).timestamp() - time.time()
            except (TypeError, ValueError):
                return 0.0
        return max(0.0, seconds) if math.isfinite(seconds) else 0.0


@dataclass
class SourceClient:
    """Requests of one source within one search."""

    base_url: str
    throttle: Throttle
    timeout: float = 15.0
    max_calls: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    sleep: Sleep = asyncio.sleep
    calls: int = field(default=0, init=False)

    @classmethod
    def from_config(cls, source: SearchSourceConfig, config: AppConfig) -> "SourceClient":
        """How a source is asked: where, how often, with which key."""
        base_url = source.base_url or KNOWN_SOURCES[source.name].base_url
        headers = {"x-api-key": source.api_key} if source.name == "semantic_scholar" and source.api_key else {}
        return cls(base_url, shared_throttle(base_url, source.rate_limit), config.timeout, source.max_calls, headers)

    async def get_json(self, path: str, params: Params) -> dict[str, object]:
        text = await self.get_text(path, params)
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise SourceError("answered with something that is not JSON") from error
        if not isinstance(data, dict):
            raise SourceError("answered in an unexpected shape")
        return data

    async def get_text(self, path: str, params: Params) -> str:
        """The body of a successful response; anything else is a SourceError."""
        for attempt in range(1, MAX_ATTEMPTS + 1):
            last = attempt == MAX_ATTEMPTS
            reply = await self._request(path, params, last)
            if reply and reply.status_code not in RETRIED_STATUSES:
                return reply.text()
            asked = reply.retry_after() if reply else 0.0
            # Where waiting is of no use, the source is given up.
            if reply and (last or asked > LONGEST_PAUSE_SECONDS or reply.headers.get("x-ratelimit-remaining") == "0"):
                raise SourceError(reply.failure())
            await self.sleep(asked or FIRST_RETRY_SECONDS * 2 ** (attempt - 1))
        raise SourceError("gave no answer")

    async def _request(self, path: str, params: Params, last: bool) -> Reply | None:
        """One request; None for a network failure that may be tried again."""
        if self.max_calls is not None and self.calls >= self.max_calls:
            raise SourceError(f"budget of {self.max_calls} calls used up")
        self.calls += 1
        await self.throttle.wait()
        headers = {"User-Agent": USER_AGENT, **self.headers}
        content = bytearray()
        try:
            async with (
                asyncio.timeout(self.timeout * WHOLE_ANSWER_SHARE),
                httpx.AsyncClient(base_url=self.base_url, timeout=self.timeout, headers=headers) as client,
                client.stream("GET", path, params=dict(params)) as response,
            ):
                async for part in response.aiter_bytes():
                    content += part
                    if len(content) > MAX_RESPONSE_BYTES:
                        raise SourceError("answered with too much")
                return Reply(response.status_code, response.headers, bytes(content))
        except (httpx.TimeoutException, TimeoutError) as error:
            if last:
                raise SourceError("timed out") from error
        except httpx.HTTPError as error:
            if last:
                raise SourceError("could not be reached") from error
        except ValueError as error:
            raise SourceError("has an unusable address") from error
        return None
