"""The rules: what a question asks, how it is searched, what is the same paper, how it is scored."""

import asyncio
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paper_search.domains import DOMAINS
from paper_search.models import (
    Author,
    IntentType,
    PaperTag,
    ParsedIntent,
    QueryBuilderInput,
    RawPaper,
    ScoredPaper,
    SearchConstraints,
    UserFeedback,
)
from paper_search.skills.boolean import all_of, excluded_terms
from paper_search.skills.deduplicator import RuleDeduplicator
from paper_search.skills.intent_parser import RuleIntentParser
from paper_search.skills.query_builder import RuleQueryBuilder, read_feedback
from paper_search.skills.relevance_scorer import RuleRelevanceScorer
from paper_search.skills.result_organizer import RuleResultOrganizer, themes
from paper_search.skills.tagging import tags
from paper_search.skills.thesaurus import Thesaurus
from paper_search.skills.years import read_years
from tests.paper_search.collections import strategy


def parse(text: str) -> ParsedIntent:
    return asyncio.run(RuleIntentParser(this_year=2026).parse(text))


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("since 2018", 2018, None),
        ("after 2018", 2019, None),
        ("published before 2018", None, 2017),
        ("up to 2018", None, 2018),
        ("2018 or later", 2018, None),
        ("between 2010 and 2015", 2010, 2015),
        ("2015-2010", 2010, 2015),
        ("in 2019", 2019, 2019),
        ("in the last five years", 2021, None),
        ("over the past decade", 2016, None),
        ("from 2001 until 2009", 2001, 2009),
        ("2001 a space odyssey", None, None),
        ("ISO 9001", None, None),
    ],
)
def test_years_are_read(text: str, first: int | None, last: int | None) -> None:
    found = read_years(f"graphs {text}", this_year=2026)
    assert (found.first, found.last) == (first, last)


def test_years_in_a_pasted_text_are_not_meant() -> None:
    assert parse("graphs of the past decade " + "and many other words " * 8).constraints == SearchConstraints()


def test_years_count_from_today_unless_told() -> None:
    assert read_years("last 3 years").first == datetime.now(UTC).year - 3


def test_a_question_becomes_an_intent() -> None:
    intent = parse("Find me the top 10 papers about perovskite solar cells and tandem devices, in English, 2015-2020")
    assert intent.topic == "perovskite solar cells and tandem devices"
    assert intent.concepts == ["perovskite solar cells", "tandem devices"]
    assert intent.constraints == SearchConstraints(year_from=2015, year_to=2020, language="en", max_results=10)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a survey of graph networks", IntentType.survey),
        ("datasets for question answering", IntentType.dataset),
        ("BERT compared with GPT", IntentType.baseline),
        ("graph networks", IntentType.method),
    ],
)
def test_the_kind_of_answer_is_read(text: str, kind: IntentType) -> None:
    assert parse(text).intent_type is kind


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_a_question(text: str) -> None:
    intent = parse(text)
    assert all(concept.strip() for concept in intent.concepts)


KEYWORDS = ["gnn", "graph neural network", "graph-neural-networks", "image segmentation", "support vector machine"]


def test_synonyms_come_from_the_librarys_keywords() -> None:
    thesaurus = Thesaurus(lambda: KEYWORDS)
    assert "gnn" in thesaurus.synonyms("graph neural networks")
    assert "support vector machine" in thesaurus.synonyms("SVM")
    assert thesaurus.synonyms("quantum gravity") == []
    assert Thesaurus(list).synonyms("graphs") == []


def build(text: str, feedback: UserFeedback | None = None, attempts: int = 0) -> list[str]:
    builder = RuleQueryBuilder(["snapshot"], Thesaurus(lambda: KEYWORDS))
    data = QueryBuilderInput(intent=parse(text), previous_strategies=[strategy()] * attempts, user_feedback=feedback)
    return [query.boolean_query for query in asyncio.run(builder.build(data)).queries]


