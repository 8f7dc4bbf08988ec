"""Absurd limits, offsets and years are refused before the engine sees them, and its panics are errors like others."""

import pytest
from msgspec.structs import replace

from papercore import limits
from papercore.errors import InvalidInput
from papercore.retrieval import INDEX_HITS, INDEX_OFFSET, INDEX_QUERY_CHARS, Filters, Index, Request
from papercore.retrieval.basics.errors import EngineFailed
from papercore.retrieval.engines.embedded.words import engine_panics_translated
from papercore.retrieval.engines.interface import WordQuery

ABSURD = [-1, 10**12, 2**62, 10**19]


@pytest.mark.parametrize("number", ABSURD)
def test_an_absurd_number_is_refused(index: Index, number: int) -> None:
    for field in ("limit", "offset", "facet_limit", "year_limit"):
        with pytest.raises(InvalidInput, match=field):
            replace(Request("water"), **{field: number})
    for years in (Filters(year_from=number), Filters(year_to=number)):
        with pytest.raises(InvalidInput, match="year"):
            Request("water", filters=years)
    with pytest.raises(InvalidInput, match="limit"):
        index.suggest("wat", ["title"], number)
    with pytest.raises(InvalidInput, match="limit"):
        index.similar("1", number)


def test_the_highest_allowed_numbers_are_answered(index: Index) -> None:
    years = Filters(year_from=0, year_to=limits.LAST_YEAR)
    wide = Request("water", INDEX_HITS, filters=years, facets=("year",), year_limit=INDEX_HITS)
    assert index.search(wide).total == index.search(Request("water", filters=years)).total
    assert index.search(Request("water", INDEX_HITS, INDEX_OFFSET)).hits == ()
    assert index.search(Request("water " * (INDEX_QUERY_CHARS // 6))).total
    with pytest.raises(InvalidInput, match="query"):
        Request("x" * (INDEX_QUERY_CHARS + 1))


def test_a_panic_of_the_engine_is_an_error_that_can_be_answered(index: Index) -> None:
    with pytest.raises(EngineFailed, match="Change the query"), engine_panics_translated():
        index.generation.words.ranked(WordQuery(None), 2**62)


def test_other_errors_pass_unchanged() -> None:
    with pytest.raises(KeyboardInterrupt), engine_panics_translated():
        raise KeyboardInterrupt
