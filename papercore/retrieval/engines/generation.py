"""One build of an index, whatever its engine: what its manifest says, and its parts once it is opened."""

from msgspec import Struct

from papercore.retrieval.engines.interface import PassageEngine, WordEngine
from papercore.retrieval.vectors.meaning import Meaning, VectorEngine
from papercore.retrieval.vectors.sentence_model import SentenceModel
from papercore.retrieval.vectors.word_vectors import WordVectors

# Raise it whenever the meaning of what a build writes changes: an older index is then built again, never misread.
VERSION = 8


class BuildReport(Struct, frozen=True):
    """How many documents were indexed, and how many of them had to be embedded."""

    documents: int
    embedded: int


class FileSum(Struct, frozen=True):
    """A file of an index as it was built, by its name within the index's folder."""

    name: str
    size: int
    sha256: str


class Manifest(Struct, frozen=True):
    """Describes a build: enough to decide whether it fits the code, the data and the model."""

    version: int
    build_id: str
    documents: int
    facets: tuple[str, ...]
    word_model: str
    # Empty: none was used.
    sentence_model: str
    # Documents from which the directions of the vectors were computed.
    fitted_on: int
    # Documents that have a vector of the sentence model; the others are filled in while the index is served.
    with_sentences: int = 0
    # Not part of what pages are cached by: the other values tell builds apart.
    files: tuple[FileSum, ...] = ()


def has_meaning(manifest: Manifest) -> bool:
    """Whether the word vectors of a build can be compared with those of queries: the same model computed both."""
    return bool(manifest.documents) and manifest.word_model == WordVectors.load().model_id


def is_made_with(manifest: Manifest, model: SentenceModel | None) -> bool:
    """Whether all vectors of a build can be compared with those of queries: the same models computed them."""
    return has_meaning(manifest) and manifest.sentence_model == (model.model_id if model else "")


class Generation(Struct, frozen=True):
    """An opened build: the words of its documents and of their passages, and the meaning of the documents.

    It never changes, so any number of threads may use it at once.
    """

    manifest: Manifest
    words: WordEngine
    passages: PassageEngine
    # None: built with other word vectors than those in use; words alone answer until it is built again.
    meaning: Meaning | None = None
    # None: there is none, or it is another than the one the index was built with.
    model: SentenceModel | None = None
    # The sentence model's vectors.
    sentences: VectorEngine | None = None
