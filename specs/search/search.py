"""Searches the indexes of several projects with the models in use, and says which are missing or out of date."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from django.conf import settings
from msgspec import Struct

from papercore.errors import Unavailable
from papercore.retrieval import SentenceModel, Verdict, verdict_at
from specs.reading.catalogue import current_catalogue
from specs.reading.files import Project
from specs.search.index import SpecIndex, load, read
from specs.search.ranking import SHARE_OF_BEST, RequirementHit, rank
from specs.search.soft_match import WordEmbedder

BUILD = "papersite build-spec-index"


class IndexNotBuilt(Unavailable):
    code = "index_not_built"
    heading = "The specs cannot be searched yet"

    def explanation(self) -> str:
        """The message names a command, which is for those who run the site."""
        return "This site has no search index of its specs at present."


@cache
def word_embedder() -> WordEmbedder:
    return WordEmbedder.load()


def sentence_model() -> SentenceModel | None:
    """The model in the folder PAPERSITE_SEARCH_MODEL, loaded once; None without the setting."""
    folder = str(settings.SEARCH_MODEL)
    return SentenceModel.load(Path(folder)) if folder else None


class FoundRequirements(Struct, frozen=True):
    """What a search found; `notice` says what may be missing because an index is out of date."""

    hits: list[RequirementHit]
    notice: str | None
    verdict: Verdict = "nothing"


def search_projects(projects: Sequence[Project], query: str, limit: int) -> FoundRequirements:
    """The best requirements of all the projects, best first."""
    indexes = {project: _usable_index(project) for project in projects}
    if not any(indexes.values()):
        problems = {read(project).problem or "was built with other word vectors" for project in projects}
        raise IndexNotBuilt(f"The search index of the specs {' or '.join(sorted(problems))}. Build it with: {BUILD}")
    model = sentence_model()
    hits: list[RequirementHit] = []
    outdated: list[str] = []
    for project, index in indexes.items():
        catalogue = current_catalogue(project)
        current = (catalogue.digests, model.model_id if model else "")
        if index is None or (index.specs, index.sentence_model) != current:
            outdated.append(project.name)
        if index is not None:
            hits.extend(rank(index, catalogue.by_local_id, query, word_embedder(), model, limit))
    best = sorted(hits, key=lambda hit: -hit.score)
    kept = [hit for hit in best if hit.score >= SHARE_OF_BEST * best[0].score]
    state = f"The index is older than the specs of {', '.join(outdated)}, or built with another model"
    notice = f"{state}: new or changed requirements may be missing. Rebuild it with: {BUILD}"
    verdict = verdict_at(best[0].score) if best else "nothing"
    return FoundRequirements(kept[:limit], notice if outdated else None, verdict)


def can_search(projects: Sequence[Project]) -> bool:
    return any(_usable_index(project) for project in projects)


def _usable_index(project: Project) -> SpecIndex | None:
    """The project's index, unless it was built with other word vectors: those cannot be compared."""
    index = load(project)
    return index if index and index.model_id == word_embedder().vectors.model_id else None
