"""The floor: a question that the library does not answer has no hits, and what is typed as it stands is found."""

from itertools import chain, combinations, combinations_with_replacement
from pathlib import Path

import numpy as np
import pytest

from papercore.retrieval import Filters, Index, Request
from papercore.retrieval.basics.query import Words
from papercore.retrieval.engines.clauses import AllMatch, AnyMatch, Clause, HasTerm
from papercore.retrieval.engines.interface import WordQuery
from papercore.retrieval.engines.word_clauses import FLOOR_LEVELS, WordClauses
from papercore.retrieval.ranking.evidence import ENOUGH, TOO_LITTLE, Evidence
from papercore.retrieval.ranking.judge import Judgement
from papercore.retrieval.vectors.arrays import Rows
from tests.papercore.retrieval.collection import build, found, ids, paper

OFF_TOPIC = ["football world cup results", "cheap flights to Lisbon", "Wie wird das Wetter morgen?", "勝者は誰ですか"]


@pytest.mark.parametrize("text", OFF_TOPIC)
@pytest.mark.parametrize("mode", ["hybrid", "meaning"])
def test_a_question_that_nothing_answers_has_no_hits(index: Index, text: str, mode: str) -> None:
    results = index.search(Request(text, mode=mode, facets=("author", "year")))  # type: ignore[arg-type]
    assert (results.hits, results.total) == ((), 0)
    assert not any(results.facets.values())


def test_its_nearest_documents_are_offered_apart(index: Index) -> None:
    results = index.search(Request("learn to cook for the football world cup finals in Brazil"))
    assert results.hits == ()
    assert 1 <= len(results.nearest) <= 3
    assert all(hit.score is not None and hit.score < ENOUGH for hit in results.nearest)


@pytest.mark.parametrize("sort", ["year", "oldest", "title"])
def test_no_order_lists_what_is_below_the_floor(index: Index, sort: str) -> None:
    assert index.search(Request(OFF_TOPIC[0], sort=sort)).total == 0  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("zucchini", "soup"),
        ("Shazeer", "attention"),
        ("Ashish Vaswani", "attention"),
        ("venue:cvpr", "resnet"),
        ('"seat belts"', "cars"),
        ("1706.03762", "attention"),
        ("Long Short-Term Memory", "lstm"),
        ("I am interested in articles written by Shazeer", "attention"),
        ("please list all papers of Shazeer, N. or Wittgenstein, L.", "attention"),
        ("articles on XLNET or BERT", "chinese"),
    ],
)
def test_what_matches_as_typed_is_a_result(index: Index, text: str, first: str) -> None:
    results = index.search(Request(text))
    assert ids(results)[:1] == [first]
    assert results.nearest == ()


def test_a_name_among_other_words_is_no_answer(index: Index) -> None:
    assert found(index, "the football season that Smith, A. watched in Brazil") == []


def test_words_that_only_ask_for_papers_do_not_count(index: Index) -> None:
    plain = index.search(Request("recurrent networks"))
    asked = index.search(Request("I am interested in papers that describe recurrent networks"))
    assert asked.hits[0].score == pytest.approx(plain.hits[0].score, abs=0.05)


def test_words_that_only_ask_for_papers_are_not_counted_by(tmp_path: Path) -> None:
    library = [paper(f"p{n}", f"Trees {n}", "These papers grow.") for n in range(30)]
    library.append(paper("zebra", "Zebras and Stripes", "Striped zebras."))
    assert build(tmp_path / "index", library).search(Request("papers on striped zebras with horns")).total == 1


def test_what_is_looked_up_by_words_and_not_found_is_not_answered(index: Index) -> None:
    assert index.search(Request('relations by patterns such as "X and other Y"')).verdict == "nothing"


def test_words_alone_are_matched_without_a_floor(index: Index) -> None:
    assert "lstm" in found(index, "football networks", mode="words")


