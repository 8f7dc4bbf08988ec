"""Which records are the same paper, and what is left of them."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paper_search.models import (
    Author,
    RawPaper,
    SourceFacts,
)
from paper_search.skills.deduplicator import RuleDeduplicator, merge
from tests.paper_search.samples import raw_paper


def deduplicated(*papers: RawPaper) -> list[RawPaper]:
    return asyncio.run(RuleDeduplicator().deduplicate(list(papers)))


VASWANI = [Author(name="A. Vaswani")]


def test_preprint_and_published_version_become_one_with_the_richest_fields() -> None:
    preprint = raw_paper(
        source="arxiv",
        doi="10.48550/arXiv.1706.03762",
        venue="arXiv",
        year=2017,
        authors=VASWANI,
        abstract="Long text.",
    )
    published = raw_paper(
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
    ("first", "second", "count"),
    [
        (raw_paper(doi="10.1/A"), raw_paper("Other title", doi="https://doi.org/10.1/a"), 1),
        (
            raw_paper(facts=SourceFacts(arxiv_id="1706.03762v7")),
            raw_paper("X", full_text_url="https://arxiv.org/abs/1706.03762"),
            1,
        ),
        (raw_paper(year=2017, authors=VASWANI), raw_paper(year=2018, authors=VASWANI), 1),
        (raw_paper(year=2010, authors=VASWANI), raw_paper(year=2018, authors=VASWANI), 2),
        (raw_paper(doi="10.1/a"), raw_paper(doi="10.1/b"), 2),
        (raw_paper(authors=VASWANI), raw_paper(authors=[Author(name="Somebody Else")]), 2),
        (raw_paper("Editorial", year=2000, source="a"), raw_paper("Editorial", year=2000, source="b"), 2),
        (raw_paper(source="a"), raw_paper(source="b"), 1),
        (raw_paper(source="a"), raw_paper(source="a"), 2),
        (raw_paper(), raw_paper("Something else"), 2),
    ],
)
def test_what_is_the_same_paper(first: RawPaper, second: RawPaper, count: int) -> None:
    assert len(deduplicated(first, second)) == count


def test_a_record_that_connects_two_others_makes_all_three_one() -> None:
    first, second = (
        raw_paper("First name", doi="10.1/a"),
        raw_paper("Second name", facts=SourceFacts(arxiv_id="1706.03762")),
    )
    bridge = raw_paper("Third name", doi="10.1/a", facts=SourceFacts(arxiv_id="1706.03762"))
    assert len(deduplicated(first, second, bridge)) == 1


papers_to_merge = st.lists(
    st.builds(
        raw_paper,
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


def test_a_partial_author_list_never_replaces_a_whole_one() -> None:
    whole = raw_paper(source="crossref", authors=[Author(name="Ashish Vaswani"), Author(name="Noam Shazeer")])
    part = raw_paper(
        source="serpapi",
        authors=[Author(name=f"A Vaswani {number}") for number in range(4)],
        facts=SourceFacts(partial_authors=True),
    )
    assert merge([part, whole]).authors == whole.authors


@pytest.mark.parametrize("order", [1, -1])
def test_the_entry_of_a_preprint_is_not_cited_for_the_published_version(order: int) -> None:
    preprint = raw_paper(source="arxiv", venue="arXiv", year=2017, authors=VASWANI, bibtex="@misc{a, year={2017}}")
    published = raw_paper(source="crossref", doi="10.5555/3295222", venue="NeurIPS", year=2018, authors=VASWANI)
    (paper,) = deduplicated(*[preprint, published][::order])
    assert (paper.venue, paper.year, paper.bibtex) == ("NeurIPS", 2018, None)
