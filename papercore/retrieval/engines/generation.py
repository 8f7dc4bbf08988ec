"""One build of an index, opened, whatever its engine. It never changes, so any number of threads may use it at once."""

from msgspec import Struct

from papercore.retrieval.engines.embedded.folder import Manifest
from papercore.retrieval.engines.interface import PassageEngine, SentenceVectors, WordEngine
from papercore.retrieval.vectors.meaning import Meaning
from papercore.retrieval.vectors.sentence_model import SentenceModel
from papercore.retrieval.vectors.word_vectors import WordVectors


class Generation(Struct, frozen=True):
    """An opened build: the words of its documents and of their passages, and the meaning of the documents."""

    manifest: Manifest
    words: WordEngine
    passages: PassageEngine
    # None: built with another model than the one in use; words alone answer until it is built again.
    meaning: Meaning | None = None
    model: SentenceModel | None = None
    # The sentence model's vectors.
    sentences: SentenceVectors | None = None


def has_meaning(manifest: Manifest, model: SentenceModel | None) -> bool:
    """Whether the vectors of a build can be compared with those of queries: the same models computed both."""
    if not manifest.documents or manifest.sentence_model != (model.model_id if model else ""):
        return False
    return manifest.word_model == WordVectors.load().model_id
