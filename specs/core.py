"""Core of the spec server, which every interface calls: specs, requirements, scenarios and changes by name, search."""

from papercore.errors import PageLink
from specs.errors import (
    ChangeNotFound,
    ProjectNotFound,
    RequirementNotFound,
    ScenarioNotFound,
    SpecNotFound,
    nearby_sentence,
    similar_names,
)
from specs.reading.catalogue import FileNotice, Spec, current_catalogue
from specs.reading.changes import Change, read_changes
from specs.reading.document import Requirement, Scenario
from specs.reading.files import Project, projects
from specs.search.search import FoundRequirements, can_search, search_projects


def select_projects(name: str | None) -> tuple[Project, ...]:
    """All projects, or the named one."""
    if name is None:
        return projects()
    selected = tuple(project for project in projects() if project.name == name)
    if not selected:
        names = [project.name for project in projects()]
        raise ProjectNotFound(f"There is no project {name!r}. Projects: {', '.join(names)}.", projects=names)
    return selected


def parse_all_specs(project: str | None = None) -> list[Spec]:
    """Every spec that can be read, of one project or of all, in the order of their ids."""
    return [spec for item in select_projects(project) for spec in current_catalogue(item).specs.values()]


def all_notices(project: str | None = None) -> list[FileNotice]:
    """Everything odd about the spec files, of one project or of all."""
    return [notice for item in select_projects(project) for notice in current_catalogue(item).notices]


def get_spec_by_id(spec_id: str) -> Spec:
    """Look the id up among the parsed specs; it is never made into a path.

    A project's name before the id may be left out, or added, where only one spec can be meant.
    """
    for project in projects():
        if spec := current_catalogue(project).specs.get(spec_id):
            return spec
    specs = parse_all_specs()
    meant = [spec for spec in specs if spec_id in (spec.local_id, f"{spec.project}:{spec.local_id}")]
    if len(meant) == 1:
        return meant[0]
    near = [spec.id for spec in meant] or similar_names(spec_id, [spec.id for spec in specs])
    message = f"There is no spec {spec_id!r}.{nearby_sentence(near) or ' list_specs names them all.'}"
    links = [
        PageLink(spec.document.title, spec.id, "spec", {"project": spec.project, "local_id": spec.local_id})
        for spec in specs
        if spec.id in near
    ]
    raise SpecNotFound(message, spec_id, near, links)


def get_local_spec(project: str, local_id: str) -> Spec:
    """The spec of one project by its folder's name."""
    (selected,) = select_projects(project)
    return get_spec_by_id(selected.full_id(local_id))


def local_specs(project: str) -> dict[str, Spec]:
    """The specs of one project by their folders' names."""
    (selected,) = select_projects(project)
    return current_catalogue(selected).by_local_id


def get_changes(project: str | None = None, *, archived: bool = False) -> list[Change]:
    return [change for item in select_projects(project) for change in read_changes(item, archived=archived)]


def get_change_by_id(change_id: str, project: str | None = None) -> Change:
    """Look the change up among those that exist; of several projects, the first that has it answers."""
    archived = change_id.rpartition(":")[2].startswith("archive/")
    changes = get_changes(project, archived=archived)
    for change in changes:
        if change_id in (change.id, change.local_id, f"{change.project}:{change.local_id}"):
            return change
    near = similar_names(change_id, [change.id for change in changes])
    message = f"There is no change {change_id!r}.{nearby_sentence(near) or ' list_changes names them all.'}"
    raise ChangeNotFound(message, change=change_id, nearby=near)


def get_requirements(spec: Spec, name: str) -> list[Requirement]:
    """The requirements of that name: one, or several in a spec that repeats a name."""
    items = spec.document.in_force
    found = [item for item in items if item.name == name] or [item for item in items if _same(item.name, name)]
    if not found:
        near = similar_names(name, [item.name for item in items])
        message = f"Spec {spec.id} has no requirement {name!r}.{nearby_sentence(near)}"
        raise RequirementNotFound(message, spec_id=spec.id, requirement=name, nearby=near)
    return found


def get_scenario(spec: Spec, requirement: str, scenario: str | None) -> tuple[Requirement, Scenario]:
    """The named scenario, or the requirement's first."""
    found = pairs = [(item, child) for item in get_requirements(spec, requirement) for child in item.scenarios]
    if scenario is not None:
        exact = [pair for pair in pairs if pair[1].name == scenario]
        found = exact or [pair for pair in pairs if _same(pair[1].name, scenario)]
    if found:
        return found[0]
    names = [child.name for _, child in pairs]
    near = similar_names(scenario or "", names) or names[:5]
    wanted = "scenario" if scenario is None else f"scenario {scenario!r}"
    message = f"Requirement {requirement!r} of {spec.id} has no {wanted}.{nearby_sentence(near)}"
    raise ScenarioNotFound(message, spec_id=spec.id, requirement=requirement, scenario_name=scenario, nearby=near)


def _same(name: str, asked: str) -> bool:
    """Equal but for case and outer space."""
    return name.casefold() == asked.strip().casefold()


def is_searchable(project: str | None = None) -> bool:
    return can_search(select_projects(project))


def search(query: str, limit: int, project: str | None = None) -> FoundRequirements:
    """Requirements by meaning, best first, of one project or of all."""
    return search_projects(select_projects(project), query, limit)
