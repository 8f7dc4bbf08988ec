"""How relevant papers are, and the reasons given."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paper_search.domains import DOMAINS
from paper_search.models import (
    Author,
    IntentType,
    ParsedIntent,
    RawPaper,
    ScoredPaper,
    SourceFacts,
)
from paper_search.skills.relevance_scorer import RuleRelevanceScorer
from tests.paper_search.samples import parse, raw_paper


def score(papers: list[RawPaper], intent: ParsedIntent, domain: str = "general") -> list[ScoredPaper]:
    scorer = RuleRelevanceScorer(DOMAINS[domain], this_year=2026)
    return asyncio.run(scorer.score(papers, intent))


def test_the_text_decides_and_the_reason_says_what_was_found() -> None:
    papers = [
        raw_paper("Graph neural networks for molecules", abstract="We propose a new method.", citation_count=12),
        raw_paper("A history of bread", abstract="Flour and graph neural networks."),
    ]
    first, second = score(papers, parse("graph neural networks for molecules"))
    assert first.relevance_score > 0.8 > 0.4 > second.relevance_score
    assert first.relevance_reason == "Title has “Graph”, “neural”, “networks”, “molecules”; cited 12 times"
    assert second.relevance_reason == "Abstract has “graph”, “neural”, “networks”"


def test_a_reason_quotes_the_words_that_are_there_or_says_that_none_is() -> None:
    asked = ParsedIntent(topic="graph networks", concepts=["graph networks"])
    by_keyword = raw_paper("Bread", keywords=["Graph Networks"])
    papers = [by_keyword, raw_paper("Networks of bread"), raw_paper("Bread")]
    assert [scored.relevance_reason for scored in score(papers, asked)] == [
        "Keywords have “Graph Networks”",
        "Has “Networks”",
        "No word of the question, close in meaning",
    ]


def test_only_what_a_paper_is_about_ranks_it_lower() -> None:
    asked = parse("tagging in languages other than English")
    about, mentions = raw_paper("Tagging English", year=2020), raw_paper("Tagging", abstract="Not English.", year=2020)
    scored = score([about, mentions], asked)
    assert [("less wanted" in item.relevance_reason) for item in scored] == [True, False]


def test_where_even_the_best_paper_lacks_the_words_no_score_is_high() -> None:
    sure, unsure = (
        raw_paper("Graph networks", facts=SourceFacts(match=1.0)),
        raw_paper("Bread", facts=SourceFacts(match=1.0)),
    )
    assert score([sure], parse("graph networks"))[0].relevance_score > 0.9
    assert score([unsure], parse("graph networks"))[0].relevance_score < 0.5


def test_between_equal_texts_newer_cited_and_fitting_papers_come_first() -> None:
    plain = raw_paper("Batteries", year=1990)
    for better in (raw_paper("Batteries", year=2025), raw_paper("Batteries", year=1990, citation_count=500)):
        worse, better_scored = score([plain, better], parse("batteries"))
        assert better_scored.relevance_score > worse.relevance_score
    in_domain = raw_paper("Batteries", abstract="An electrolyte.", facts=SourceFacts(match=0.5))
    outside = raw_paper("Batteries", abstract="A story.", facts=SourceFacts(match=0.5))
    one, other = score([in_domain, outside], parse("batteries"), "materials_science")
    assert one.relevance_score > other.relevance_score


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.builds(raw_paper, st.text(min_size=1, max_size=30), abstract=st.text(max_size=60)), max_size=5),
    st.text(max_size=30),
)
def test_scores_are_between_0_and_1(papers: list[RawPaper], question: str) -> None:
    assert all(0 <= item.relevance_score <= 1 for item in score(papers, parse(question)))


@pytest.mark.parametrize(
    ("kind", "title", "reason"),
    [
        (IntentType.survey, "Graph networks: a survey", "a review"),
        (IntentType.dataset, "A dataset of graph networks", "about data"),
    ],
)
def test_what_fits_the_question_is_said(kind: IntentType, title: str, reason: str) -> None:
    intent = ParsedIntent(topic="graph networks", concepts=["graph networks"], intent_type=kind)
    paper = RawPaper(id="1", title=title, source="test")
    (scored,) = asyncio.run(RuleRelevanceScorer(DOMAINS["general"], 2026).score([paper], intent))
    assert reason in scored.relevance_reason


def test_the_kind_asked_for_comes_first_even_with_a_weaker_match() -> None:
    papers = [
        RawPaper(id="method", title="Graph networks", facts=SourceFacts(match=1.0)),
        RawPaper(id="survey", title="Graph networks: a survey", facts=SourceFacts(match=0.7)),
    ]
    scored = asyncio.run(
        RuleRelevanceScorer(DOMAINS["general"], 2026).score(papers, parse("surveys of graph networks"))
    )
    assert max(scored, key=lambda item: item.relevance_score).paper.id == "survey"


def test_an_author_asked_for_is_named_in_the_reason() -> None:
    papers = [RawPaper(title="Graphs", authors=[Author(name="Dan Jurafsky")], facts=SourceFacts(match=1.0))]
    scored = asyncio.run(RuleRelevanceScorer(DOMAINS["general"], 2026).score(papers, parse("papers by Dan Jurafsky")))
    assert scored[0].relevance_reason.startswith("By Dan Jurafsky")
    assert scored[0].relevance_score > 0.9


@pytest.mark.parametrize(
    ("title", "abstract", "reason"),
    [
        ("Human judges", "", "Title has “Human judges”"),
        ("How a human judge decides", "", "Title has “human judge”"),
        ("Judges", "They are human.", "Has words of “human judges”"),
        ("Judges of human speech", "", "Has words of “human judges”"),
        ("Speech", "Rated by human-judge panels.", "Abstract has “human-judge”"),
    ],
)
def test_what_a_reason_quotes_is_there_as_it_is_quoted(title: str, abstract: str, reason: str) -> None:
    paper = RawPaper(id="1", title=title, abstract=abstract or None, source="test")
    intent = ParsedIntent(topic="human judges", concepts=["human judges"])
    (scored,) = asyncio.run(RuleRelevanceScorer(DOMAINS["general"], 2026).score([paper], intent))
    assert scored.relevance_reason == reason
