"""Requests to the cluster: with a time limit, and none at all for a while after several have failed."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import takewhile
from typing import Any, ParamSpec, TypeVar

import opensearchpy
from opensearchpy import OpenSearch, OpenSearchException, helpers

from papercore.retrieval.basics.errors import ClusterFailed, EngineFailed
from papercore.retrieval.engines.opensearch import ClusterAddress

logger = logging.getLogger(__name__)
# The client logs a traceback for each attempt, and this module logs what follows from it.
logging.getLogger("opensearch").setLevel(logging.ERROR)

# What the cluster is asked and what it answers is JSON of its own making.
Json = dict[str, Any]
BAD_REQUEST, TOO_MANY_REQUESTS = 400, 429
# How long one request may take, and how often another node is tried: a reader waits. A builder has more time.
SECONDS, BUILD_SECONDS = 2.0, 120.0
RETRIES = 1
# Connections that a process keeps open to each node; as many threads can ask at once without opening more.
CONNECTIONS = 16
# After so many failures in a row the cluster is left alone for so long, and the snapshot's tables answer at once.
FAILURES, REST_SECONDS = 3, 5.0
# Requests that fill an index: several at once, each of a size that a node takes without strain.
BULK_THREADS, BULK_DOCUMENTS, BULK_BYTES = 2, 500, 10_000_000
# How long a build waits, one time after the other, for a cluster that has no room for documents.
BULK_PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
# Statistics of all shards, so that a document's score does not depend on its shard; and no answer of a part of them.
_COMPLETE = {"allow_partial_search_results": "false", "search_type": "dfs_query_then_fetch"}
_COMPLETE_HEADER = {"allow_partial_search_results": False, "search_type": "dfs_query_then_fetch"}
P = ParamSpec("P")
R = TypeVar("R")


def connect(address: ClusterAddress, seconds: float) -> OpenSearch:
    """A client of the cluster, which asks another node when one does not answer."""
    secured: Json = {"verify_certs": True} if all(host.startswith("https:") for host in address.hosts) else {}
    if address.authority:
        secured["ca_certs"] = address.authority
    if address.certificate:
        secured |= {"client_cert": address.certificate, "client_key": address.key}
    return OpenSearch(
        list(address.hosts),
        http_auth=(address.user, address.password) if address.user else None,
        timeout=seconds,
        max_retries=RETRIES,
        # By default one for each node, and all others are opened anew for each request.
        pool_maxsize=CONNECTIONS,
        retry_on_timeout=True,
        **secured,
    )


class CircuitBreaker:
    """Refuses calls for a while after several in a row have failed; then one call tries again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._closed_at = 0.0

    @property
    def tripped(self) -> bool:
        """Whether the last calls have all failed, and none has succeeded since."""
        return self._failures >= FAILURES

    @property
    def is_open(self) -> bool:
        """Whether calls are refused now."""
        return self.tripped and self._clock() < self._closed_at

    def admit(self) -> bool:
        """Whether a call may be made. Of those that wait for the end of the rest, one is let through."""
        with self._lock:
            if self.is_open:
                return False
            if self.tripped:
                self._closed_at = self._clock() + REST_SECONDS
            return True

    def succeeded(self) -> None:
        self._failures = 0

    def failed(self) -> None:
        with self._lock:
            self._failures += 1
            self._closed_at = self._clock() + REST_SECONDS