def test_a_filter_that_leaves_nothing_is_no_missing_answer(index: Index) -> None:
    results = index.search(Request("recurrent networks", filters=Filters(year_from=1900, year_to=1901)))
    assert (results.hits, results.nearest) == ((), ())


def test_the_best_hit_says_how_likely_the_question_is_answered(index: Index) -> None:
    best, *others = index.search(Request("recurrent networks")).hits
    assert best.score is not None
    assert ENOUGH <= best.score <= 1
    assert all(other.score is not None and other.score <= best.score for other in others)


def test_more_of_the_question_is_more_evidence() -> None:
    little, much = Evidence(0.3, 0.2, 0.1, 0.2, 0.7), Evidence(0.7, 0.9, 0.8, 0.6, 0.7)
    assert little.confidence < ENOUGH < much.confidence


def test_a_verdict_goes_with_the_confidence() -> None:
    verdicts = [Judgement(confidence, None).verdict for confidence in (0.0, TOO_LITTLE, 0.3, ENOUGH, 1.0)]
    assert verdicts == ["nothing", "unsure", "unsure", "answered", "answered"]


def test_a_whole_title_counts_its_paper_alone(index: Index) -> None:
    results = index.search(Request("Attention Is All You Need", facets=("author",)))
    assert (ids(results)[0], results.total) == ("attention", 1)
    assert {count.count for count in results.facets["author"]} == {1}


def test_what_only_shares_a_word_follows_and_is_counted_apart(index: Index) -> None:
    results = index.search(Request("recurrent networks", limit=100))
    assert results.beyond
    assert len(results.hits) == results.total + results.beyond
    assert len(index.search(Request("recurrent networks", limit=100, sort="year")).hits) == results.total


def matches(clause: Clause, terms: frozenset[str]) -> bool:
    """Whether a document with these terms matches."""
    match clause:
        case AnyMatch(parts, at_least):
            return sum(matches(part, terms) for part in parts) >= at_least
        case AllMatch(parts):
            return all(matches(part, terms) for part in parts)
        case HasTerm(_, term):
            return term in terms
    return False


def test_whatever_levels_a_document_has_must_add_up_to_four() -> None:
    for levels in combinations_with_replacement(range(5), 5):
        terms = tuple(zip("abcde", levels, strict=True))
        clause = WordClauses((), ranking=False).of(Words(("apple",), terms))
        for chosen in chain.from_iterable(combinations(terms, size) for size in range(1, 6)):
            enough = sum(level for _, level in chosen) >= FLOOR_LEVELS
            assert matches(clause, frozenset(term for term, _ in chosen)) == enough, (levels, chosen)


def test_levels_are_reached_by_one_word_or_by_several(index: Index) -> None:
    """A document needs levels that add up to four."""
    levels = (("recurr", 2), ("network", 2), ("pictur", 1))
    clause = WordClauses((), ranking=False).of(Words(("recurrent", "networks", "pictures"), levels))
    assert clause == WordClauses((), ranking=False).of(Words(("recurrent", "networks"), levels))
    assert index.generation.words.weighed([(clause, 1.0)], _rows(index, "lstm", "resnet", "soup")).tolist() == [1, 0, 0]


def _rows(index: Index, *names: str) -> Rows:
    return np.array(list(index.generation.words.rows_of(names).values()), dtype=np.int64)


@pytest.mark.parametrize("words", [3, 40])
def test_what_a_floor_requires_is_found_out_of_some_documents_as_of_all(index: Index, words: int) -> None:
    levels = (*((f"word{number}", 1) for number in range(words)), ("recurr", 2), ("network", 2), ("pictur", 3))
    clause = WordClauses((), ranking=False).of(Words(("recurrent",), levels))
    everything = np.arange(index.manifest.documents)
    matching = index.generation.words.weighed([(clause, 1.0)], everything)
    within = index.generation.words.within(WordQuery(Words(("recurrent",), levels)), everything)
    assert within.tolist() == np.flatnonzero(matching).tolist() != []
