"""The index folder: atomic, versioned, tied to its data and model, replaced under readers without error."""

import json
import threading
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from papercore.retrieval import Document, IndexBusy, IndexFolder, Request, build_index
from papercore.retrieval.engines.embedded import folder
from papercore.retrieval.engines.generation import VERSION
from tests.papercore.retrieval.collection import FACETS, PAPERS, build, found, opened, paper


def test_an_index_is_found_by_what_it_was_built_from(tmp_path: Path) -> None:
    build(tmp_path, build_id="one")
    indexes = IndexFolder(tmp_path)
    assert indexes.open("one") is not None
    assert indexes.open("two") is None
    build_index(tmp_path, PAPERS[:2], facets=FACETS, build_id="two")
    one, two = indexes.open("one"), indexes.open("two")
    assert one is not None
    assert two is not None
    assert (one.manifest.documents, two.manifest.documents) == (len(PAPERS), 2)


def test_a_missing_or_damaged_folder_is_no_index(tmp_path: Path) -> None:
    assert IndexFolder(tmp_path / "nowhere").open("one") is None
    build(tmp_path)
    (tmp_path / folder.LIST).write_text("not json")
    assert IndexFolder(tmp_path).open("one") is None


@pytest.mark.parametrize(
    "damage", ["vectors.npy", "addresses.npy", "words/meta.json", "suggestions/meta.json", "values/author/keys.npy"]
)
def test_an_index_with_a_damaged_file_is_no_index(tmp_path: Path, damage: str) -> None:
    build(tmp_path)
    (folder.generations(tmp_path)[0] / damage).write_bytes(b"")
    assert IndexFolder(tmp_path).open("one") is None


def test_an_index_of_another_version_is_not_read(tmp_path: Path) -> None:
    build(tmp_path)
    manifest = folder.generations(tmp_path)[0] / folder.MANIFEST
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "version": VERSION + 1}))
    assert IndexFolder(tmp_path).open("one") is None


def test_only_two_generations_stay_on_disk(tmp_path: Path) -> None:
    for number in range(4):
        build(tmp_path, build_id=str(number))
    assert len(list(tmp_path.glob("generation-*"))) == 2


def test_a_build_that_fails_leaves_the_index_as_it_was(tmp_path: Path) -> None:
    build(tmp_path)

    def failing() -> Document:
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="disk"):
        build_index(tmp_path, (failing() for _ in range(2)), facets=FACETS, build_id="two")
    assert found(opened(tmp_path), "soup") == ["soup"]
    assert len(list(tmp_path.glob("generation-*"))) == 1


def test_two_builds_at_once_do_not_mix(tmp_path: Path) -> None:
    with folder.building(tmp_path), pytest.raises(IndexBusy):
        build(tmp_path)


def test_only_changed_documents_are_embedded_again(tmp_path: Path) -> None:
    first = build_index(tmp_path, PAPERS, facets=FACETS, build_id="one")
    changed = (*PAPERS[1:], replace(PAPERS[0], text="Something else entirely about gardens."))
    second = build_index(tmp_path, changed, facets=FACETS, build_id="two")
    assert (first.embedded, second.embedded) == (len(PAPERS), 1)
    one, two = opened(tmp_path, "one").generation.meaning, opened(tmp_path, "two").generation.meaning
    assert one is not None
    assert two is not None
    before, after = (meaning.vectors.of(np.arange(len(PAPERS))) for meaning in (one, two))
    np.testing.assert_array_equal(before[1:], after[:-1])
    assert np.abs(before[0] - after[-1]).max() > 0.1


def test_a_collection_that_changed_much_is_embedded_anew(tmp_path: Path) -> None:
    build_index(tmp_path, PAPERS[:3], facets=FACETS, build_id="one")
    assert build_index(tmp_path, PAPERS, facets=FACETS, build_id="two").embedded == len(PAPERS)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_tiny_collections_work(tmp_path: Path, count: int) -> None:
    index = build(tmp_path, PAPERS[:count])
    results = index.search(Request("attention networks", facets=("author",)))
    assert results.total + results.beyond == count
    assert index.search(Request("attention", mode="meaning")).total <= count


def test_progress_is_told(tmp_path: Path) -> None:
    seen: list[int] = []
    build_index(tmp_path, PAPERS, facets=FACETS, build_id="one", progress=seen.append)
    assert seen == list(range(1, len(PAPERS) + 1))


def test_queries_while_the_index_is_replaced_twenty_times(tmp_path: Path) -> None:
    """No error, and every answer belongs whole to one build: each build's papers carry its number."""

    def numbered(number: int) -> list[Document]:
        return [paper(f"{number}-{i}", f"Neural networks {i}", "About networks.") for i in range(12)]

    build_index(tmp_path, numbered(0), facets=FACETS, build_id="same")
    indexes, done, mixed, errors, answers = IndexFolder(tmp_path), threading.Event(), [], [], []

    def ask() -> None:
        while not done.is_set():
            try:
                index = indexes.open("same")
                assert index is not None
                results = index.search(Request("neural networks", facets=("author",)))
            except (AssertionError, OSError, RuntimeError, ValueError) as error:
                errors.append(error)
                continue
            builds = {hit.id.split("-")[0] for hit in results.hits}
            answers.append(builds)
            if len(builds) != 1 or len(results.hits) != 12:
                mixed.append(builds)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for number in range(1, 21):
        build_index(tmp_path, numbered(number), facets=FACETS, build_id="same")
    done.set()
    for thread in threads:
        thread.join(timeout=30)
    assert not errors
    assert not mixed
    assert len(answers) > 20
    assert found(opened(tmp_path, "same"), "networks")[0].startswith("20-")
