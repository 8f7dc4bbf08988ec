"""The ordered collection with facets and themes."""

import asyncio

from paper_search.models import ScoredPaper, SourceFacts
from paper_search.skills.result_organizer import RuleResultOrganizer, themes
from paper_search.text import ANSWERED, NOTHING
from papercore.retrieval import verdict_at
from tests.paper_search.samples import raw_paper, strategy


def test_the_collection_is_ordered_cut_and_has_facets() -> None:
    scored = [
        ScoredPaper(
            paper=raw_paper(f"Graph networks {number}", id=str(number), year=2020, venue="V"),
            relevance_score=0.5 + number / 10,
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


def test_papers_below_the_mark_are_no_result_however_few_are_left() -> None:
    def kept(*scores: float) -> int:
        papers = [raw_paper(id=str(score), facts=SourceFacts(match=score)) for score in scores]
        scored = [ScoredPaper(paper=paper, relevance_score=paper.facts.match or 0.0) for paper in papers]
        return len(asyncio.run(RuleResultOrganizer().organize(scored, strategy(), "graphs")).papers)

    assert kept(0.9, 0.2, 0.1) == 2
    assert kept(0.3, 0.1, 0.09) == 2
    # What no text made it give is what somebody asked for by name.
    assert kept(0.07, 0.06) == 2


def test_what_no_judge_has_seen_is_kept() -> None:
    other = ScoredPaper(paper=raw_paper(facts=SourceFacts(cites=["1"])), relevance_score=0.01)
    assert asyncio.run(RuleResultOrganizer().organize([other], strategy(), "graphs")).papers


def test_the_mark_is_where_the_judge_of_a_library_says_nothing() -> None:
    assert [verdict_at(score) for score in (NOTHING - 0.001, NOTHING, ANSWERED)] == ["nothing", "unsure", "answered"]
