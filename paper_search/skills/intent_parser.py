"""Makes an intent of a question, and changes it as a note says: what is not understood changes nothing."""

import asyncio
from typing import TypeVar

from paper_search.models import ParsedIntent
from paper_search.plan import SearchPlan, intent_type
from paper_search.reading.free_text import read_note, read_question
from paper_search.reading.names import KnownNames
from papercore import limits

Item = TypeVar("Item")


class RuleIntentParser:
    """Reads what a text states plainly; any text will do, even an empty one."""

    def __init__(
        self, max_results: int = 100, this_year: int | None = None, known_names: KnownNames | None = None
    ) -> None:
        self.max_results = max_results
        self.this_year = this_year
        self.known_names = known_names or KnownNames()

    async def parse(self, text: str) -> ParsedIntent:
        # It looks into the library, which takes its time.
        found = await asyncio.to_thread(read_question, text, self.known_names, self.this_year)
        return found.plan.intent(self.max_results).model_copy(update={"planned": False, "reading": found.reading()})

    async def revise(self, intent: ParsedIntent, note: str) -> ParsedIntent:
        """The intent with what a note states plainly."""
        found = await asyncio.to_thread(read_note, note, self.known_names, self.this_year)
        revised = with_changes(intent, found.plan)
        return revised.model_copy(update={"reading": found.reading()})


def with_changes(intent: ParsedIntent, plan: SearchPlan) -> ParsedIntent:
    """The intent with the fields of a note: years replace the earlier ones, names and words are added to them."""
    filters = intent.constraints
    wanted = {word.lower() for word in (*plan.prefer, *plan.kinds)}
    changes: dict[str, object] = {
        "authors": _merged(filters.authors, plan.authors),
        "venues": _merged(filters.venues, plan.venues),
        "kinds": [kind for kind in _merged(filters.kinds, plan.kinds) if kind not in plan.not_kinds],
        # What is asked for now is no longer excluded.
        "excluded": [term for term in _merged(filters.excluded, plan.not_) if term.lower() not in wanted],
        "excluded_authors": _merged(filters.excluded_authors, plan.not_authors),
        "excluded_kinds": [kind for kind in _merged(filters.excluded_kinds, plan.not_kinds) if kind not in plan.kinds],
        "more_like": _merged(plan.prefer, filters.more_like),
        "less_like": [term for term in _merged(plan.avoid, filters.less_like) if term.lower() not in wanted],
    }
    if plan.year_from or plan.year_to:
        changes |= {"year_from": plan.year_from, "year_to": plan.year_to}
    kinds = plan.kinds or filters.kinds
    return intent.model_copy(
        update={
            "constraints": filters.model_copy(update=changes),
            "intent_type": intent_type(kinds) if kinds else intent.intent_type,
        }
    )


def _merged(first: list[Item], second: list[Item]) -> list[Item]:
    return list(dict.fromkeys((*first, *second)))[: limits.FILTER_TERMS]
