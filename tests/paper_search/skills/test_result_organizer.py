"""The ordered collection with facets and themes."""

import asyncio

from paper_search.models import (
    ScoredPaper,
)
from paper_search.skills.result_organizer import RuleResultOrganizer, themes
from tests.paper_search.samples import raw_paper, strategy


def test_the_collection_is_ordered_cut_and_has_facets() -> None:
    scored = [
        ScoredPaper(
            paper=raw_paper(f"Graph networks {number}", id=str(number), year=2020, venue="V"),
            relevance_score=number / 10,
        )
        for number in range(5)
    ]
    asked = strategy()
    asked.filters.max_results = 3
    collection = asyncio.run(RuleResultOrganizer().organize(scored, asked, "graphs"))
    assert [paper.id for paper in collection.papers] == ["4", "3", "2"]
    assert collection.metadata.total_found == 5
    assert (collection.facets.by_year, collection.facets.by_venue) == ({2020: 3}, {"V": 3})
    assert collection.facets.key_themes == ["graph networks"]


def test_themes_are_what_titles_share() -> None:
    assert themes(["Graph networks for bread", "Graph Network methods", "Graph networks"]) == ["graph networks"]
    assert themes(["Bread", "Bread and butter", "Wine"]) == ["bread"]
    assert themes(["Bread", "Wine"]) == []
