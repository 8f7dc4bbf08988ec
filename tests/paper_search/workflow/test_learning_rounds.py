"""What one round teaches the next: marks, notes and edits, kept until they are changed."""

import asyncio

import pytest

from paper_search.models import PaperTag, RawPaper, SearchConstraints, SearchQuery, SearchStrategy, SynonymMap
from paper_search.workflow.checkpoints import Decision
from paper_search.workflow.errors import InvalidDecision
from tests.paper_search.samples import strategy
from tests.paper_search.workflows import APPROVE, Finder, Parts, Script, decision


class TopicalFinder(Finder):
    """Finds papers whose titles say something: 1a is about molecules, 1b about proteins."""

    async def search(self, asked: SearchStrategy) -> list[RawPaper]:
        found = await super().search(asked)
        for paper, topic in zip(found, ("Molecules", "Proteins"), strict=True):
            paper.title = f"{topic} on graphs"
        return found


def rounds(*decisions: Decision) -> Parts:
    """The parts of a search that was decided on like this and approved from then on."""
    parts = Parts(finder=TopicalFinder())
    asyncio.run(parts.workflow(Script(list(decisions))).run("graphs"))
    return parts


def test_marks_reach_the_filters_of_the_next_round_in_words_and_as_papers() -> None:
    marks = decision("edit", {"marked_relevant": ["1b"], "marked_irrelevant": ["1a"]})
    filters = rounds(APPROVE, marks).builder.asked[1].intent.constraints
    assert (filters.like_papers, filters.unlike_papers) == (["1b"], ["1a"])
    assert filters.more_like == ["proteins"]
    assert filters.less_like == ["molecules"]


def test_marks_of_all_rounds_count_until_they_are_changed() -> None:
    first = decision("edit", {"marked_relevant": ["1a"], "marked_irrelevant": ["1b"]})
    second = decision("edit", {"marked_relevant": ["2a", "1b"]})
    filters = rounds(APPROVE, first, APPROVE, second).builder.asked[2].intent.constraints
    assert filters.like_papers == ["1a", "1b", "2a"]
    assert filters.unlike_papers == []


def test_a_note_changes_the_next_round_and_those_after_it() -> None:
    asked = rounds(
        APPROVE,
        decision("reject", note="only since 2022, no surveys"),
        APPROVE,
        decision("reject", note="without BERT"),
    ).builder.asked
    assert asked[1].intent.constraints.year_from == 2022
    last = asked[2].intent.constraints
    assert (last.year_from, last.excluded_kinds, last.excluded) == (2022, [PaperTag.review], ["BERT"])


def test_edited_terms_years_maximum_and_sources_stay_in_the_next_round() -> None:
    edited = SearchStrategy(
        queries=[SearchQuery(keywords=["molecules"], boolean_query="molecules")],
        sources=["crossref"],
        filters=SearchConstraints(year_from=2015, max_results=7, language="de"),
    )
    parts = rounds(decision("edit", edited), decision("reject", note="more on proteins"))
    again = parts.finder.asked[1]
    assert again.queries[0] == edited.queries[0]
    assert again.sources == ["crossref"]
    assert parts.builder.asked[1].intent.topic == "molecules"
    filters = parts.builder.asked[1].intent.constraints
    assert filters.more_like == ["proteins"]
    assert (filters.year_from, filters.max_results, filters.language) == (2015, 7, "de")


def test_a_note_wins_over_an_earlier_edit() -> None:
    edited = strategy("graphs", "attempt 1").model_copy(update={"filters": SearchConstraints(year_from=2010)})
    asked = rounds(decision("edit", edited), decision("reject", note="since 2020")).builder.asked
    assert asked[1].intent.constraints.year_from == 2020


def test_a_learned_word_that_was_taken_out_does_not_come_back() -> None:
    marks = decision("edit", {"marked_relevant": ["1b"]})
    edited = strategy("graphs", "attempt 2")
    asked = rounds(
        APPROVE, marks, decision("edit", edited), decision("edit", {"marked_relevant": ["2a"]})
    ).builder.asked
    assert "proteins" in asked[1].intent.constraints.more_like
    assert "proteins" not in asked[2].intent.constraints.more_like


def test_a_boolean_query_written_by_hand_is_meant_as_it_stands() -> None:
    edited = strategy("graphs", "attempt 1")
    edited.queries[0].boolean_query = "graphs AND (molecules OR proteins) NOT social"
    searched = rounds(decision("edit", edited)).finder.asked[0].queries[0]
    assert searched.strict
    assert searched.keywords == ["graphs", "molecules", "proteins"]


def test_edited_synonyms_change_the_boolean_query() -> None:
    edited = strategy("graphs", "attempt 1")
    edited.queries[0].synonym_map = [SynonymMap(keyword="graphs", synonyms=["networks"])]
    searched = rounds(decision("edit", edited)).finder.asked[0].queries[0]
    assert searched.boolean_query == '(graphs OR networks) AND "attempt 1"'
    assert not searched.strict


def test_a_plan_that_was_edited_is_searched_without_being_asked_about_again() -> None:
    plan: dict[str, object] = {
        "concepts": [["molecules", "compounds"], ["toxicity"]],
        "not": ["lead"],
        "year_from": 2015,
    }
    parts = rounds(decision("edit", plan))
    intent = parts.builder.asked[1].intent
    assert (intent.concepts, intent.planned) == (["molecules", "toxicity"], True)
    assert intent.synonyms == [SynonymMap(keyword="molecules", synonyms=["compounds"])]
    assert (intent.constraints.excluded, intent.constraints.year_from) == (["lead"], 2015)
    assert intent.topic == "graphs"
    assert len(parts.finder.asked) == 1


def test_feedback_in_fields_changes_the_plan_and_what_is_dropped_never_comes_back() -> None:
    feedback: dict[str, object] = {
        "like": ["1b"],
        "prefer": ["kinases"],
        "avoid": ["surveys"],
        "drop": ["proteins"],
        "constraints": {"authors": ["Kipf"], "year_to": 2020},
    }
    filters = rounds(APPROVE, decision("edit", feedback)).builder.asked[1].intent.constraints
    assert (filters.like_papers, filters.authors, filters.year_to) == (["1b"], ["Kipf"], 2020)
    assert (filters.more_like, filters.less_like) == (["kinases"], ["surveys"])


def test_what_a_note_says_that_was_not_understood_changes_nothing_and_is_told() -> None:
    parts = Parts(finder=TopicalFinder())
    workflow = parts.workflow(Script([APPROVE, decision("reject", note="Je ne veux pas de BERT. since 2020")]))
    asyncio.run(workflow.run("graphs"))
    assert workflow.state is not None
    assert workflow.state.reading is not None
    assert workflow.state.reading.not_understood == ["Je ne veux pas de BERT"]
    assert workflow.state.reading.understood == {"year_from": 2020}
    before, after = (asked.intent for asked in parts.builder.asked)
    assert after.constraints == before.constraints.model_copy(update={"year_from": 2020})


@pytest.mark.parametrize(
    "marks", [{"like": ["1a"], "unlike": ["1a"]}, {"like": ["nobody"]}, {"unsure": ["1b"], "marked_relevant": ["1b"]}]
)
def test_a_paper_marked_twice_and_one_that_nobody_knows_are_refused(marks: dict[str, object]) -> None:
    with pytest.raises(InvalidDecision):
        rounds(APPROVE, decision("edit", marks))