class Cluster:
    """A cluster of OpenSearch nodes. Threads may share it."""

    def __init__(self, address: ClusterAddress, seconds: float = SECONDS) -> None:
        self.address = address
        self.breaker = CircuitBreaker()
        self.client = connect(address, seconds)

    def search(self, index: str, body: Json) -> Json:
        """The answer of every shard; EngineFailed rather than a part of it."""
        return self._guarded(lambda: _whole(self.call(self.client.search, index=index, body=body, params=_COMPLETE)))

    def search_all(self, index: str, bodies: Sequence[Json]) -> list[Json]:
        """Several searches in one request."""
        if len(bodies) == 1:
            return [self.search(index, bodies[0])]
        lines = [line for body in bodies for line in (_COMPLETE_HEADER, body)]

        def ask() -> list[Json]:
            return [_whole(found) for found in self.call(self.client.msearch, index=index, body=lines)["responses"]]

        return self._guarded(ask)

    def sources(self, index: str, ids: Sequence[str], fields: Sequence[str]) -> dict[str, Json]:
        """The stored fields of those of the documents that exist, by id, in one request."""
        if not ids:
            return {}
        body, wanted = {"ids": list(ids)}, {"_source_includes": ",".join(fields)}

        def ask() -> dict[str, Json]:
            documents = self.call(self.client.mget, index=index, body=body, params=wanted)["docs"]
            if any("error" in document for document in documents):
                raise ClusterFailed("The search cluster answered in part.")
            return {document["_id"]: document["_source"] for document in documents if document["found"]}

        return self._guarded(ask)

    def call(self, request: Callable[P, R], *args: P.args, **options: P.kwargs) -> R:
        """Make a request. EngineFailed if the cluster refuses it, ClusterFailed if the cluster is at fault."""
        try:
            return request(*args, **options)
        except opensearchpy.TransportError as error:
            status = error.status_code
            if _is_refusal(status):
                # The kind of error alone: its details repeat the request.
                raise EngineFailed(f"The search cluster refused a request ({status}, {error.error}).") from None
            if status == TOO_MANY_REQUESTS:
                advice = "Give its nodes more memory, or try again later."
                raise ClusterFailed(f"The search cluster is too busy to answer. {advice}") from None
            reason = f"status {status}" if isinstance(status, int) else type(error).__name__
            raise ClusterFailed(f"The search cluster could not answer ({reason}).") from None
        except OpenSearchException as error:
            raise ClusterFailed(f"The search cluster could not answer ({type(error).__name__}).") from None

    def create_index(self, name: str, body: Json) -> None:
        """Create an index under a name that nobody else uses."""
        try:
            self.client.indices.create(index=name, body=body)
        except opensearchpy.RequestError as error:
            # The client asked again after a node had not answered in time, but had done it.
            if error.error != "resource_already_exists_exception":
                raise EngineFailed(f"The search cluster refused an index ({error.error}).") from None
        except OpenSearchException as error:
            raise ClusterFailed(f"The search cluster could not answer ({type(error).__name__}).") from None

    def _guarded(self, ask: Callable[[], R]) -> R:
        """Ask unless the circuit breaker refuses, and tell it how it went."""
        if not self.breaker.admit():
            raise ClusterFailed("The search cluster does not answer.")
        try:
            answer = ask()
        except ClusterFailed as error:
            logger.warning("%s", error.message)
            self.breaker.failed()
            raise
        self.breaker.succeeded()
        return answer

    def bulk(self, actions: Iterable[Mapping[str, object]]) -> Generator[None]:
        """Index documents, several requests at once; yields once for each. EngineFailed if one is refused.

        What a busy cluster has no room for is sent again, after longer and longer pauses.
        """
        for pause in (*BULK_PAUSES, None):
            put_off: list[Mapping[str, object]] = []
            with closing(self._sent(actions, put_off)) as sent:
                yield from sent
            if not put_off:
                return
            if pause is None:
                raise ClusterFailed(
                    "The search cluster is too busy to take documents. Give its nodes more memory, or build again"
                    " later: what it has taken is kept."
                )
            logger.warning("The search cluster is busy; %d documents are sent again in %g s.", len(put_off), pause)
            time.sleep(pause)
            actions = put_off

    def _sent(self, actions: Iterable[Mapping[str, object]], put_off: list[Mapping[str, object]]) -> Generator[None]:
        """Send each document once; `put_off` gets those for which there was no room.

        When it is closed, nothing is sent any more: a late request would create an index that was removed anew.
        """
        closed = threading.Event()
        # Their outcomes come in the same order.
        on_the_way: deque[Mapping[str, object]] = deque()

        def noted() -> Iterator[Mapping[str, object]]:
            for action in takewhile(lambda action: not closed.is_set(), actions):
                on_the_way.append(action)
                yield action

        sending = helpers.parallel_bulk(
            self.client,
            noted(),
            thread_count=BULK_THREADS,
            chunk_size=BULK_DOCUMENTS,
            max_chunk_bytes=BULK_BYTES,
            ignore_status=(TOO_MANY_REQUESTS,),
        )
        try:
            for accepted, _ in sending:
                action = on_the_way.popleft()
                if accepted:
                    yield
                else:
                    put_off.append(action)
        except helpers.BulkIndexError as error:
            # The status and the kind of the first error, without the document.
            outcome: Json = next((outcome for refused in error.errors for outcome in refused.values()), {})
            found = outcome.get("error")
            kind = found.get("type") if isinstance(found, dict) else "unknown"
            if outcome.get("status") == BAD_REQUEST:
                raise EngineFailed(f"The search cluster refused a document ({kind}).") from None
            raise ClusterFailed(f"The search cluster could not take a document ({kind}).") from None
        except OpenSearchException as error:
            raise ClusterFailed(f"The search cluster could not be filled ({type(error).__name__}).") from None
        finally:
            closed.set()
            sending.close()


def _is_refusal(status: object) -> bool:
    """Whether the request is at fault, not the cluster."""
    return isinstance(status, int) and 400 <= status < 500 and status != TOO_MANY_REQUESTS


def _whole(found: Json) -> Json:
    if "error" in found and _is_refusal(found.get("status")):
        raise EngineFailed(f"The search cluster refused a request ({found['status']}).")
    if "error" in found or found["timed_out"] or found["_shards"]["failed"]:
        raise ClusterFailed("The search cluster answered in part.")
    return found