def test_the_question_is_searched_first_and_then_with_synonyms() -> None:
    queries = build("graph neural networks for molecules")
    assert queries[0] == '("graph neural networks" OR gnn) AND molecules'
    assert queries[1] == "gnn AND molecules"


def test_feedback_narrows_and_excludes() -> None:
    queries = build("batteries", UserFeedback(free_text_feedback="More on anodes, but no sodium or zinc please"))
    assert queries[0] == "batteries NOT sodium NOT zinc"
    assert queries[1] == "batteries AND anodes NOT sodium NOT zinc"
    assert read_feedback(None) == ([], [])


def test_a_further_attempt_is_broader() -> None:
    assert build("alpha beta for gamma delta", attempts=1)[-1] == '"alpha beta" AND "gamma delta"'
    assert build("alpha beta for gamma delta", attempts=2)[-1] == '"alpha beta"'


@settings(max_examples=80, deadline=None)
@given(st.lists(st.lists(st.text(max_size=12), min_size=1, max_size=3), max_size=4), st.lists(st.text(max_size=8)))
def test_boolean_queries_are_balanced_whatever_the_words(groups: list[list[str]], excluded: list[str]) -> None:
    query = all_of(groups, excluded)
    assert query.count("(") == query.count(")")
    assert query.count('"') % 2 == 0
    assert len(excluded_terms(query)) <= len(excluded)


def raw(title: str = "Attention is all you need", **fields: object) -> RawPaper:
    return RawPaper.model_validate({"title": title, **fields})


def deduplicated(*papers: RawPaper) -> list[RawPaper]:
    return asyncio.run(RuleDeduplicator().deduplicate(list(papers)))


VASWANI = [Author(name="A. Vaswani")]


def test_preprint_and_published_version_become_one_with_the_richest_fields() -> None:
    preprint = raw(
        source="arxiv",
        doi="10.48550/arXiv.1706.03762",
        venue="arXiv",
        year=2017,
        authors=VASWANI,
        abstract="Long text.",
    )
    published = raw(
        "Attention Is All You Need.",
        source="crossref",
        doi="10.5555/3295222",
        venue="NeurIPS",
        year=2018,
        citation_count=9,
        authors=[Author(name="Ashish Vaswani"), Author(name="Noam Shazeer")],
    )
    (paper,) = deduplicated(preprint, published)
    assert (paper.doi, paper.venue, paper.year) == ("10.5555/3295222", "NeurIPS", 2018)
    assert (paper.abstract, paper.citation_count, len(paper.authors)) == ("Long text.", 9, 2)
    assert paper.source == "arxiv, crossref"
    assert paper.id == preprint.id


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        (raw(doi="10.1/A"), raw("Other title", doi="https://doi.org/10.1/a"), 1),
        (raw(raw_data={"arxiv_id": "1706.03762v7"}), raw("X", full_text_url="https://arxiv.org/abs/1706.03762"), 1),
        (raw(year=2017, authors=VASWANI), raw(year=2018, authors=VASWANI), 1),
        (raw(year=2010, authors=VASWANI), raw(year=2018, authors=VASWANI), 2),
        (raw(doi="10.1/a"), raw(doi="10.1/b"), 2),
        (raw(authors=VASWANI), raw(authors=[Author(name="Somebody Else")]), 2),
        (raw("Editorial", year=2000, source="a"), raw("Editorial", year=2000, source="b"), 2),
        (raw(source="a"), raw(source="b"), 1),
        (raw(source="a"), raw(source="a"), 2),
        (raw(), raw("Something else"), 2),
    ],
)
def test_what_is_the_same_paper(one: RawPaper, other: RawPaper, count: int) -> None:
    assert len(deduplicated(one, other)) == count


def test_a_record_that_connects_two_others_makes_all_three_one() -> None:
    one, two = raw("First name", doi="10.1/a"), raw("Second name", raw_data={"arxiv_id": "1706.03762"})
    bridge = raw("Third name", doi="10.1/a", raw_data={"arxiv_id": "1706.03762"})
    assert len(deduplicated(one, two, bridge)) == 1


