"""An index as its users see it: search, similar, suggest; a replaced one is taken up by itself."""

import logging
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from papercore.retrieval import facets, folder, question, schema
from papercore.retrieval.folder import Manifest
from papercore.retrieval.generation import Generation
from papercore.retrieval.listing import Listing
from papercore.retrieval.presentation import shown
from papercore.retrieval.question import similar_to
from papercore.retrieval.results import Count, Hit, Request, Results
from papercore.retrieval.sentence_model import SentenceModel
from papercore.retrieval.snippets import QueryTerms
from papercore.retrieval.suggestions import Suggestion, typed

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Index:
    """One build of an index. It never changes, so all answers that it gives belong together."""

    generation: Generation

    @property
    def manifest(self) -> Manifest:
        return self.generation.manifest

    @property
    def has_meaning(self) -> bool:
        """False: made with another model than the one in use, so it answers by words until built again."""
        return self.generation.meaning is not None or not self.manifest.documents

    def search(self, request: Request) -> Results:
        """One page of what the request asks for. No text is an error."""
        asked = question.read(self.generation, request)
        listing = Listing(self.generation, asked)
        if request.sort == "relevance":
            places, total = listing.page(request.offset, request.limit)
        else:
            places, total = listing.sorted_page(request.sort, request.offset, request.limit)
        hits = shown(self.generation, places, QueryTerms.of(asked.node), asked.vector)
        return Results(tuple(hits), total, asked.mode, self._counts(listing, request))

    def _counts(self, listing: Listing, request: Request) -> dict[str, tuple[Count, ...]]:
        if not request.facets:
            return {}
        return facets.counted(self.generation, listing.everything(), request)

    def similar(self, document_id: str, limit: int) -> tuple[Hit, ...]:
        """The documents nearest to one of them, by its telling words and its meaning."""
        generation = self.generation
        asked = similar_to(generation, document_id)
        places, _ = Listing(generation, asked).page(0, limit + 1)
        hits = shown(generation, places, QueryTerms.of(asked.node), asked.vector)
        return tuple(hit for hit in hits if hit.id != document_id)[:limit]

    def suggest(self, prefix: str, kinds: Sequence[str], limit: int) -> list[Suggestion]:
        """Titles and facet values that have the words typed so far; of each kind at most `limit`."""
        found: list[Suggestion] = []
        for kind in kinds:
            if kind == schema.TITLE:
                found += self._titles(prefix, limit)
            else:
                found += self.generation.suggestions.find(prefix, kind, limit)
        return found

    def written(self, facet: str, value: str) -> str | None:
        """How people write a facet's value that is given in any case; None when there is no such value."""
        values = self.generation.values.get(facet)
        return values.written(value) if values else None

    def payloads(self, document_ids: Iterable[str]) -> dict[str, bytes]:
        """What is stored with these documents, by id; those that are not in the index are left out."""
        generation = self.generation
        found = {key: generation.ranked(generation.queries.identity(key), 1).addresses for key in document_ids}
        return {
            key: generation.searcher.doc(addresses[0])[schema.STORED_PAYLOAD][0]
            for key, addresses in found.items()
            if addresses
        }

    def _titles(self, prefix: str, limit: int) -> list[Suggestion]:
        generation = self.generation
        query = typed(generation.queries.schema, generation.searcher, schema.TITLE_WORDS, prefix)
        if query is None:
            return []
        stored = [generation.searcher.doc(address) for address in generation.ranked(query, limit).addresses]
        titles = [entry[schema.STORED_TITLE][0].decode() for entry in stored]
        return [Suggestion(schema.TITLE, title, 1) for title in dict.fromkeys(titles)]


class IndexFolder:
    """A folder in which indexes are built; hands out the one that fits. Threads share it."""

    def __init__(self, path: Path, model: SentenceModel | None = None) -> None:
        self.path = path
        self.model = model
        self._lock = threading.Lock()
        self._stamp = (0, 0)
        self._open: dict[str, Index] = {}

    def open(self, build_id: str) -> Index | None:
        """The index built from this data, if there is one; the folder is read again when it changed."""
        stamp = folder.stamp(self.path)
        if stamp != self._stamp:
            with self._lock:
                if stamp != self._stamp:
                    self._open = self._read()
                    self._stamp = stamp
        return self._open.get(build_id)

    def _read(self) -> dict[str, Index]:
        found: dict[str, Index] = {}
        for path in folder.generations(self.path):
            manifest = Manifest.read(path)
            if manifest and manifest.build_id not in found:
                try:
                    found[manifest.build_id] = Index(Generation.open(path, manifest, self.model))
                except (OSError, ValueError, EOFError):
                    # Damaged, or removed by a newer build while it was being opened: as good as none.
                    logger.warning("The search index %s cannot be opened.", path.name, exc_info=True)
        return found
