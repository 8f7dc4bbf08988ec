"""Core of the spec server: parse_all_specs, get_spec_by_id, and the way from a name to what was meant."""

from collections.abc import Iterable
from dataclasses import dataclass

from papercore.errors import PageLink
from specs.errors import (
    ChangeNotFound,
    IndexNotBuilt,
    ProjectNotFound,
    RequirementNotFound,
    ScenarioNotFound,
    SpecNotFound,
    nearby,
    suggestion,
)
from specs.reading.catalogue import Catalogue, FileNotice, Spec, watched
from specs.reading.changes import Change, read_changes
from specs.reading.document import Requirement, Scenario
from specs.reading.projects import Project, projects
from specs.search.index import SpecIndex
from specs.search.index_file import index_path, load
from specs.search.model import sentence_model, word_space
from specs.search.passages import SentenceEncoder
from specs.search.ranking import SHARE_OF_BEST, Hit, rank

BUILD = "manage.py build_spec_index"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search found; `notice` says what may be missing because the index is older than the specs."""

    hits: list[Hit]
    notice: str | None


def parse_all_specs(project: str | None = None) -> list[Spec]:
    """Every spec that can be read, of one project or of all, in the order of their ids."""
    return [spec for item in chosen_projects(project) for spec in catalogue(item).specs.values()]


def catalogue(project: Project) -> Catalogue:
    return watched(project).catalogue()


def chosen_projects(name: str | None) -> tuple[Project, ...]:
    """All projects, or the named one."""
    served = projects()
    if name is None:
        return served
    chosen = tuple(project for project in served if project.name == name)
    if not chosen:
        names = [project.name for project in served]
        raise ProjectNotFound(f"There is no project {name!r}. Projects: {', '.join(names)}.", projects=names)
    return chosen


def all_notices(project: str | None = None) -> list[FileNotice]:
    return [notice for item in chosen_projects(project) for notice in catalogue(item).notices]


def get_spec_by_id(spec_id: str) -> Spec:
    """Look the id up among the parsed specs; it is never made into a path.

    A project's name before the id may be left out, or added, where only one spec can be meant.
    """
    for item in projects():
        if spec := catalogue(item).specs.get(spec_id):
            return spec
    specs = parse_all_specs()
    meant = [spec for spec in specs if spec_id in (spec.local_id, f"{spec.project}:{spec.local_id}")]
    if len(meant) == 1:
        return meant[0]
    near = [spec.id for spec in meant] or nearby(spec_id, [spec.id for spec in specs])
    message = f"There is no spec {spec_id!r}.{suggestion(near) or ' list_specs names them all.'}"
    links = [_link(spec) for spec in specs if spec.id in near]
    raise SpecNotFound(message, spec_id, near, links)


def _link(spec: Spec) -> PageLink:
    return PageLink(spec.document.title, spec.id, "spec", {"project": spec.project, "local_id": spec.local_id})


def get_local_spec(project: str, local_id: str) -> Spec:
    """The spec of one project by its folder's name."""
    (chosen,) = chosen_projects(project)
    return get_spec_by_id(chosen.full_id(local_id))


def get_changes(project: str | None = None, *, archived: bool = False) -> list[Change]:
    return [change for item in chosen_projects(project) for change in read_changes(item, archived=archived)]


def get_change_by_id(change_id: str, project: str | None = None) -> Change:
    """Look the change up among those that exist; the first project that has it answers."""
    archived = change_id.rpartition(":")[2].startswith("archive/")
    changes = get_changes(project, archived=archived)
    for change in changes:
        if change_id in (change.id, change.local_id, f"{change.project}:{change.local_id}"):
            return change
    near = nearby(change_id, [change.id for change in changes])
    message = f"There is no change {change_id!r}.{suggestion(near) or ' list_changes names them all.'}"
    raise ChangeNotFound(message, change=change_id, nearby=near)


def get_requirements(spec: Spec, name: str) -> list[Requirement]:
    """The requirements of that name: one, or several in a spec that repeats a name."""
    found = _named(spec.document.in_force, name)
    if not found:
        near = nearby(name, [item.name for item in spec.document.in_force])
        message = f"Spec {spec.id} has no requirement {name!r}.{suggestion(near)}"
        raise RequirementNotFound(message, spec_id=spec.id, requirement=name, nearby=near)
    return found


def get_scenario(spec: Spec, requirement: str, scenario: str | None) -> tuple[Requirement, Scenario]:
    """The named scenario, or the requirement's first."""
    pairs = [(item, child) for item in get_requirements(spec, requirement) for child in item.scenarios]
    if scenario is not None:
        wanted = scenario.strip().casefold()
        pairs = [pair for pair in pairs if pair[1].name == scenario] or [
            pair for pair in pairs if pair[1].name.casefold() == wanted
        ]
    if pairs:
        return pairs[0]
    names = [child.name for item in get_requirements(spec, requirement) for child in item.scenarios]
    raise _scenario_not_found(spec, requirement, scenario, names)


def _scenario_not_found(spec: Spec, requirement: str, scenario: str | None, names: list[str]) -> ScenarioNotFound:
    near = names if scenario is None else nearby(scenario, names) or names[:5]
    wanted = f"scenario {scenario!r}" if scenario is not None else "scenario"
    message = f"Requirement {requirement!r} of {spec.id} has no {wanted}.{suggestion(near)}"
    return ScenarioNotFound(message, spec_id=spec.id, requirement=requirement, scenario=scenario, nearby=near)


def _named(items: Iterable[Requirement], name: str) -> list[Requirement]:
    """Exactly that name, else the same but for case and outer space."""
    listed = list(items)
    wanted = name.strip().casefold()
    return [item for item in listed if item.name == name] or [item for item in listed if item.name.casefold() == wanted]


def search(query: str, limit: int, project: str | None = None) -> Answer:
    """Requirements by meaning, best first, over one project or all."""
    indexed = [(item, _usable_index(item)) for item in chosen_projects(project)]
    if all(index is None for _, index in indexed):
        raise IndexNotBuilt(f"{_missing([item for item, _ in indexed])} Build it with: {BUILD}")
    model = sentence_model()
    hits: list[Hit] = []
    behind: list[str] = []
    for item, index in indexed:
        known = catalogue(item)
        if index is None or not _is_current(index, known, model):
            behind.append(item.name)
        if index is not None:
            hits.extend(rank(index, known.by_local_id, query, model, limit))
    best = sorted(hits, key=lambda hit: -hit.score)
    kept = [hit for hit in best if hit.score >= SHARE_OF_BEST * best[0].score]
    return Answer(kept[:limit], _notice(behind))


def _missing(asked: list[Project]) -> str:
    if any(index_path(item).exists() for item in asked):
        return "The search index of the specs is damaged, or of another version or other word vectors."
    return "The search index of the specs is not built yet."


def _usable_index(project: Project) -> SpecIndex | None:
    """The project's index, unless other word vectors made it: those cannot be compared."""
    index = load(project)
    return index if index and index.model_id == word_space().vectors.model_id else None


def _is_current(index: SpecIndex, known: Catalogue, model: SentenceEncoder | None) -> bool:
    return index.specs == known.digests and index.sentence_model == (model.model_id if model else "")


def _notice(behind: list[str]) -> str | None:
    if not behind:
        return None
    names = ", ".join(behind)
    state = f"The index is older than the specs of {names}, or made with another model"
    return f"{state}: new or changed requirements may be missing. Renew it with: {BUILD}"
