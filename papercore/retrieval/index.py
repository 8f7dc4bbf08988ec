"""The index as callers see it: search, similar, suggest; and the folder that opens the current one."""

import logging
import os
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from papercore import limits
from papercore.retrieval import facets, folder, schema
from papercore.retrieval.errors import engine_panics_translated
from papercore.retrieval.folder import Manifest
from papercore.retrieval.generation import Generation
from papercore.retrieval.hits import hits_of
from papercore.retrieval.ranking import Ranking
from papercore.retrieval.results import Hit, Request, Results, check_bounds
from papercore.retrieval.search_plan import plan_search, plan_similar
from papercore.retrieval.sentence_model import SentenceModel
from papercore.retrieval.snippets import QueryTerms
from papercore.retrieval.suggestions import Completion, prefix_query

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Index:
    """One build of an index. It never changes, so all its answers belong together."""

    generation: Generation

    @property
    def manifest(self) -> Manifest:
        return self.generation.manifest

    @property
    def has_meaning(self) -> bool:
        """False: built with another model than the one in use, so it answers by words until it is built again."""
        return self.generation.meaning is not None or not self.manifest.documents

    @engine_panics_translated()
    def search(self, request: Request) -> Results:
        """One page of what the request asks for. No query text is an error."""
        plan = plan_search(self.generation, request)
        ranking = Ranking(self.generation, plan)
        if request.sort == "relevance":
            documents, total = ranking.page(request.offset, request.limit)
        else:
            documents, total = ranking.sorted_page(request.sort, request.offset, request.limit)
        hits = hits_of(self.generation, documents, QueryTerms.of(plan.node), plan.vector)
        counts = {}
        if request.facets:
            counts = facets.count_facets(self.generation.searcher, self.generation.values, ranking.all_hits(), request)
        return Results(tuple(hits), total, plan.mode, counts)

    @engine_panics_translated()
    def similar(self, document_id: str, limit: int) -> tuple[Hit, ...]:
        """The documents most similar to this one, by its distinctive words and its meaning."""
        check_bounds("limit", limit, limits.INDEX_HITS)
        plan = plan_similar(self.generation, document_id)
        documents, _ = Ranking(self.generation, plan).page(0, limit + 1)
        hits = hits_of(self.generation, documents, QueryTerms.of(plan.node), plan.vector)
        return tuple(hit for hit in hits if hit.id != document_id)[:limit]

    @engine_panics_translated()
    def suggest(self, prefix: str, kinds: Sequence[str], limit: int) -> list[Completion]:
        """Titles and facet values that match what was typed so far, at most `limit` of each kind."""
        check_bounds("limit", limit, limits.INDEX_HITS)
        found: list[Completion] = []
        for kind in kinds:
            if kind == schema.TITLE:
                found += self._titles(prefix, limit)
            else:
                found += self.generation.suggestions.find(prefix, kind, limit)
        return found

    def written(self, facet: str, value: str) -> str | None:
        """A facet's value as people write it, given in any case; None if there is no such value."""
        values = self.generation.values.get(facet)
        return values.written(value) if values else None

    @engine_panics_translated()
    def payloads(self, document_ids: Iterable[str]) -> dict[str, bytes]:
        """The payloads of those of the documents that are in the index, by id."""
        generation = self.generation
        found = {key: generation.ranked(generation.queries.document_id(key), 1).addresses for key in document_ids}
        return {
            key: generation.searcher.doc(addresses[0])[schema.STORED_PAYLOAD][0]
            for key, addresses in found.items()
            if addresses
        }

    def _titles(self, prefix: str, limit: int) -> list[Completion]:
        generation = self.generation
        query = prefix_query(generation.queries.schema, generation.searcher, schema.TITLE_WORDS, prefix)
        if query is None:
            return []
        stored = [generation.searcher.doc(address) for address in generation.ranked(query, limit).addresses]
        titles = [entry[schema.STORED_TITLE][0].decode() for entry in stored]
        return [Completion(schema.TITLE, title, 1) for title in dict.fromkeys(titles)]


class IndexFolder:
    """A folder in which indexes are built; opens the one that fits the data. Threads may share it."""

    def __init__(self, path: Path, model: SentenceModel | None = None) -> None:
        self.path = path
        self.model = model
        self._lock = threading.Lock()
        self._stamp = (0, 0)
        self._open: dict[str, Index] = {}

    def open(self, build_id: str) -> Index | None:
        """The index built from this data, if there is one. Reads the folder again when it changed."""
        stamp = self._published()
        if stamp != self._stamp:
            with self._lock:
                if stamp != self._stamp:
                    self._open = self._read()
                    self._stamp = stamp
        return self._open.get(build_id)

    def _published(self) -> tuple[int, int]:
        """Changes whenever a generation is published. Cheap enough to be asked at every query."""
        try:
            # Joined as text: building a Path would cost as much as the call.
            status = os.stat(f"{self.path}/{folder.LIST}")  # noqa: PTH116
        except OSError:
            return (0, 0)
        return (status.st_ino, status.st_mtime_ns)

    def _read(self) -> dict[str, Index]:
        found: dict[str, Index] = {}
        for path in folder.generations(self.path):
            manifest = Manifest.read(path)
            if manifest and manifest.build_id not in found:
                try:
                    found[manifest.build_id] = Index(Generation.open(path, manifest, self.model))
                except (OSError, ValueError, EOFError):
                    # Damaged, or removed by a newer build while it was being opened.
                    logger.warning("The search index %s cannot be opened.", path.name, exc_info=True)
        return found
