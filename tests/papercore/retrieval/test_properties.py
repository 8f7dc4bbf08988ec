"""What holds for any collection and any text."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from papercore.retrieval import Filters, Index, Mode, Request
from papercore.retrieval.basics.analysis import value_key
from tests.papercore.retrieval.collection import build, ids, paper

few = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
modes: st.SearchStrategy[Mode] = st.sampled_from(["hybrid", "words", "meaning"])
vocabulary = 'neural networks learn translation soup attention AND -safety author:smith "deep learning" 深度学习'
queries = st.lists(st.sampled_from(vocabulary.split()), max_size=5).map(" ".join)


@given(text=st.text(max_size=60) | queries, mode=modes, limit=st.integers(1, 9))
@settings(few, max_examples=100)
def test_no_text_is_an_error_and_no_page_is_too_long(index: Index, text: str, mode: Mode, limit: int) -> None:
    results = index.search(Request(text, limit=limit, mode=mode, facets=("author", "year")))
    assert len(results.hits) <= min(limit, results.total + results.beyond)
    index.suggest(text, ("title", "author"), limit)


@given(text=queries, mode=modes, year=st.integers(1990, 2022), author=st.sampled_from(["ada smith", "nobody"]))
@few
def test_a_filter_never_adds_hits(index: Index, text: str, mode: Mode, year: int, author: str) -> None:
    everything = set(ids(index.search(Request(text, limit=100, mode=mode))))
    for filters in (Filters(year_from=year), Filters(values=(("author", author),))):
        fewer = index.search(Request(text, limit=100, mode=mode, filters=filters))
        assert set(ids(fewer)) <= everything
        assert fewer.total + fewer.beyond <= len(everything)


@given(text=queries, mode=modes, size=st.integers(1, 4), sort=st.sampled_from(["relevance", "year", "title"]))
@few
def test_pages_are_stable_and_complete(index: Index, text: str, mode: Mode, size: int, sort: str) -> None:
    whole = index.search(Request(text, limit=100, mode=mode, sort=sort))  # type: ignore[arg-type]
    # Another order sorts what reaches the mark; by relevance, what shares a word follows it.
    listed = whole.total + (whole.beyond if sort == "relevance" else 0)
    pages = [
        hit
        for offset in range(0, listed, size)
        for hit in index.search(Request(text, size, offset, mode, sort)).hits  # type: ignore[arg-type]
    ]
    assert [hit.id for hit in pages] == ids(whole)
    assert len(pages) == listed == len(set(ids(whole)))


titles = st.text(min_size=1, max_size=40).filter(lambda text: any(letter.isalnum() for letter in text))


@given(st.lists(titles | queries.filter(bool), min_size=5, max_size=20, unique_by=value_key))
@settings(few, max_examples=3)
def test_an_exact_title_is_first(sought: list[str]) -> None:
    documents = [paper(f"repeats {i}", "Another", f"{title} " * 3) for i, title in enumerate(sought)]
    documents += [paper(title, title) for title in sought]
    with TemporaryDirectory() as folder:
        index = build(Path(folder), documents)
        for title in sought:
            assert ids(index.search(Request(title, limit=3)))[0] == title


def test_many_hits_are_paged_without_gap_or_repetition(tmp_path: Path) -> None:
    documents = [paper(f"p{i}", f"Networks number {i}", "deep " * (1 + i % 7), year=2000 + i % 20) for i in range(450)]
    index = build(tmp_path, documents)
    found = [hit.id for start in range(0, 450, 90) for hit in index.search(Request("networks deep", 90, start)).hits]
    assert sorted(found) == sorted(document.id for document in documents)
