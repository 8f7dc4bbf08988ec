"""The indexes on a cluster, opened by build id; while the cluster fails there are none, and others must answer."""

import logging
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from papercore.errors import ToolError
from papercore.retrieval.basics.errors import EngineFailed
from papercore.retrieval.engines.generation import Generation, has_meaning, is_made_with
from papercore.retrieval.engines.opensearch.cluster import Cluster
from papercore.retrieval.engines.opensearch.documents import SENTENCE_BYTES
from papercore.retrieval.engines.opensearch.facets import ClusterValues
from papercore.retrieval.engines.opensearch.passages import ClusterPassages
from papercore.retrieval.engines.opensearch.registry import Build, Registry
from papercore.retrieval.engines.opensearch.vectors import ClusterRowVectors, ClusterVectors, Tables
from papercore.retrieval.engines.opensearch.words import ClusterWords
from papercore.retrieval.index import Index
from papercore.retrieval.vectors.meaning import Meaning
from papercore.retrieval.vectors.sentence_model import SentenceModel
from papercore.retrieval.vectors.word_vectors import WeightedWordVectors, WordVectors

logger = logging.getLogger(__name__)
# How often a reader asks whether its index was built anew.
LOOK_SECONDS = 5.0


class ClusterIndexes:
    """The indexes of one cluster. Threads may share it."""

    def __init__(self, cluster: Cluster, model: SentenceModel | None = None) -> None:
        self.cluster = cluster
        self.model = model
        self._lock = threading.Lock()
        self._registry = Registry(cluster)
        # By build id.
        self._looked_at: dict[str, float] = {}
        self._open: dict[str, tuple[Build, Index]] = {}
        self._problem = ""

    def open(self, build_id: str) -> Index | None:
        """The index built from this data; None if there is none, or the cluster cannot be asked."""
        if self.cluster.breaker.is_open:
            return None
        last = self._looked_at.get(build_id)
        if last is None or time.monotonic() - last >= LOOK_SECONDS:
            self._look(build_id)
        found = self._open.get(build_id)
        return found[1] if found and not self._problem else None

    def problem(self, build_id: str) -> str:
        """Why the index of this data is not used; empty if nothing is known to be wrong."""
        self._look(build_id)
        found = self._open.get(build_id)
        if found and self.cluster.breaker.tripped:
            # Nobody may be searching, so it is tried here whether the cluster answers again.
            with suppress(EngineFailed):
                self.cluster.search(found[0].indexes.papers, {"size": 0, "terminate_after": 1})
        return self._problem or ("the search cluster does not answer" if self.cluster.breaker.tripped else "")

    def failing(self, build_id: str) -> bool:
        """Whether the cluster could not answer when it was last asked."""
        return bool(self._problem) or self.cluster.breaker.tripped

    def verify(self, build_id: str) -> None:
        """The cluster verifies its own files."""
        self._look(build_id)

    def verified(self, build_id: str) -> bool:
        return True

    @contextmanager
    def failures_of(self, index: Index) -> Iterator[None]:
        """Turn whatever an answer makes the code raise into EngineFailed; the index is then looked for again."""
        try:
            yield
        except Exception as error:
            if isinstance(error, ToolError) and not isinstance(error, EngineFailed):
                raise
            self._looked_at.pop(index.manifest.build_id, None)
            if isinstance(error, EngineFailed):
                raise
            logger.exception("A query failed on the search cluster; the snapshot's tables answer it.")
            raise EngineFailed("The search cluster cannot answer this query.") from error

    def _look(self, build_id: str) -> None:
        """Ask which index belongs to this data. Only the first queries ever wait for another that is asking."""
        before = self._looked_at.get(build_id)
        if not self._lock.acquire(blocking=before is None):
            return
        try:
            if self._looked_at.get(build_id) != before:
                return
            build = self._registry.find(build_id)
            known = self._open.get(build_id)
            if build is None:
                self._open.pop(build_id, None)
            elif known is None or known[0] != build:
                self._open[build_id] = (build, Index(self._opened(build)))
            self._problem = ""
        except EngineFailed as error:
            self._problem = error.message[:1].lower() + error.message[1:].rstrip(".")
        except (KeyError, ValueError, zlib.error):
            logger.exception("The search cluster has a build that cannot be opened.")
            self._problem = "the search cluster has a build that cannot be opened"
        finally:
            self._looked_at[build_id] = time.monotonic()
            self._lock.release()

    def _opened(self, build: Build) -> Generation:
        cluster, manifest, papers = self.cluster, build.manifest, build.indexes.papers
        tables = Tables.read(cluster, build.indexes.values)
        words = ClusterWords(cluster, papers, manifest, ClusterValues(cluster, build.indexes.values), tables.common)
        passages = ClusterPassages(cluster, build.indexes.passages)
        if not has_meaning(manifest):
            return Generation(manifest, words, passages)
        # Rare terms are not in the table: they weigh as much as unknown ones.
        word_vectors = WeightedWordVectors(
            WordVectors.load(), tables.projection, lambda term: tables.common.get(term, 0), manifest.documents
        )
        meaning = Meaning(word_vectors, ClusterVectors(cluster, papers, tables.projection.shape[1]))
        if self.model is None or not is_made_with(manifest, self.model):
            return Generation(manifest, words, passages, meaning)
        sentences = ClusterRowVectors(cluster, papers, SENTENCE_BYTES, self.model.dimensions)
        return Generation(manifest, words, passages, meaning, self.model, sentences)
