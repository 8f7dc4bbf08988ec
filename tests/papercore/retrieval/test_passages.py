"""The index of passages: which ones are found by words, by the rank of their document and within conditions."""

from pathlib import Path

import pytest

from papercore.retrieval import Document, Filters, Index, IndexFolder, PassageEntry, PassageRequest, build_index

DEEP = "The gradient of the recurrent gate vanishes after forty steps."


def documents() -> list[Document]:
    """Forty papers about gates that never say what one long paper about something else says deep inside."""
    about = [
        Document(
            f"gate-{n}",
            f"Recurrent gate number {n}",
            "A recurrent gate of some kind.",
            year=2000 + n,
            facets={"author": (f"Author {n}",)},
            passages=[PassageEntry(f"A recurrent gate of some kind {n}.", payload=b"gate-%d" % n)],
        )
        for n in range(40)
    ]
    filler = [PassageEntry(f"Cats weigh {n} kilos.", "1 Cats", b"cats-%d" % n) for n in range(300)]
    long = Document(
        "cats",
        "Cats",
        "Cats are weighed.",
        body=" ".join(entry.text for entry in filler) + DEEP,
        year=1999,
        passages=[*filler, PassageEntry(DEEP, "2 Unrelated remarks", b"deep")],
    )
    return [*about, long]


@pytest.fixture(scope="module")
def passages(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder: Path = tmp_path_factory.mktemp("passages")
    build_index(folder, documents(), facets=("author",), build_id="b")
    index = IndexFolder(folder).open("b")
    assert index is not None
    return index


def found(index: Index, query: str, limit: int = 60, **wanted: object) -> list[bytes]:
    candidates = index.passages(PassageRequest(query, limit, **wanted))  # type: ignore[arg-type]
    return [candidate.payload for candidate in candidates]


def test_a_passage_deep_in_a_long_text_is_found_although_its_paper_ranks_low(passages: Index) -> None:
    assert b"deep" in found(passages, "gradient vanishes after steps")[:1]
    assert b"deep" in found(passages, "recurrent gate gradient vanishes")


def test_the_rank_of_a_document_helps_its_passages(passages: Index) -> None:
    candidates = passages.passages(PassageRequest("recurrent gate number 7", 60))
    assert candidates[0].payload == b"gate-7"
    assert candidates[0].fit == 1.0


@pytest.mark.parametrize("query", ["recurrent gate -kind", "recurrent gate author:7", "recurrent gate year:2007"])
def test_conditions_of_the_query_hold_for_the_paper(passages: Index, query: str) -> None:
    expected = {b"deep"} if "-kind" in query else {b"gate-7"}
    assert set(found(passages, query)) == expected


def test_filters_only_remove(passages: Index) -> None:
    assert set(found(passages, "recurrent gate", filters=Filters((("author", "Author 7"),)))) == {b"gate-7"}
    assert found(passages, "recurrent gate", filters=Filters(year_from=1990, year_to=1999)) == [b"deep"]


def test_only_in_the_documents_named(passages: Index) -> None:
    assert found(passages, "recurrent gate", documents=("cats",)) == [b"deep"]
    assert found(passages, "recurrent gate", documents=("cats",), filters=Filters(year_from=2000)) == []
    assert found(passages, "recurrent gate", documents=("nobody",)) == []


def test_by_meaning_the_first_passages_of_the_best_papers_come(passages: Index) -> None:
    assert b"gate-3" in found(passages, "recurrent gate number 3", by_meaning=True)


@pytest.mark.parametrize("query", ["", "the", "-gate", '"', "year:2007", "🦔"])
def test_no_query_is_an_error(passages: Index, query: str) -> None:
    assert isinstance(found(passages, query), list)


def test_an_index_without_passages_or_documents_answers_nothing(tmp_path: Path) -> None:
    build_index(tmp_path, [], facets=(), build_id="b")
    index = IndexFolder(tmp_path).open("b")
    assert index is not None
    assert index.passages(PassageRequest("gate", 5)) == []


def test_of_the_best_documents_a_passage_counts_for_the_words_above_it(passages: Index) -> None:
    assert found(passages, "unrelated remarks", documents=("cats",)) == [b"deep"]
    assert found(passages, "unrelated gradient")[:1] == [b"deep"]
