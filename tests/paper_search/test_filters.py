"""Which papers match the filters of a strategy."""

import pytest

from paper_search.filters import appeared_at, is_about, is_by, matches, tags
from paper_search.models import Author, PaperTag, RawPaper, SearchConstraints, SourceFacts

PAPER = RawPaper(
    title="Parsing with BERT: a survey",
    abstract="We parse without any attention at all.",
    authors=[Author(name="Christopher D. Manning"), Author(name="Jürgen Schmidhuber")],
    year=2019,
    venue="Proceedings of the 57th Annual Meeting of the Association for Computational Linguistics",
    facts=SourceFacts(language="en"),
)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (SearchConstraints(), True),
        (SearchConstraints(year_from=2020), False),
        (SearchConstraints(language="en"), True),
        (SearchConstraints(language="de"), False),
        (SearchConstraints(authors=["Hinton", "Manning"]), True),
        (SearchConstraints(authors=["Hinton"]), False),
        (SearchConstraints(venues=["ACL"]), True),
        (SearchConstraints(venues=["ICML"]), False),
        (SearchConstraints(excluded=["bert"]), False),
        (SearchConstraints(excluded=["attention"]), True),
        (SearchConstraints(excluded=["graph networks"]), True),
        (SearchConstraints(excluded_kinds=[PaperTag.review]), False),
        (SearchConstraints(excluded_kinds=[PaperTag.thesis]), True),
    ],
)
def test_filters_decide(filters: SearchConstraints, expected: bool) -> None:
    assert matches(PAPER, filters) is expected


def test_what_a_paper_does_not_tell_counts_for_it() -> None:
    unknown = RawPaper(title="Parsing")
    assert matches(unknown, SearchConstraints(year_from=2020, language="de", authors=["Hinton"]))


@pytest.mark.parametrize("name", ["Manning", "C. Manning", "Chris D. Manning", "Schmidhuber", "Jurgen Schmidhuber"])
def test_a_name_is_found_by_its_parts(name: str) -> None:
    assert is_by(PAPER.authors, name) is (name != "Chris D. Manning")


def test_a_venue_is_found_by_its_words() -> None:
    assert appeared_at("acl", "ACL")
    assert not appeared_at("NAACL", "ACL")


def test_a_paper_that_does_without_a_thing_is_not_about_it() -> None:
    assert is_about(RawPaper(title="Parallel data for all"), "parallel data")
    assert not is_about(RawPaper(title="Translation without aligned parallel data"), "parallel data")


def test_a_keyword_names_a_subject() -> None:
    paper = RawPaper(title="Attention Is All You Need", abstract="Presents the Transformer.", keywords=["transformer"])
    assert is_about(paper, "transformers")
    assert not is_about(paper, "recurrent networks")


def test_tags_say_what_kind_of_paper_it_is() -> None:
    assert tags("A survey of graphs", None) == [PaperTag.review]
    assert tags("Bounds on graphs", "We prove a theorem.") == [PaperTag.theoretical]
    assert tags("GraphBench", "A new dataset. Experiments show much.") == [PaperTag.dataset, PaperTag.empirical]
    assert tags("Graphs", "") == [PaperTag.method]
