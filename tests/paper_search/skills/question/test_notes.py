"""What a reviewer's note changes: one row of notes.txt for each note, on a search for speech translation, 2000-2010."""

from pathlib import Path

import pytest

from paper_search.models import PaperTag, ParsedIntent, SearchConstraints
from paper_search.skills.question.notes import revised_intent

ROWS = (Path(__file__).parent / "notes.txt").read_text(encoding="utf-8").splitlines()
LISTS = ("excluded", "less_like", "kinds", "excluded_kinds", "authors", "venues")
BEFORE = ParsedIntent(
    topic="speech translation",
    concepts=["speech translation"],
    constraints=SearchConstraints(year_from=2000, year_to=2010),
)


def changes(after: ParsedIntent) -> dict[str, str]:
    """What differs from the intent before, as a row says it."""
    filters = after.constraints
    found = {name: "; ".join(getattr(filters, name)) for name in LISTS}
    found["concepts"] = "; ".join(after.concepts[1:])
    years = f"{filters.year_from or ''}-{filters.year_to or ''}"
    found["years"] = "" if years == "2000-2010" else years
    found["language"] = filters.language or ""
    found["max_results"] = "" if filters.max_results == 100 else str(filters.max_results)
    return {name: value for name, value in found.items() if value}


@pytest.mark.parametrize("row", ROWS)
def test_a_note_changes_what_it_says(row: str) -> None:
    note, *parts = row.split(" | ")
    expected = dict(part.split(": ", 1) for part in parts)
    assert changes(revised_intent(BEFORE, note, this_year=2026)) == expected


def test_the_table_has_60_notes() -> None:
    assert len(set(ROWS)) >= 60


def test_what_is_asked_for_now_is_no_longer_excluded() -> None:
    filters = SearchConstraints(excluded=["evaluation", "speech"], excluded_kinds=[PaperTag.review])
    after = revised_intent(ParsedIntent(topic="translation", constraints=filters), "more on evaluation. Only surveys")
    assert after.constraints.excluded == ["speech"]
    assert (after.constraints.kinds, after.constraints.excluded_kinds) == ([PaperTag.review], [])


def test_the_topic_gets_what_is_wanted() -> None:
    assert (
        revised_intent(BEFORE, "focus on low-resource languages").topic == "speech translation low-resource languages"
    )


def test_a_note_of_any_length_stays_within_the_limits() -> None:
    after = revised_intent(BEFORE, "without " + "a" * 1900 + ". " + "more on " + ", ".join("xyz"))
    assert ParsedIntent.model_validate(after.model_dump())
