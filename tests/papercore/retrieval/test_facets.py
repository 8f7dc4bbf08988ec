"""Facet values: one value whatever its case, counted over all hits, named as people write it."""

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papercore.retrieval import Document, Filters, Index, Request, update_index
from papercore.retrieval.facets import same_value_key
from tests.papercore.retrieval.collection import FACETS, build, found, opened, paper

NAMES = ["Ada Smith", "ada smith", "ADA  SMITH", "Jürgen", "jurgen", "王小明", "O'Brien", "x"]
names = st.sampled_from(NAMES) | st.text(min_size=1, max_size=20).filter(lambda text: bool(same_value_key(text)))
libraries = st.lists(st.lists(names, max_size=4), min_size=1, max_size=12)


def documents(library: list[list[str]]) -> list[Document]:
    return [paper(f"p{i}", f"Soup {i % 3}", authors=tuple(authors)) for i, authors in enumerate(library)]


def papers_of_many_authors() -> list[Document]:
    """Seven thousand authors of one paper each, but for one of three and one of two."""
    groups = [[f"Author {10 * number + author:04}" for author in range(10)] for number in range(700)]
    for number in (100, 300, 500):
        groups[number].append("Ada Smith")
    for number in (200, 600):
        groups[number].append("Ben Smith")
    return documents(groups)


@pytest.fixture(scope="module")
def many_authors(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return build(tmp_path_factory.mktemp("authors"), papers_of_many_authors())


def counted(index: Index, query: str) -> dict[str, int]:
    counts = index.search(Request(query, mode="words", facets=("author",), facet_limit=100)).facets["author"]
    assert len({same_value_key(count.value) for count in counts}) == len(counts)
    return {same_value_key(count.value): count.count for count in counts}


def test_of_values_as_common_as_each_other_those_of_the_first_papers_are_shown(many_authors: Index) -> None:
    counts = many_authors.search(Request("soup", mode="words", facets=("author",))).facets["author"]
    assert [(item.value, item.count) for item in counts[:2]] == [("Ada Smith", 3), ("Ben Smith", 2)]
    assert [item.value for item in counts[2:]] == [f"Author {number:04}" for number in range(18)]


def test_after_an_update_no_paper_is_left_out_of_a_count(tmp_path: Path) -> None:
    build(tmp_path, papers_of_many_authors())
    added = paper("new", "Soup again", authors=("Author 6990",))
    assert update_index(
        tmp_path,
        build_before="one",
        build_id="two",
        changed=["new"],
        documents_of=lambda ids: [added] if "new" in ids else [],
        facets=FACETS,
    )
    counts = opened(tmp_path, "two").search(Request("soup", mode="words", facets=("author",))).facets["author"]
    assert [(item.value, item.count) for item in counts[:3]] == [
        ("Ada Smith", 3),
        ("Author 6990", 2),
        ("Ben Smith", 2),
    ]


@given(libraries)
@settings(max_examples=15, deadline=None)
def test_counts_are_those_of_the_documents_and_a_filter_keeps_as_many(library: list[list[str]]) -> None:
    expected = Counter(key for authors in library for key in {same_value_key(name) for name in authors})
    with TemporaryDirectory() as folder:
        index = build(Path(folder), documents(library))
        assert counted(index, "soup") == expected
        for name, count in expected.items():
            kept = index.search(Request("soup", mode="words", filters=Filters(values=(("author", name),))))
            assert kept.total == count


@given(libraries, st.integers(0, 2))
@settings(max_examples=10, deadline=None)
def test_only_the_hits_are_counted(library: list[list[str]], number: int) -> None:
    hits = [authors for i, authors in enumerate(library) if i % 3 == number]
    with TemporaryDirectory() as folder:
        index = build(Path(folder), documents(library))
        expected = Counter(key for authors in hits for key in {same_value_key(name) for name in authors})
        assert counted(index, f"title:{number}") == expected


@pytest.mark.parametrize("given", [("ada smith", "Ada Smith"), ("Ada Smith", "ada smith"), ("Ada Smith", "ADA SMITH")])
def test_a_name_is_shown_as_people_write_it(tmp_path: Path, given: tuple[str, ...]) -> None:
    index = build(tmp_path, documents([[name] for name in given]))
    assert [(item.value, item.count) for item in index.suggest("ada", ("author",), 5)] == [("Ada Smith", 2)]
    assert index.search(Request("soup", facets=("author",))).facets["author"][0].value == "Ada Smith"
    assert index.written("author", "ADA smith") == "Ada Smith"


def test_accents_matter_only_where_both_spellings_exist(tmp_path: Path) -> None:
    index = build(tmp_path, documents([["Jürgen"], ["Jurgen"], ["Łukasz"]]))
    by = {name: set(found(index, "", filters=Filters(values=(("author", name),)))) for name in NAMES[3:5]}
    assert by == {"Jürgen": {"p0"}, "jurgen": {"p1"}}
    assert found(index, "", filters=Filters(values=(("author", "lukasz"),))) == ["p2"]
    assert index.written("author", "nobody") is None
    assert index.written("colour", "red") is None


def test_stored_payloads_are_found_by_id(tmp_path: Path) -> None:
    index = build(tmp_path)
    assert index.payloads(["soup", "nothing"]) == {"soup": b"soup"}
