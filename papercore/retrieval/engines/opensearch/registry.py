"""Which indexes of the cluster are complete builds, by build id; one builder at a time."""

import re
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Self
from uuid import uuid4

from msgspec import Struct, convert, to_builtins
from msgspec.structs import asdict, fields

from papercore.retrieval.basics.errors import IndexBusy
from papercore.retrieval.basics.request import INDEX_HITS
from papercore.retrieval.engines.generation import VERSION, Manifest
from papercore.retrieval.engines.opensearch.cluster import Cluster, Json
from papercore.retrieval.engines.opensearch.documents import OWNER

LOCK, UNFINISHED = "lock", "unfinished"
CONFLICT = 409
# A build that has not been heard of for so long has ended; another may begin.
LOCK_SECONDS = 120.0
# The one in use and the one before it, which others may still be reading.
BUILDS_KEPT = 2
_MAPPINGS: Json = {"dynamic": "strict", "properties": {"build": {"type": "object", "enabled": False}}}
_INDEX_NAME_PART = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


class IndexNames(Struct, frozen=True):
    """The names of the indexes of one build."""

    papers: str
    values: str
    passages: str

    @classmethod
    def listed(cls, entry: Json) -> Self | None:
        """As they are listed; None if it was by a version that had fewer indexes."""
        found = [entry.get(kind) for kind in KINDS]
        return cls(*map(str, found)) if all(found) else None

    def all(self) -> tuple[str, ...]:
        return self.papers, self.values, self.passages


KINDS = tuple(field.name for field in fields(IndexNames))


class Build(Struct, frozen=True):
    """A complete build: its manifest, its indexes, and when it was published, for telling which is newer."""

    manifest: Manifest
    indexes: IndexNames
    published: float

    def entry(self) -> Json:
        return {"manifest": to_builtins(self.manifest), **asdict(self.indexes), "published": self.published}


