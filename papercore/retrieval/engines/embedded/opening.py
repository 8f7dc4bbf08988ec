"""Opens the files of one build. They never change, so any number of threads may use them at once."""

from pathlib import Path

from papercore.npy import map_array
from papercore.retrieval.engines.embedded import folder
from papercore.retrieval.engines.embedded.folder import Manifest
from papercore.retrieval.engines.embedded.passages import TantivyPassages
from papercore.retrieval.engines.embedded.vectors import DocumentVectors, HalfPrecisionVectors
from papercore.retrieval.engines.embedded.words import TantivyWords
from papercore.retrieval.engines.generation import Generation, has_meaning
from papercore.retrieval.vectors.meaning import Meaning, WeightedWordVectors
from papercore.retrieval.vectors.sentence_model import SentenceModel, open_vectors
from papercore.retrieval.vectors.word_vectors import WordVectors


def open_generation(path: Path, manifest: Manifest, model: SentenceModel | None) -> Generation:
    """The generation in this folder. With another model than it was built with, it answers by words alone."""
    words, passages = TantivyWords(path, manifest), TantivyPassages(path)
    if not has_meaning(manifest, model):
        return Generation(manifest, words, passages)
    word_vectors = WeightedWordVectors(
        WordVectors.load(), map_array(path / folder.PROJECTION), words.frequency, manifest.documents
    )
    meaning = Meaning(word_vectors, DocumentVectors.open(path))
    if model is None:
        return Generation(manifest, words, passages, meaning)
    sentences = HalfPrecisionVectors(open_vectors(path, manifest.documents))
    return Generation(manifest, words, passages, meaning, model, sentences)