papers_to_merge = st.lists(
    st.builds(
        raw,
        st.sampled_from(["Graph networks for molecules", "Graph Networks for Molecules", "Other title of this"]),
        doi=st.sampled_from([None, "10.1/a", "10.1/b", "10.48550/x"]),
        year=st.sampled_from([None, 2019, 2020]),
        source=st.sampled_from(["a", "b"]),
    ),
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(papers_to_merge)
def test_deduplicating_twice_changes_nothing_and_no_source_is_lost(papers: list[RawPaper]) -> None:
    once = deduplicated(*papers)
    assert deduplicated(*once) == once
    assert {name for paper in once for name in paper.source.split(", ")} == {paper.source for paper in papers}
    assert {paper.doi for paper in once} - {None} <= {paper.doi for paper in papers}


def score(papers: list[RawPaper], intent: ParsedIntent, domain: str = "general") -> list[ScoredPaper]:
    scorer = RuleRelevanceScorer(DOMAINS[domain], this_year=2026)
    return asyncio.run(scorer.score(papers, intent))


def test_the_text_decides_and_the_reason_says_what_was_found() -> None:
    papers = [
        raw("Graph neural networks for molecules", abstract="We propose a new method.", citation_count=12),
        raw("A history of bread", abstract="Flour and graph neural networks."),
    ]
    first, second = score(papers, parse("graph neural networks for molecules"))
    assert first.relevance_score > 0.8 > 0.4 > second.relevance_score
    assert first.relevance_reason == "Title has “graph neural networks”, “molecules”; cited 12 times"
    assert second.relevance_reason == "Abstract has “graph neural networks”"


def test_where_even_the_best_paper_lacks_the_words_no_score_is_high() -> None:
    sure, unsure = raw("Graph networks", raw_data={"match": 1.0}), raw("Bread", raw_data={"match": 1.0})
    assert score([sure], parse("graph networks"))[0].relevance_score > 0.9
    assert score([unsure], parse("graph networks"))[0].relevance_score < 0.5


def test_between_equal_texts_newer_cited_and_fitting_papers_come_first() -> None:
    plain = raw("Batteries", year=1990)
    for better in (raw("Batteries", year=2025), raw("Batteries", year=1990, citation_count=500)):
        worse, better_scored = score([plain, better], parse("batteries"))
        assert better_scored.relevance_score > worse.relevance_score
    in_domain = raw("Batteries", abstract="An electrolyte.", raw_data={"match": 0.5})
    outside = raw("Batteries", abstract="A story.", raw_data={"match": 0.5})
    one, other = score([in_domain, outside], parse("batteries"), "materials_science")
    assert one.relevance_score > other.relevance_score


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.builds(raw, st.text(min_size=1, max_size=30), abstract=st.text(max_size=60)), max_size=5),
    st.text(max_size=30),
)
def test_scores_are_between_0_and_1(papers: list[RawPaper], question: str) -> None:
    assert all(0 <= item.relevance_score <= 1 for item in score(papers, parse(question)))


def test_tags_say_what_kind_of_paper_it_is() -> None:
    assert tags("A survey of graphs", None) == [PaperTag.review]
    assert tags("Bounds on graphs", "We prove a theorem.") == [PaperTag.theoretical]
    assert tags("GraphBench", "A new dataset. Experiments show much.") == [PaperTag.dataset, PaperTag.empirical]
    assert tags("Graphs", "") == [PaperTag.method]


def test_the_collection_is_ordered_cut_and_has_facets() -> None:
    scored = [
        ScoredPaper(
            paper=raw(f"Graph networks {number}", id=str(number), year=2020, venue="V"), relevance_score=number / 10
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
    assert themes(["Graph neural networks", "Graph Neural Network methods", "Bread"])[0] in (
        "graph neural",
        "neural networks",
    )
    assert themes(["One", "Two"]) == []
