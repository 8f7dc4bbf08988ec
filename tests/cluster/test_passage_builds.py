"""Passages on a real cluster: sent with their papers, changed with them, found in a few requests."""

from collections.abc import Iterable, Iterator
from itertools import islice

import pytest
from msgspec.structs import replace

from papercore.retrieval import (
    BuildReport,
    ClusterAddress,
    Document,
    Filters,
    Index,
    PassageEntry,
    PassageRequest,
    build_index_on_cluster,
)
from papercore.retrieval.cluster_indexes import ClusterIndexes
from tests.cluster.conftest import PATIENCE_SECONDS
from tests.cluster.test_round_trips import CountingCluster
from tests.papercore.retrieval.test_passages import documents, found

RECENT = Filters(year_from=2000)


def with_passages(name: str, *texts: str) -> Document:
    entries = [PassageEntry(text, "Results", f"{name}:{text}".encode()) for text in texts]
    return Document(name, f"Paper {name}", " ".join(texts), passages=entries)


BEFORE = [
    with_passages("moss", "Moss grows on rocks.", "Rocks are cold."),
    with_passages("tides", "Tides follow the moon.", "The moon is far.", "Tides are strong."),
    with_passages("bread", "Bread rises slowly."),
    *(with_passages(f"stars-{number}", f"Star {number} is bright.") for number in range(12)),
]
# One has other passages and the same words elsewhere, one has none any more, one is gone, and one is new.
AFTER = [
    replace(BEFORE[0], passages=BEFORE[0].passages[:1]),
    replace(BEFORE[1], passages=[]),
    *BEFORE[3:],
    with_passages("soup", "Soup needs salt.", "Salt comes from the sea."),
]
QUESTIONS = ("moss on rocks", "cold rocks", "strong tides", "the moon", "bread", "salt soup", "bright star")


def build(address: ClusterAddress, build_id: str, papers: Iterable[Document]) -> BuildReport:
    return build_index_on_cluster(address, papers, facets=(), build_id=build_id)


def open_index(address: ClusterAddress, build_id: str) -> Index:
    index = ClusterIndexes(CountingCluster(address, PATIENCE_SECONDS)).open(build_id)
    assert index is not None
    return index


def test_a_build_beside_another_has_its_own_passages(address: ClusterAddress) -> None:
    build(address, "one", BEFORE)
    build(address, "two", AFTER)
    other = replace(address, prefix=f"{address.prefix}-alone")
    build(other, "two", AFTER)
    old, new, alone = open_index(address, "one"), open_index(address, "two"), open_index(other, "two")
    for question in QUESTIONS:
        assert set(found(new, question)) == set(found(alone, question))
    assert found(new, "cold rocks", documents=("moss",)) == [b"moss:Moss grows on rocks."]
    assert found(new, "tides moon", documents=("tides",)) == []
    assert found(new, "salt") == [b"soup:Soup needs salt.", b"soup:Salt comes from the sea."]
    # The build before is as it was.
    assert set(found(old, "follow strong", documents=("tides",))) == {
        b"tides:Tides follow the moon.",
        b"tides:Tides are strong.",
    }
    assert found(old, "salt") == []


def test_an_interrupted_build_is_continued_with_all_passages(
    address: ClusterAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papercore.retrieval.engines.opensearch.cluster.BULK_DOCUMENTS", 1)
    monkeypatch.setattr("papercore.retrieval.vectors.document_vectors.CHUNK", 2)

    def interrupted(sent: Iterator[None], total: int) -> Iterator[None]:
        yield from islice(sent, 3)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_index_on_cluster(address, BEFORE, facets=(), build_id="one", watch=interrupted)
    assert build(address, "one", BEFORE).embedded <= len(BEFORE) - 3
    index = open_index(address, "one")
    for paper in BEFORE:
        expected = {entry.payload for entry in paper.passages}
        assert set(found(index, paper.text, documents=(paper.id,))) == expected


@pytest.mark.parametrize(
    ("request_", "most"),
    [
        (PassageRequest("recurrent gate", 60), 7),
        (PassageRequest("recurrent gate -kind", 60), 9),
        (PassageRequest("recurrent gate", 60, RECENT), 10),
        (PassageRequest("recurrent gate", 60, by_meaning=True), 7),
        (PassageRequest("recurrent gate", 60, documents=("cats", "gate-1", "gate-2")), 4),
        (PassageRequest("recurrent gate", 60, RECENT, documents=("cats", "gate-1", "gate-2")), 5),
    ],
    ids=["words", "condition", "filters", "meaning", "named", "named, filters"],
)
def test_a_search_for_passages_makes_a_few_requests(gates: ClusterAddress, request_: PassageRequest, most: int) -> None:
    cluster = CountingCluster(gates, PATIENCE_SECONDS)
    index = ClusterIndexes(cluster).open("one")
    assert index is not None
    cluster.requests = 0
    assert index.passages(request_)
    assert cluster.requests <= most


def test_a_library_without_passages_finds_none(address: ClusterAddress) -> None:
    build(address, "one", [replace(paper, passages=()) for paper in documents()[:3]])
    assert open_index(address, "one").passages(PassageRequest("gate", 5)) == []
