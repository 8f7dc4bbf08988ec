"""System checks of the spec folders: what is wrong with PAPERSITE_SPECS, and what to do about it."""

from django.core import checks
from django.core.checks import CheckMessage, register

from specs.reading.projects import Project, projects

# The parts of addresses that come where a project's name does in others.
RESERVED = {"search", "changes", "warnings"}


@register
def check_folders(**_: object) -> list[CheckMessage]:
    """Warnings all: the site starts without specs, and serves the folders that are there."""
    return [message for project in projects() for message in _check(project)]


def _check(project: Project) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    if not project.folder.is_dir():
        hint = "Name an openspec folder or a folder of specs, or several as name=path,name=path."
        found.append(checks.Warning(f"The spec folder of {project.name} is missing.", hint=hint, id="specs.W001"))
    if project.prefixed and (project.name in RESERVED or "/" in project.name or not project.name):
        hint = "Give it another name: its pages have no addresses of their own."
        found.append(checks.Warning(f"A spec project cannot be named {project.name!r}.", hint=hint, id="specs.W002"))
    return found
