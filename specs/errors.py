"""The errors of the spec tools; those about unknown names suggest similar ones."""

from collections.abc import Iterable
from difflib import get_close_matches

from papercore.errors import NotFound, PageLink

SUGGESTED = 5
# How much of two names must be alike, from 0 to 1, and how short a part of a name may be: nonsense suggests nothing.
CLOSE, PART = 0.6, 3


class ProjectNotFound(NotFound):
    code = "project_not_found"


class SpecNotFound(NotFound):
    code = "spec_not_found"
    heading = "There is no spec with this address"

    def __init__(self, message: str, spec_id: str, nearby: list[str], links: list[PageLink]) -> None:
        super().__init__(message, spec_id=spec_id, nearby=nearby)
        self.links = links

    def suggestions(self) -> list[PageLink]:
        return self.links


class RequirementNotFound(NotFound):
    code = "requirement_not_found"


class ScenarioNotFound(NotFound):
    code = "scenario_not_found"


class ChangeNotFound(NotFound):
    code = "change_not_found"


class NoTestsNamed(NotFound):
    code = "no_tests_named"


def similar_names(name: str, existing: Iterable[str]) -> list[str]:
    """The existing names that contain the one asked for or resemble it, most similar first."""
    folded: dict[str, str] = {}
    for item in existing:
        folded.setdefault(item.casefold(), item)
    wanted = name[:100].casefold()
    parts = {item: item.split(":")[-1] for item in folded}
    within = [
        item
        for item, part in parts.items()
        if min(len(wanted), len(part)) >= PART and (wanted in item or part in wanted)
    ]
    close = get_close_matches(wanted, list(folded), n=SUGGESTED, cutoff=CLOSE)
    return [folded[item] for item in dict.fromkeys([*within[:SUGGESTED], *close])][:SUGGESTED]


def nearby_sentence(names: list[str]) -> str:
    """The last sentence of a not-found message."""
    return f" Nearby: {', '.join(names)}." if names else ""