class Registry:
    """The builds that are listed in the cluster under one prefix."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._prefix = cluster.address.prefix
        self._index = f"{self._prefix}-builds"

    def find(self, build_id: str) -> Build | None:
        """The newest complete build of this data by this version of the code."""
        found = self._get(_key(build_id))
        return _build(found["_source"]["build"]) if found else None

    def newest(self) -> Build | None:
        """The newest complete build of any data by this version of the code."""
        builds = [build for entry in self._listed().values() if (build := _build(entry))]
        return max(builds, key=lambda build: build.published, default=None)

    def begin(self, plan: Json, indexes: IndexNames) -> None:
        """Note that these indexes are being filled by this plan, so that another builder can go on."""
        self._put(UNFINISHED, {"plan": plan, **asdict(indexes)})

    def unfinished(self, plan: Json) -> IndexNames | None:
        """The indexes that a builder with the same plan has left."""
        found = self._get(UNFINISHED)
        entry = found["_source"]["build"] if found else {}
        indexes = IndexNames.listed(entry)
        if entry.get("plan") != plan or indexes is None:
            return None
        exist = self._cluster.call(self._cluster.client.indices.exists, index=",".join(indexes.all()))
        return indexes if exist else None

    def new_names(self, build_id: str) -> IndexNames:
        """Names for the indexes of a new build."""
        name = f"{self._prefix}-{_key(build_id)}-{uuid4().hex[:8]}"
        return IndexNames(name, f"{name}-values", f"{name}-passages")

    def publish(self, build: Build) -> None:
        """List a build, point the alias to it, and remove what nobody reads any more."""
        client = self._cluster.client
        self._put(_key(build.manifest.build_id), build.entry())
        self._cluster.call(client.delete, index=self._index, id=UNFINISHED, params={"ignore": 404})
        actions = [
            {"remove": {"index": f"{self._prefix}-*", "alias": self._prefix, "must_exist": False}},
            {"add": {"index": build.indexes.papers, "alias": self._prefix}},
        ]
        self._cluster.call(client.indices.update_aliases, body={"actions": actions})
        # All builds go but the newest, and indexes that a build which was interrupted has left.
        entries = self._listed()
        newest = sorted(entries, key=lambda key: -float(entries[key]["published"]))
        kept = {entries[key].get(kind) for key in newest[:BUILDS_KEPT] for kind in KINDS}
        for key in newest[BUILDS_KEPT:]:
            self._cluster.call(client.delete, index=self._index, id=key)
        found = self._cluster.call(client.indices.get_mapping, index=f"{self._prefix}-*")
        owners = {name: index["mappings"].get("_meta", {}).get(OWNER) for name, index in found.items()}
        if surplus := [name for name, owner in owners.items() if owner == self._prefix and name not in kept]:
            self.discard(surplus)

    def discard(self, names: Iterable[str]) -> None:
        """Remove indexes, if they exist."""
        missing_is_fine = {"ignore_unavailable": "true"}
        self._cluster.call(self._cluster.client.indices.delete, index=",".join(names), params=missing_is_fine)

    @contextmanager
    def building(self) -> Iterator["BuildLock"]:
        """Hold the lock of builders; IndexBusy if another has it."""
        client, replicas = self._cluster.client, self._cluster.address.replicas
        if not self._cluster.call(client.indices.exists, index=self._index):
            settings = {"number_of_shards": 1, "number_of_replicas": replicas}
            body = {"settings": {"index": settings}, "mappings": _MAPPINGS}
            # Another builder may have been faster.
            self._cluster.call(client.indices.create, index=self._index, body=body, params={"ignore": 400})
        lock = BuildLock(self._cluster, self._index)
        lock.take()
        try:
            yield lock
        finally:
            lock.release()

    def _listed(self) -> dict[str, Json]:
        """The entries of complete builds."""
        body = {"query": {"match_all": {}}, "size": INDEX_HITS}
        found = self._cluster.search(self._index, body)["hits"]["hits"]
        return {hit["_id"]: hit["_source"]["build"] for hit in found if hit["_id"] not in (LOCK, UNFINISHED)}

    def _put(self, key: str, entry: Json) -> None:
        body, at_once = {"build": entry}, {"refresh": "true"}
        self._cluster.call(self._cluster.client.index, index=self._index, id=key, body=body, params=at_once)

    def _get(self, key: str) -> Json | None:
        client = self._cluster.client
        found: Json = self._cluster.call(client.get, index=self._index, id=key, params={"ignore": 404})
        return found if found.get("found") else None


class BuildLock:
    """A document that one builder has created and keeps renewing."""

    def __init__(self, cluster: Cluster, index: str) -> None:
        self._cluster = cluster
        self._index = index
        self._owner = uuid4().hex
        self._renewed = 0.0

    def take(self) -> None:
        """Create the lock, or take that of a builder that has not renewed it for long."""
        new = {"op_type": "create", "ignore": CONFLICT}
        if self._write(new).get("status") != CONFLICT:
            return
        held = self._read()
        if held and time.time() - float(held["_source"]["build"]["renewed"]) >= LOCK_SECONDS:
            unchanged = {"if_seq_no": held["_seq_no"], "if_primary_term": held["_primary_term"], "ignore": CONFLICT}
            if self._write(unchanged).get("status") != CONFLICT:
                return
        raise IndexBusy("The search index is being built by another process.")

    def renew(self) -> None:
        """Show that the build goes on; cheap enough to be called for every document."""
        if time.time() - self._renewed > LOCK_SECONDS / 10:
            held = self._read()
            if held is None or held["_source"]["build"]["owner"] != self._owner:
                raise IndexBusy("Another process has taken over the build, because this one had not gone on for long.")
            self._write({})

    def release(self) -> None:
        """Give it back, unless another builder took it over meanwhile."""
        held = self._read()
        if held and held["_source"]["build"]["owner"] == self._owner:
            client = self._cluster.client
            self._cluster.call(client.delete, index=self._index, id=LOCK, params={"ignore": 404})

    def _read(self) -> Json | None:
        client = self._cluster.client
        found: Json = self._cluster.call(client.get, index=self._index, id=LOCK, params={"ignore": 404})
        return found if found.get("found") else None

    def _write(self, options: Json) -> Json:
        self._renewed = time.time()
        body = {"build": {"owner": self._owner, "renewed": self._renewed}}
        written: Json = self._cluster.call(
            self._cluster.client.index, index=self._index, id=LOCK, body=body, params=options
        )
        return written


def _key(build_id: str) -> str:
    """A build id as a part of an index's name, which allows few signs."""
    plain = _INDEX_NAME_PART.fullmatch(build_id) and build_id not in (LOCK, UNFINISHED)
    return build_id if plain else sha256(build_id.encode()).hexdigest()[:32]


def _build(entry: Json) -> Build | None:
    indexes = IndexNames.listed(entry)
    if entry["manifest"].get("version") != VERSION or indexes is None:
        return None
    manifest = convert({**entry["manifest"], "files": ()}, Manifest)
    return Build(manifest, indexes, float(entry["published"]))
