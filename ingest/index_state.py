"""The search index of any snapshot, beside it or on a cluster: opened, and described. Knows no web framework."""

from functools import cache
from pathlib import Path
from typing import Literal

from msgspec import Struct

from papercore.retrieval import ClusterAddress, IndexFolder, SearchIndexes, SentenceModel, open_cluster
from papercore.snapshot.file import index_beside


class IndexState(Struct, frozen=True):
    """How a snapshot is searched, in a word for programs and a sentence for people."""

    status: Literal["ready", "filling", "verifying", "other_model", "words_only", "damaged", "unreachable", "missing"]
    message: str
    # How many papers the index has, and how many of them have a vector of the sentence model.
    papers: int = 0
    with_sentences: int = 0


def load_model(folder: str) -> SentenceModel | None:
    """The sentence model in a folder; None if no folder is named."""
    return SentenceModel.load(Path(folder)) if folder else None


@cache
def index_folder(database: str, model: str) -> IndexFolder:
    """Opened once per process: it notices a new index by itself."""
    return IndexFolder(index_beside(Path(database)), load_model(model))


@cache
def cluster_indexes(address: ClusterAddress, model: str) -> SearchIndexes:
    """Opened once per process, like a folder."""
    return open_cluster(address, load_model(model))


def state_of(indexes: SearchIndexes, build_id: str) -> IndexState:
    """Whether the snapshot is searched by its index, by the index's words alone, or by its own full-text table."""
    problem, index = indexes.problem(build_id), indexes.open(build_id)
    if problem and not isinstance(indexes, IndexFolder):
        return IndexState("unreachable", f"{problem}; it is asked again by itself")
    if index is None and problem:
        return IndexState("damaged", f"the index is not used, because {problem}: run 'papersite build-index'")
    if index is None:
        return IndexState("missing", "no index for this snapshot: run 'papersite build-index'")
    if not index.has_meaning:
        return IndexState("words_only", "made with another model, words only: run 'papersite build-index'")
    if not indexes.verified(build_id):
        return IndexState("verifying", "its files are being compared with their checksums")
    manifest = index.manifest
    wanted = indexes.model.model_id if indexes.model else ""
    if manifest.documents and manifest.sentence_model != wanted:
        made = f"made with {manifest.sentence_model or 'no sentence model'}, and the site has {wanted or 'none'}"
        return IndexState("other_model", f"{made}: restart the site, or run 'papersite build-index'")
    name, papers, filled = manifest.sentence_model or manifest.word_model, manifest.documents, manifest.with_sentences
    if manifest.sentence_model and filled < papers:
        message = f"{filled:,} of {papers:,} papers have a vector of {name}, and 'papersite fill-index' adds the others"
        return IndexState("filling", message, papers, filled)
    return IndexState("ready", f"{papers:,} papers, words and meaning ({name})", papers, filled)


def verified_state_of(indexes: SearchIndexes, build_id: str) -> IndexState:
    """The state after it was found out whether the index is sound."""
    indexes.verify(build_id)
    return state_of(indexes, build_id)
