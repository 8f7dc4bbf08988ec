"""Vectors of words, weighted by how rare they are in a collection. No network."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from papercore.retrieval.basics import analysis
from papercore.retrieval.vectors.arrays import Matrix, Vector

WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
# Of a longer word, its beginning counts.
WORD_CHARS = 100
# How fast a word loses weight as it becomes common; chosen by cross-validation.
RARITY = 6.0


class WordVectors(Struct, frozen=True):
    """A vector for each subword: a word is the sum of its subwords. Any number of threads may share one."""

    model_id: str
    # As stored: what is read of it becomes numbers of 32 bits, which is exact.
    table: NDArray[np.float16]
    tokenizer: Tokenizer

    @staticmethod
    @cache
    def load() -> "WordVectors":
        """The vectors of the installed package wordllama, loaded at the first call and kept."""
        # wordllama is not imported, because that loads far more than its files.
        spec = find_spec("wordllama")
        if spec is None or not spec.submodule_search_locations:
            raise ModuleNotFoundError("The word vectors are in the package wordllama, which is not installed.")
        folder = Path(spec.submodule_search_locations[0])
        table = load_file(folder / WEIGHTS)["embedding.weight"]
        table.flags.writeable = False
        model_id = f"wordllama-{version('wordllama')}-{table.shape[1]}"
        return WordVectors(model_id, table, Tokenizer.from_file(str(folder / TOKENIZER)))

    @property
    def dimensions(self) -> int:
        return int(self.table.shape[1])

    def word(self, word: str) -> Vector:
        """The vector of one word, case as written; zeros for an empty word."""
        rows = self.tokenizer.encode(word[:WORD_CHARS], add_special_tokens=False).ids
        return np.asarray(self.table[rows].sum(axis=0, dtype=np.float32), dtype=np.float32)

    def knows(self, word: str) -> bool:
        """Whether it is one of the subwords, in small letters or as a name: a common word of the language."""
        spellings = {word.lower(), word.capitalize()}
        return any(len(self.tokenizer.encode(spelled, add_special_tokens=False).ids) == 1 for spelled in spellings)

    def words(self, words: Sequence[str]) -> Matrix:
        """One row per word, as from `word`, for the many words of a collection."""
        encoded = self.tokenizer.encode_batch([word[:WORD_CHARS] for word in words], add_special_tokens=False)
        lengths = np.array([len(item.ids) for item in encoded], dtype=np.int64)
        rows = np.fromiter(chain.from_iterable(item.ids for item in encoded), dtype=np.int64, count=lengths.sum())
        vectors = np.zeros((len(words), self.dimensions), dtype=np.float32)
        if len(rows):
            starts = np.cumsum(lengths) - lengths
            vectors[lengths > 0] = np.add.reduceat(self.table[rows].astype(np.float32), starts[lengths > 0], axis=0)
        return vectors


class WeightedWordVectors(Struct, frozen=True):
    """Vectors of words in the reduced space of one collection, weighted by how rare they are there."""

    vectors: WordVectors
    projection: Matrix
    # The number of documents with a term, and of all documents.
    frequency: Callable[[str], int]
    documents: int

    def table(self, words: Sequence[str]) -> Matrix:
        """One weighted, reduced row per word; zeros for a stop word."""
        weights = np.array([self._weight(word) for word in words], dtype=np.float32)
        return np.asarray(self.vectors.words(words) @ self.projection * weights[:, None], dtype=np.float32)

    def word(self, word: str) -> Vector:
        """The row of one word."""
        return np.asarray(self.vectors.word(word) @ self.projection * self._weight(word), dtype=np.float32)

    def _weight(self, word: str) -> float:
        if analysis.is_stop_word(word):
            return 0.0
        return 1.0 / (1.0 + RARITY * self.frequency(analysis.term(word)) / max(self.documents, 1))
