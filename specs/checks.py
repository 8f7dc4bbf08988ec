"""System checks of the spec folders: what is wrong with PAPERSITE_SPECS, and what to do about it."""

from django.core import checks
from django.core.checks import CheckMessage, register

from specs.reading.files import projects

# Addresses of the site's own pages, where those of a project have its name.
RESERVED = {"search", "changes", "warnings"}


@register
def check_folders(**_: object) -> list[CheckMessage]:
    """All are warnings: the site starts without specs, and serves the folders that exist."""
    found: list[CheckMessage] = []
    for project in projects():
        name = project.name
        if not project.folder.is_dir():
            hint = "Name an openspec folder or a folder of specs, or several as name=path,name=path."
            found.append(checks.Warning(f"The spec folder of {name} is missing.", hint=hint, id="specs.W001"))
        if project.prefixed and (name in RESERVED or "/" in name or not name):
            hint = "Give it another name: its pages would have no address of their own."
            found.append(checks.Warning(f"A spec project cannot be named {name!r}.", hint=hint, id="specs.W002"))
    return found
