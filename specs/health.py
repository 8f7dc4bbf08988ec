"""The state of the spec folders and their indexes."""

from papercore.health import Part, State
from specs.reading.catalogue import current_catalogue
from specs.reading.files import projects
from specs.search import index


def part() -> Part:
    missing = [project.name for project in projects() if not any(folder.is_dir() for folder in project.spec_folders)]
    if missing:
        state: State = "missing" if len(missing) == len(projects()) else "degraded"
        return Part("specs", state, f"No folder of specs: {', '.join(missing)}. See PAPERSITE_SPECS.")
    unreadable = sum(len(current_catalogue(project).unreadable) for project in projects())
    if unreadable:
        return Part("specs", "degraded", f"{unreadable} spec files cannot be read: run 'papersite doctor'.")
    for project in projects():
        if problem := index.read(project).problem:
            hint = f"The search index of {project.name} {problem}: run 'papersite build-spec-index'."
            return Part("specs", "degraded", hint)
    return Part("specs", "ok")
