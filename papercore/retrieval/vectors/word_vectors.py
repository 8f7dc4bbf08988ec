"""Word vectors of the installed wordllama package: a word is the sum of its subword rows. No network."""

from collections.abc import Sequence
from functools import cache, cached_property
from importlib.metadata import version
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from papercore.retrieval.vectors.subwords import Subwords

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Vector = NDArray[np.float32]
Matrix = NDArray[np.float32]
HalfMatrix = NDArray[np.float16]

WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
# Of a longer word, its beginning counts.
WORD_CHARS = 100


class WordVectors(Struct, frozen=True, dict=True):
    """The table of subwords, and what splits words into them; any number of threads may share one."""

    model_id: str
    # As stored: what is read of it becomes numbers of 32 bits, which is exact.
    table: HalfMatrix
    subwords: Subwords
    # The file that both kinds of splitting words read.
    tokenizer_file: Path

    @classmethod
    def load(cls) -> "WordVectors":
        """The package's vectors, loaded at the first call (about 0.1 s, 16 MB) and kept."""
        return _load()

    @property
    def dimensions(self) -> int:
        return int(self.table.shape[1])

    def word(self, word: str) -> Vector:
        """The vector of one word, case as written; zeros for an empty word."""
        rows = self.subwords.of(word[:WORD_CHARS])
        return np.asarray(self.table[rows].sum(axis=0, dtype=np.float32), dtype=np.float32)

    def words(self, words: Sequence[str]) -> Matrix:
        """One row per word, as from `word`, for the many words of a collection."""
        cut = [word[:WORD_CHARS] for word in words]
        encoded = [item.ids for item in self._tokenizer.encode_batch(cut, add_special_tokens=False)]
        vectors = np.zeros((len(encoded), self.dimensions), dtype=np.float32)
        lengths = np.array([len(ids) for ids in encoded], dtype=np.int64)
        rows = np.fromiter(chain.from_iterable(encoded), dtype=np.int64, count=lengths.sum())
        if len(rows):
            starts = np.cumsum(lengths) - lengths
            vectors[lengths > 0] = np.add.reduceat(self.table[rows].astype(np.float32), starts[lengths > 0], axis=0)
        return vectors

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        """Loaded by whoever builds an index: searches split few words."""
        from tokenizers import Tokenizer

        return Tokenizer.from_file(str(self.tokenizer_file))


@cache
def _load() -> WordVectors:
    from safetensors.numpy import load_file

    folder = _package_folder()
    table = load_file(folder / WEIGHTS)["embedding.weight"]
    table.flags.writeable = False
    file = folder / TOKENIZER
    return WordVectors(f"wordllama-{version('wordllama')}-{table.shape[1]}", table, Subwords.read(file), file)


def _package_folder() -> Path:
    """Where wordllama is installed. It is not imported, because that loads far more than its files."""
    spec = find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("The word vectors are in the package wordllama, which is not installed.")
    return Path(spec.submodule_search_locations[0])
