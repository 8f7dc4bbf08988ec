"""The settings of search on a cluster: where it is, who asks it, and under which names its indexes are."""

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from papersite.configuration import environment as env

if TYPE_CHECKING:
    from papercore.retrieval import ClusterAddress

URL = "PAPERSITE_OPENSEARCH_URL"
_PREFIX = re.compile(r"[a-z][a-z0-9-]{0,40}")


def search_cluster() -> "ClusterAddress | None":
    """The cluster that the environment names; None where the index is a folder."""
    if env.choice("PAPERSITE_SEARCH_ENGINE", ("tantivy", "opensearch")) == "tantivy":
        return None
    env.require_package("opensearchpy", "opensearch", "PAPERSITE_SEARCH_ENGINE=opensearch")
    # Settings are read by every command; most never search.
    from papercore.retrieval import ClusterAddress

    hosts = [_host(url) for url in env.words(URL)]
    if not hosts:
        raise ImproperlyConfigured(f"{URL} must name the cluster, such as https://search.example.org:9200.")
    user, password = _credentials(hosts)
    return ClusterAddress(
        hosts=tuple(f"{host.scheme}://{host.hostname}:{host.port or 9200}" for host in hosts),
        prefix=_prefix(),
        user=user,
        password=password,
        authority=_file("PAPERSITE_OPENSEARCH_CA"),
        certificate=_file("PAPERSITE_OPENSEARCH_CERTIFICATE"),
        key=_file("PAPERSITE_OPENSEARCH_KEY"),
        shards=env.number("PAPERSITE_OPENSEARCH_SHARDS", 1) or 1,
        replicas=env.number("PAPERSITE_OPENSEARCH_REPLICAS", 1),
    )


def _host(url: str) -> SplitResult:
    """The parts of an address. It may hold a password, so it is never repeated in an error."""
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        known = None
    if not known or parts.path.strip("/") or parts.query or parts.fragment:
        raise ImproperlyConfigured(f"{URL} must be addresses such as https://user:password@host:9200, with commas.")
    return parts


def _credentials(hosts: list[SplitResult]) -> tuple[str, str]:
    named = {(unquote(host.username or ""), unquote(host.password or "")) for host in hosts if host.username}
    if len(named) > 1:
        raise ImproperlyConfigured(f"{URL}: all hosts of a cluster have the same user and password.")
    return next(iter(named), ("", ""))


def _prefix() -> str:
    value = env.text("PAPERSITE_OPENSEARCH_PREFIX", "papersite")
    if not _PREFIX.fullmatch(value):
        raise ImproperlyConfigured(
            "PAPERSITE_OPENSEARCH_PREFIX must be lower-case letters, digits and hyphens, and begin with a letter."
        )
    return value


def _file(name: str) -> str:
    path = env.optional_path(name)
    if path and not Path(path).is_file():
        raise ImproperlyConfigured(f"{name} names no file.")
    return path
