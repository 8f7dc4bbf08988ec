"""The models that search uses: word vectors always, a sentence model where the setting names one."""

from functools import cache
from pathlib import Path

from django.conf import settings

from papercore.retrieval import SentenceModel
from specs.search.soft_match import WordEmbedder


@cache
def word_embedder() -> WordEmbedder:
    return WordEmbedder.load()


def sentence_model() -> SentenceModel | None:
    """The model in the folder PAPERSITE_SEARCH_MODEL, loaded once; None without the setting."""
    folder = str(settings.SEARCH_MODEL)
    return SentenceModel.load(Path(folder)) if folder else None
