"""A damaged index is left, in the background, too; a query that fails by itself leaves the index in use."""

from pathlib import Path

import pytest

from papercore.retrieval import EngineFailed, IndexFolder, Request, build_index, index_folder
from papercore.retrieval.engines.embedded import folder
from tests.papercore.retrieval.collection import FACETS, PAPERS, build
from tests.server import wait_for


def damage(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(bytes(content))


def test_a_large_file_is_verified_after_the_index_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(tmp_path)
    damage(folder.generations(tmp_path)[0] / folder.VECTORS)
    monkeypatch.setattr(index_folder, "VERIFIED_AT_OPENING", 0)
    indexes = IndexFolder(tmp_path)
    indexes.open("one")
    wait_for(lambda: indexes.open("one") is None, "the index is left")
    assert indexes.problem("one") == "its file vectors.npy is damaged"
    assert indexes.verified("one")


def test_the_first_question_about_a_damaged_index_says_what_is_wrong(tmp_path: Path) -> None:
    build(tmp_path)
    damage(folder.generations(tmp_path)[0] / folder.ADDRESSES)
    assert IndexFolder(tmp_path).problem("one") == "its file addresses.npy is damaged"


def test_a_file_changed_while_the_index_is_used_is_noticed_and_so_is_its_repair(tmp_path: Path) -> None:
    build(tmp_path)
    indexes = IndexFolder(tmp_path)
    assert indexes.open("one") is not None
    file = folder.generations(tmp_path)[0] / folder.ADDRESSES
    damage(file)
    assert indexes.problem("one") == "its file addresses.npy is damaged"
    assert indexes.open("one") is None
    damage(file)
    assert indexes.problem("one") == ""
    assert indexes.open("one") is not None


def test_an_error_within_a_query_over_sound_files_leaves_the_index_in_use(tmp_path: Path) -> None:
    build(tmp_path)
    indexes = IndexFolder(tmp_path)
    index = indexes.open("one")
    assert index is not None
    with pytest.raises(EngineFailed), indexes.failures_of(index):
        raise IndexError("out of range")
    assert indexes.problem("one") == ""
    assert indexes.open("one") is index


def test_nothing_of_a_damaged_index_is_taken_over_by_the_next(tmp_path: Path) -> None:
    build(tmp_path)
    damage(folder.generations(tmp_path)[0] / folder.VECTORS)
    assert build_index(tmp_path, PAPERS, facets=FACETS, build_id="two").embedded == len(PAPERS)


def test_every_byte_of_the_manifest_counts(tmp_path: Path) -> None:
    build(tmp_path)
    path = folder.generations(tmp_path)[0] / folder.MANIFEST
    content = path.read_bytes()
    for place in range(0, len(content), 7):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert folder.read_manifest(path.parent) is None, place
    path.write_bytes(content)
    index = IndexFolder(tmp_path).open("one")
    assert index is not None
    assert index.search(Request("soup")).hits[0].id == "soup"
