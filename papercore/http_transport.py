"""Connects to the one host of a service, at an address that was checked: a name cannot lead to a private network."""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Literal
from urllib.request import getproxies, proxy_bypass  # noqa: TID251 (reads the environment, asks nobody)

import httpx  # noqa: TID251 (a part of the door)
from msgspec import Struct

# Addresses of one name that are tried, one after the other.
ADDRESSES_TRIED = 3
# How long a name is looked up that a proxy looks up again: where there is a proxy, there may be no other way out.
PROXY_LOOKUP_SECONDS = 2
# IPv6 addresses that end in the IPv4 address that is meant.
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")

FailureKind = Literal["timeout", "unreachable", "private", "address", "encoding", "size"]
FAILURES: dict[FailureKind, str] = {
    "timeout": "timed out",
    "unreachable": "could not be reached",
    "private": "leads to a private network, which its configuration does not name",
    "address": "has an unusable address",
    "encoding": "answered in an encoding that was not asked for",
    "size": "answered with too much",
}


class RequestFailed(Exception):
    """There is no answer; the message says why in a few words that may follow the service's name."""

    def __init__(self, kind: FailureKind) -> None:
        super().__init__(FAILURES[kind])
        self.kind = kind

    @property
    def may_pass(self) -> bool:
        """Whether another attempt could go better."""
        return self.kind in ("timeout", "unreachable")


class Service(Struct, frozen=True):
    """Where requests go, and what may come back. `operator_named`: its host may be in a private network;
    `stranger_named`: its host comes from a text or an agent, and no proxy is trusted to know better whose it is."""

    base_url: str
    max_bytes: int
    seconds: float
    operator_named: bool = False
    headers: Mapping[str, str] = {}
    stranger_named: bool = False


class CheckedTransport(httpx.AsyncBaseTransport):
    """Connects to checked addresses of one host."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.proxy = _environment_proxy(service)
        self.inner = httpx.AsyncHTTPTransport(verify=_tls(), proxy=self.proxy)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        _refuse_other_host(self.service, request)
        if self.proxy:
            await self._check_before_proxy(request)
            return await self.inner.handle_async_request(request)
        problem: httpx.TransportError | None = None
        for address in await self._addresses(request):
            try:
                return await self.inner.handle_async_request(_to_address(request, address))
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                problem = error
        raise problem or httpx.ConnectError("the name has no address")

    async def _check_before_proxy(self, request: httpx.Request) -> None:
        """The proxy looks the name up itself, and knows names that are not known here."""
        if self.service.operator_named:
            return
        try:
            async with asyncio.timeout(PROXY_LOOKUP_SECONDS):
                await self._addresses(request)
        except (TimeoutError, httpx.ConnectError):
            if self.service.stranger_named:
                raise RequestFailed("unreachable") from None

    async def _addresses(self, request: httpx.Request) -> list[str]:
        """Those that may be connected to."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(request.url.host, request.url.port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpx.ConnectError("the name is not known") from error
        return _reachable(self.service, (str(entry[4][0]) for entry in found))

    async def aclose(self) -> None:
        await self.inner.aclose()


class BlockingCheckedTransport(httpx.BaseTransport):
    """The same without an event loop, and without proxies: it serves what is near."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.inner = httpx.HTTPTransport(verify=_tls())

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        _refuse_other_host(self.service, request)
        try:
            found = socket.getaddrinfo(request.url.host, request.url.port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpx.ConnectError("the name is not known") from error
        problem: httpx.TransportError | None = None
        for address in _reachable(self.service, (str(entry[4][0]) for entry in found)):
            try:
                return self.inner.handle_request(_to_address(request, address))
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                problem = error
        raise problem or httpx.ConnectError("the name has no address")

    def close(self) -> None:
        self.inner.close()


@cache
def _tls() -> ssl.SSLContext:
    return httpx.create_ssl_context()


def _environment_proxy(service: Service) -> str | None:
    """The proxy that the operator's environment names for this host."""
    url = httpx.URL(service.base_url)
    if proxy_bypass(url.host) or _is_private(url.host):
        return None
    proxies = getproxies()
    found = proxies.get(url.scheme) or proxies.get("all")
    return found and (found if "://" in found else f"http://{found}")


def _refuse_other_host(service: Service, request: httpx.Request) -> None:
    """An absolute address in place of a path must not lead elsewhere."""
    own = httpx.URL(service.base_url)
    if (request.url.scheme, request.url.host, request.url.port) != (own.scheme, own.host, own.port):
        raise RequestFailed("address")


def _reachable(service: Service, addresses: Iterable[str]) -> list[str]:
    """The addresses that may be connected to, each once."""
    unique = list(dict.fromkeys(addresses))
    allowed = [address for address in unique if service.operator_named or not _is_private(address)]
    if unique and not allowed:
        raise RequestFailed("private")
    return allowed[:ADDRESSES_TRIED]


def _is_private(address: str) -> bool:
    """Whether it is an address that is not one of the public internet's; a name is not."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour
        if parsed in _TRANSLATED:
            inner = ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)
        if inner:
            return _is_private(str(inner))
    return not parsed.is_global or parsed.is_multicast


def _to_address(request: httpx.Request, address: str) -> httpx.Request:
    """The same request, sent to this address; the host's own name stays in its head and in its certificate."""
    if address == request.url.host:
        return request
    return httpx.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.host},
    )
