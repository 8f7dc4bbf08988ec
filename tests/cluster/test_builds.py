"""Builds on a real cluster: published whole, one at a time, the old one kept, what was interrupted removed."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from papercore.retrieval import (
    BuildReport,
    ClusterAddress,
    Document,
    EngineFailed,
    Index,
    IndexBusy,
    Request,
    SentenceModel,
    build_index_on_cluster,
)
from papercore.retrieval.cluster_indexes import ClusterIndexes
from papercore.retrieval.engines.opensearch.cluster import Cluster
from papercore.retrieval.engines.opensearch.documents import values_index
from papercore.retrieval.engines.opensearch.registry import Registry
from papercore.retrieval.vectors.arrays import Matrix
from papercore.retrieval.vectors.sentence_model import text_of
from tests.cluster.conftest import PATIENCE_SECONDS
from tests.papercore.retrieval.collection import FACETS, PAPERS, ids, paper
from tests.papercore.retrieval.tiny_model import write_model


def build(address: ClusterAddress, build_id: str, documents: Iterable[Document] = PAPERS) -> BuildReport:
    return build_index_on_cluster(address, documents, facets=FACETS, build_id=build_id)


def operator(address: ClusterAddress) -> Cluster:
    return Cluster(address, PATIENCE_SECONDS)


def open_index(address: ClusterAddress, build_id: str) -> Index | None:
    return ClusterIndexes(operator(address)).open(build_id)


def index_names(address: ClusterAddress) -> set[str]:
    return set(operator(address).client.indices.get(index=f"{address.prefix}-*"))


def aliased(address: ClusterAddress) -> set[str]:
    return set(operator(address).client.indices.get_alias(name=address.prefix))


def test_a_build_is_found_by_its_id_and_the_alias_names_it(address: ClusterAddress) -> None:
    assert open_index(address, "one") is None
    build(address, "one")
    index = open_index(address, "one")
    assert index is not None
    assert index.manifest.documents == len(PAPERS)
    assert [name.split("-")[2] for name in aliased(address)] == ["one"]
    assert open_index(address, "two") is None


def test_two_builds_stay_and_older_ones_are_removed(address: ClusterAddress) -> None:
    for build_id in ("one", "two", "three"):
        build(address, build_id)
    indexes = ClusterIndexes(operator(address))
    assert indexes.open("one") is None
    assert indexes.open("two") is not None
    assert indexes.open("three") is not None
    # For each of two builds the papers, the values and the passages, and the list of builds.
    assert len(index_names(address)) == 7


def test_a_build_that_fails_changes_nothing(address: ClusterAddress) -> None:
    build(address, "one")
    before = index_names(address), aliased(address)

    def broken() -> Iterator[Document]:
        yield PAPERS[0]
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk"):
        build(address, "two", broken())
    assert (index_names(address), aliased(address)) == before
    build(address, "two")


def test_what_a_killed_build_left_is_removed_by_the_next(address: ClusterAddress) -> None:
    build(address, "one")
    cluster = operator(address)
    left = Registry(cluster).new_names("killed").papers
    foreign = f"{address.prefix}-of-another-program"
    cluster.create_index(left, values_index(address))
    cluster.create_index(foreign, {})
    build(address, "two")
    assert left not in index_names(address)
    assert foreign in index_names(address)


def test_two_builds_at_once_do_not_mix(address: ClusterAddress) -> None:
    with Registry(operator(address)).building(), pytest.raises(IndexBusy):
        build(address, "one")
    build(address, "one")


def test_a_document_that_the_cluster_refuses_ends_the_build(address: ClusterAddress) -> None:
    far = replace(PAPERS[0], year=2**40)
    with pytest.raises(EngineFailed, match="refused a document"):
        build(address, "one", (far,))
    assert open_index(address, "one") is None


@pytest.mark.long
def test_an_index_built_anew_is_taken_up(address: ClusterAddress, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("papercore.retrieval.cluster_indexes.LOOK_SECONDS", 0.0)
    build(address, "one", PAPERS[:2])
    indexes = ClusterIndexes(operator(address))
    first = indexes.open("one")
    build(address, "one")
    second = indexes.open("one")
    assert first is not None
    assert second is not None
    assert (first.manifest.documents, second.manifest.documents) == (2, len(PAPERS))
    assert ids(second.search(Request("soup")))[0] == "soup"


CHANGED = replace(PAPERS[0], title="Attention Is Not All You Need", facets={"author": ("Yihe Dong",)}, year=2021)
ADDED = paper("bread", "Sourdough Bread", "Wild yeast and time.", authors=("Anna Baker",), venue="Kitchen Letters")
OTHERS = tuple(
    paper(f"stars-{number}", f"Stars of the Year {number}", "Bright.", year=number) for number in range(2000, 2006)
)
# The first is another, the second is gone, and there is one more, in front.
UPDATED = (ADDED, CHANGED, *PAPERS[2:], *OTHERS)
QUESTIONS = ("attention", "sourdough bread", "recurrent networks", "soup", "author:vaswani", "safety of vehicles")


def test_a_build_beside_another_answers_like_one_that_is_alone(address: ClusterAddress) -> None:
    before = (*PAPERS, *OTHERS)
    assert build(address, "one", before).embedded == len(before)
    assert build(address, "two", UPDATED).embedded == len(UPDATED)
    old, new = open_index(address, "one"), open_index(address, "two")
    other = replace(address, prefix=f"{address.prefix}-alone")
    build(other, "two", UPDATED)
    alone = open_index(other, "two")
    assert old
    assert new
    assert alone
    for question in QUESTIONS:
        request = Request(question, facets=("author", "venue", "year"), mode="words")
        found, expected = new.search(request), alone.search(request)
        assert (found.total, found.facets) == (expected.total, expected.facets)
        assert set(ids(found)) == set(ids(expected))
    assert new.search(Request("", sort="title")).total == len(UPDATED)
    assert new.suggest("vaswani", ["author"], 5) == []
    assert [item.count for item in new.suggest("yihe", ["author"], 5)] == [1]
    assert ids(new.search(Request("wild yeast")))[0] == "bread"
    assert old.written("author", "ashish vaswani") == "Ashish Vaswani"
    assert new.written("author", "ashish vaswani") is None
    assert new.similar("resnet", 3)
    # The build before is as it was.
    assert ids(old.search(Request("attention is all you need")))[0] == "attention"
    assert old.search(Request("sourdough", mode="words")).total == 0


class CountingModel(SentenceModel, frozen=True, dict=True, kw_only=True):
    """Notes what it reads."""

    read: list[str]

    def encode(self, texts: Sequence[str]) -> Matrix:
        self.read.extend(texts)
        return super().encode(texts)


def test_the_sentence_model_reads_only_what_it_has_not_read_for_the_build_before(
    address: ClusterAddress, tmp_path: Path
) -> None:
    loaded = SentenceModel.load(write_model(tmp_path / "tiny"))
    models = [CountingModel(loaded.model_id, loaded.tokenizer, loaded.session, read=[]) for _ in range(2)]
    for model, build_id, papers in zip(models, ("one", "two"), (PAPERS, (ADDED, CHANGED, *PAPERS[1:])), strict=True):
        build_index_on_cluster(address, papers, facets=FACETS, build_id=build_id, model=model)
    assert len(models[0].read) == len(PAPERS)
    assert models[1].read == [text_of(ADDED.title, ADDED.text), text_of(CHANGED.title, CHANGED.text)]
    index = ClusterIndexes(operator(address), loaded).open("two")
    assert index is not None
    sentences, words = index.generation.sentences, index.generation.words
    assert sentences is not None
    row = words.rows_of(["soup"])["soup"]
    expected = loaded.encode([text_of(document.title, document.text) for document in PAPERS if document.id == "soup"])
    np.testing.assert_allclose(sentences.of(np.array([row])), expected, atol=1e-3)


def test_an_interrupted_build_is_continued(address: ClusterAddress, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("papercore.retrieval.engines.opensearch.cluster.BULK_DOCUMENTS", 1)

    def interrupted(sent: Iterator[None], total: int) -> Iterator[None]:
        yield from islice(sent, 3)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_index_on_cluster(address, PAPERS, facets=FACETS, build_id="one", watch=interrupted)
    assert open_index(address, "one") is None
    report = build(address, "one")
    assert report.documents == len(PAPERS)
    assert report.embedded <= len(PAPERS) - 3
    index = open_index(address, "one")
    assert index
    assert ids(index.search(Request("soup")))[0] == "soup"
    # Three indexes of one build, and the list of builds.
    assert len(index_names(address)) == 4


@pytest.mark.long
def test_a_build_of_other_data_does_not_continue_an_interrupted_one(address: ClusterAddress) -> None:
    def interrupted(sent: Iterator[None], total: int) -> Iterator[None]:
        yield from islice(sent, 1)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_index_on_cluster(address, PAPERS, facets=FACETS, build_id="one", watch=interrupted)
    assert build(address, "two", PAPERS[:5]).embedded == 5
    assert len(index_names(address)) == 4


# More than the nodes take at once while they have little room.
# Room for what creates an index and for all that nodes tell each other meanwhile, but not for these documents.
ROOM, LARGE = "300kb", [paper(f"long-{number}", "A long one", "a word " * 20_000) for number in range(10)]


@contextmanager
def little_room(address: ClusterAddress) -> Iterator[Callable[[], None]]:
    """The nodes take requests of 300 KB at most, until what is given here is called."""
    client = operator(address).client

    def limit(value: str | None) -> None:
        client.cluster.put_settings(body={"transient": {"network.breaker.inflight_requests.limit": value}})

    limit(ROOM)
    try:
        yield lambda: limit(None)
    finally:
        limit(None)


def test_a_cluster_without_room_is_asked_again_until_it_has_some(
    address: ClusterAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papercore.retrieval.engines.opensearch.cluster.BULK_PAUSES", (0.5,) * 60)
    with little_room(address) as has_room:
        lifting = threading.Timer(2, has_room)
        lifting.start()
        assert build(address, "one", [*PAPERS, *LARGE]).documents == len(PAPERS) + len(LARGE)
        lifting.join()
    index = open_index(address, "one")
    assert index is not None
    assert index.search(Request("word", mode="words")).total == len(LARGE)


def test_a_cluster_that_gets_no_room_is_told_with_what_to_do(
    address: ClusterAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papercore.retrieval.engines.opensearch.cluster.BULK_PAUSES", (0.01,))
    with little_room(address), pytest.raises(EngineFailed, match="is too busy to"):
        build(address, "one", LARGE)
    assert open_index(address, "one") is None
    assert build(address, "one", LARGE).documents == len(LARGE)
