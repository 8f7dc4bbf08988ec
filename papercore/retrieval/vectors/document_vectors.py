"""The vectors of a build's documents, made of those of their words; and the projection that tells them apart best."""

from array import array
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.request import Document
from papercore.retrieval.vectors.arrays import Matrix, Rows
from papercore.retrieval.vectors.meaning import unit
from papercore.retrieval.vectors.word_vectors import WeightedWordVectors, WordVectors

# The words of a document that count towards its meaning; more do not describe a longer text any better.
WORDS_PER_DOCUMENT = 1000
# Documents from which the projection is computed; more make no measurable difference.
SAMPLE = 5_000
# The first principal component is what all papers share; the next ones distinguish them.
DROPPED, KEPT = 1, 80
# The projection of the previous index is kept while this share of the documents is unchanged ...
UNCHANGED_SHARE = 0.8
# ... and the collection has grown by no more than this since the projection was computed.
GROWTH = 1.25
# The file that the words of the documents are noted in.
SPOOL = "words.spool"
# Documents embedded, and words looked up, at once: bounds the memory.
CHUNK = 500
WORD_CHUNK = 20_000


class _Vocabulary(dict[str, int]):
    """Numbers words as they appear. Every stop word is number 0, which has no vector."""

    def __init__(self) -> None:
        super().__init__()
        self.words = [""]

    def __missing__(self, word: str) -> int:
        number = 0 if analysis.is_stop_word(word) else len(self.words)
        if number:
            self.words.append(word)
        self[word] = number
        return number


class WordSpool:
    """The words of every document, as numbers, in a file: a million abstracts do not fit in memory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("wb")
        self._vocabulary = _Vocabulary()
        self._ends = array("q")
        self._written = 0

    def add(self, document: Document) -> None:
        """Note a document's words, the title's twice."""
        title = analysis.words(document.title)
        found = [*title, *title, *analysis.words(document.text)][:WORDS_PER_DOCUMENT]
        numbers = np.fromiter(map(self._vocabulary.__getitem__, found), dtype=np.int32, count=len(found))
        # With a leading 0 every document has a word, which `reduceat` relies on.
        numbers = np.concatenate([[0], numbers[numbers > 0]]).astype(np.int32)
        numbers.tofile(self._file)
        self._written += len(numbers)
        self._ends.append(self._written)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Remove the file: the vectors are computed, or never will be."""
        self._file.close()
        self._path.unlink(missing_ok=True)

    @property
    def words(self) -> list[str]:
        """Every distinct word; the first is empty."""
        return self._vocabulary.words

    def used(self, rows: Rows) -> NDArray[np.int32]:
        """The numbers of the words in the given documents."""
        seen = np.zeros(len(self.words), dtype=bool)
        for _, documents in self.chunks(rows):
            seen[np.concatenate(documents)] = True
        return np.asarray(np.flatnonzero(seen), dtype=np.int32)

    def chunks(self, rows: Rows) -> Iterator[tuple[Rows, list[NDArray[np.int32]]]]:
        """The word numbers of the given documents, some documents at a time."""
        self._file.flush()
        numbers = np.memmap(self._path, dtype=np.int32, mode="r")
        ends = np.frombuffer(self._ends, dtype=np.int64)
        starts = np.concatenate([[0], ends[:-1]])
        for first in range(0, len(rows), CHUNK):
            chunk = rows[first : first + CHUNK]
            yield chunk, [numbers[starts[row] : ends[row]] for row in chunk]


def fit(spool: WordSpool, count: int, weighted: Callable[[Matrix], WeightedWordVectors]) -> Matrix:
    """The projection that best distinguishes the documents: their principal components, from an even sample of them."""
    unreduced = weighted(np.eye(WordVectors.load().dimensions, dtype=np.float32))
    vectors = unreduced.projection
    if count > 1:
        rows = np.unique(np.linspace(0, count - 1, min(count, SAMPLE)).astype(np.int64))
        vectors = np.concatenate([part for _, part in embedded(spool, rows, unreduced)])
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    return np.ascontiguousarray(directions[:, ::-1][:, DROPPED : DROPPED + KEPT], dtype=np.float32)


def embedded(spool: WordSpool, rows: Rows, vectors: WeightedWordVectors) -> Iterator[tuple[Rows, Matrix]]:
    """The vectors of the given documents, some at a time, with their rows."""
    used = spool.used(rows)
    words = [spool.words[number] for number in used]
    parts = [vectors.table(words[at : at + WORD_CHUNK]) for at in range(0, len(words), WORD_CHUNK)]
    table = np.concatenate(parts)
    place = np.zeros(len(spool.words), dtype=np.int32)
    place[used] = np.arange(len(used))

    def sums(part: tuple[Rows, list[NDArray[np.int32]]]) -> tuple[Rows, Matrix]:
        chunk, documents = part
        starts = np.cumsum([0, *map(len, documents[:-1])])
        return chunk, unit(np.add.reduceat(table[place[np.concatenate(documents)]], starts, axis=0))

    # numpy releases the interpreter lock while it sums, so threads use all cores.
    with ThreadPoolExecutor(cpu_count()) as pool:
        yield from pool.map(sums, spool.chunks(rows))
