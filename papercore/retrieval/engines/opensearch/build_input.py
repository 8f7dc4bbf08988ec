"""The documents of a build, read once: as they will be sent, in a file, and what all of them together say."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Self

import numpy as np
from msgspec import Struct

from papercore.retrieval.basics.document import Document
from papercore.retrieval.engines import fields as schema
from papercore.retrieval.engines.embedded.build import GROWTH, SPOOL, UNCHANGED_SHARE
from papercore.retrieval.engines.facets import ValueNumbers
from papercore.retrieval.engines.interface import Rows
from papercore.retrieval.engines.opensearch.cluster import Json
from papercore.retrieval.engines.opensearch.documents import (
    DIGEST,
    GAP,
    SENTENCE_BYTES,
    encoded,
    fill_document,
    vector_fields,
)
from papercore.retrieval.engines.opensearch.passages import fill_passages, numbered
from papercore.retrieval.engines.opensearch.previous_build import PreviousBuild
from papercore.retrieval.vectors.embedding import WordSpool, embedded
from papercore.retrieval.vectors.meaning import WeightedWordVectors
from papercore.retrieval.vectors.sentence_model import SentenceModel, text_of

LINES = "documents.jsonl"


class Entry(Struct, frozen=True):
    """A document as it is sent, and its passages."""

    paper: Json
    passages: list[Json]


class BuildInput:
    """Documents are known by their positions, from 0. Their vectors depend on all of them, so they are read first."""

    def __init__(
        self, scratch: Path, facets: Sequence[str], model: SentenceModel | None, previous: PreviousBuild | None
    ) -> None:
        self.model = model
        self.previous = previous
        self.frequencies: Counter[str] = Counter()
        self.values = {name: previous.value_numbers(name) if previous else ValueNumbers() for name in facets}
        self.spool = WordSpool(scratch / SPOOL)
        self._lines = scratch / LINES
        # By position: the digests of each document.
        self._digests: list[str] = []
        # How many passages all documents have.
        self.passages = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.spool.__exit__(*error)

    def __len__(self) -> int:
        return len(self._digests)

    def read(self, documents: Iterable[Document], progress: Callable[[int], None]) -> None:
        """Write the documents as they will be sent to the file, and note their words."""
        with self._lines.open("w", encoding="utf-8") as lines:
            for position, document in enumerate(documents):
                numbers = {name: values.add(document.facets.get(name, ())) for name, values in self.values.items()}
                entry = fill_document(document, position, numbers)
                self.frequencies.update({term for text in entry[schema.ALL] for term in text.split()})
                passages = list(fill_passages(document))
                lines.write(json.dumps([entry, text_of(document) if self.model else "", passages]) + "\n")
                self.passages += len(passages)
                self._digests.append(entry[DIGEST])
                self.spool.add(document)
                progress(position + 1)
        del self.frequencies[GAP]

    def frequency(self, term: str) -> int:
        return self.frequencies.get(term, 0)

    def is_update(self) -> bool:
        """Whether so little has changed that the previous build is copied, and only the difference is sent."""
        if self.previous is None or not self._digests:
            return False
        unchanged = len(self) - len(self.changed())
        grown = len(self) > GROWTH * self.previous.build.manifest.fitted_on
        removed = len(self.previous.documents) - unchanged
        return not grown and min(unchanged, len(self) - removed) >= UNCHANGED_SHARE * len(self)

    def changed(self) -> Rows:
        """The positions of documents that are new, or not as they were in the previous build."""
        known = self.previous.documents if self.previous else {}
        pairs = (digests.split(":") for digests in self._digests)
        changed = [position for position, (key, digest) in enumerate(pairs) if known.get(key, (0, ""))[1] != digest]
        return np.array(changed, dtype=np.int64)

    def updated_rows(self, positions: Rows) -> Rows:
        """The rows that documents had in the previous build; new ones come after all of those."""
        if self.previous is None:
            return positions
        known, next_row, rows = self.previous.documents, self.previous.next_row(), []
        for position in positions.tolist():
            key = self._digests[position].partition(":")[0]
            rows.append(known[key][0] if key in known else next_row)
            next_row += key not in known
        return np.array(rows, dtype=np.int64)

    def removed_rows(self) -> list[int]:
        """The rows of documents that the previous build had and this one has not."""
        present = {digests.partition(":")[0] for digests in self._digests}
        known = self.previous.documents if self.previous else {}
        return [row for key, (row, _) in known.items() if key not in present]

    def entries(self, positions: Rows, rows: Rows, vectors: WeightedWordVectors) -> Iterator[list[Entry]]:
        """What is sent of these documents, in ascending order, under these rows, with their vectors, some at a time."""
        if not len(positions):
            return
        row_of = dict(zip(positions.tolist(), rows.tolist(), strict=True))
        with self._lines.open(encoding="utf-8") as lines:
            wanted = (json.loads(line) for position, line in enumerate(lines) if position in row_of)
            for chunk, chunk_vectors in embedded(self.spool, positions, vectors):
                found = [next(wanted) for _ in chunk]
                sentences = self.model.encode([text for _, text, _ in found]).astype(np.float16) if self.model else None
                for number, (entry, _, _) in enumerate(found):
                    entry |= {schema.ROW: row_of[int(chunk[number])], **vector_fields(chunk_vectors[number])}
                    if sentences is not None:
                        entry[SENTENCE_BYTES] = encoded(sentences[number])
                yield [Entry(entry, numbered(passages, entry[schema.ROW])) for entry, _, passages in found]
