"""Sentence vectors are filled in while the index is served: newest first, step by step, over kills and updates."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from papercore.retrieval import (
    Document,
    Index,
    IndexBusy,
    IndexFolder,
    Request,
    SentenceModel,
    build_index,
    fill_sentence_vectors,
    missing_sentence_vectors,
    update_index,
)
from papercore.retrieval.engines.embedded import folder
from papercore.retrieval.ranking.sentence_scores import SentenceScores
from papercore.retrieval.vectors.sentence_model import text_of
from tests.papercore.retrieval.collection import opened
from tests.papercore.retrieval.tiny_model import write_model

COUNT, FACETS = 60, ("author",)
# Fills an index in steps of ten, a document for every line that it is given.
FILLER = """
import sys
from pathlib import Path
from papercore.retrieval import SentenceModel, fill_sentence_vectors
for done in fill_sentence_vectors(Path(sys.argv[1]), SentenceModel.load(Path(sys.argv[2])), step=10):
    print(done, flush=True)
    sys.stdin.readline()
"""


def document(number: int, text: str = "") -> Document:
    kind = "soup" if number % 2 else "car"
    return Document(f"doc{number}", f"{kind} number {number}", text or f"All about {kind}.", year=1960 + number)


@pytest.fixture
def model(tmp_path: Path) -> SentenceModel:
    return SentenceModel.load(write_model(tmp_path / "tiny"))


@pytest.fixture
def path(tmp_path: Path, model: SentenceModel) -> Path:
    """An index without sentence vectors."""
    made = tmp_path / "index"
    build_index(made, [document(number) for number in range(COUNT)], facets=FACETS, build_id="one", model=model)
    return made


def fill(path: Path, model: SentenceModel, documents: int) -> None:
    """Fill in this many, in steps of ten; then whoever did it is gone."""
    filling = fill_sentence_vectors(path, model, step=10)
    for _ in range(documents + 1):
        next(filling, None)
    filling.close()


def filled(index: Index) -> list[str]:
    assert index.generation.sentences is not None
    known = ~np.isnan(index.generation.sentences.of(np.arange(index.manifest.documents))[:, 0])
    assert known.sum() == index.manifest.with_sentences
    return [stored.id for stored in index.generation.words.stored(np.flatnonzero(known).tolist())]


def assert_complete(index: Index, model: SentenceModel) -> None:
    rows = list(range(index.manifest.documents))
    assert index.generation.sentences is not None
    texts = [text_of(stored.title, stored.text) for stored in index.generation.words.stored(rows)]
    np.testing.assert_allclose(index.generation.sentences.of(np.array(rows)), model.encode(texts), atol=1e-3)


def test_an_index_is_served_before_it_has_sentence_vectors(path: Path, model: SentenceModel) -> None:
    index = opened(path, model=model)
    assert missing_sentence_vectors(path, model) == COUNT
    assert index.has_meaning
    assert filled(index) == []
    assert SentenceScores.of(index.generation, "soup") is None
    assert index.search(Request("soup number 7")).hits[0].id == "doc7"


def test_the_newest_documents_are_first(path: Path, model: SentenceModel) -> None:
    fill(path, model, 20)
    assert sorted(filled(opened(path, model=model))) == sorted(f"doc{number}" for number in range(40, 60))


def test_killed_in_the_middle_it_goes_on_from_the_last_step(path: Path, model: SentenceModel, tmp_path: Path) -> None:
    command = [sys.executable, "-c", FILLER, str(path), str(tmp_path / "tiny")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        while int(process.stdout.readline()) < 25:
            process.stdin.write("\n")
            process.stdin.flush()
        process.kill()
    assert missing_sentence_vectors(path, model) == COUNT - 20
    assert len(list(fill_sentence_vectors(path, model, step=10))) == COUNT - 20
    assert_complete(opened(path, model=model), model)
    assert missing_sentence_vectors(path, model) == 0


def test_readers_take_up_each_step_and_every_file_is_verified(path: Path, model: SentenceModel) -> None:
    indexes = IndexFolder(path, model)
    for done in (0, 10, 30, COUNT):
        fill(path, model, done - COUNT + missing_sentence_vectors(path, model))
        index = indexes.open("one")
        assert index
        assert index.manifest.with_sentences == done
        assert index.search(Request("soup number 7")).hits[0].id == "doc7"
        indexes.verify("one")
        assert indexes.problem("one") == ""
    assert len(list(path.glob("generation-*"))) == 2


def test_what_the_model_has_not_read_may_answer(path: Path, model: SentenceModel) -> None:
    """While it is filled in, the judge also asks the words: the model knows nothing of the oldest documents."""
    fill(path, model, 10)
    index = opened(path, model=model)
    scores = SentenceScores.of(index.generation, "number 3")
    assert scores is not None
    assert not scores.knows_nearest
    without = IndexFolder(path).open("one")
    assert without is not None
    for text in ("something about soup number 3", "all about a number that nobody counted"):
        verdicts = [built.search(Request(text)).verdict for built in (without, index)]
        assert sorted(verdicts, key=["nothing", "unsure", "answered"].index) == verdicts
    fill(path, model, COUNT)
    complete = SentenceScores.of(opened(path, model=model).generation, "number 3")
    assert complete is not None
    assert complete.knows_nearest


def test_documents_without_a_vector_are_ranked_with_the_others(path: Path, model: SentenceModel) -> None:
    """The oldest have none yet; what fits best is still first, and the model's nearest are among those that have."""
    fill(path, model, 30)
    index = opened(path, model=model)
    assert [hit.id for hit in index.search(Request("soup number 3", limit=1)).hits] == ["doc3"]
    assert [hit.id for hit in index.search(Request("soup number 53", limit=1)).hits] == ["doc53"]
    assert index.generation.sentences is not None
    nearest = index.generation.sentences.nearest(model.vector("broth"), COUNT)
    assert len(nearest.rows) == 30
    assert not np.isnan(nearest.scores).any()
    half = [hit.id for hit in index.search(Request("soup", limit=20)).hits]
    assert 5 <= sum(int(key[3:]) < 30 for key in half) <= 15


def test_an_update_keeps_vectors_and_leaves_new_documents_to_be_filled(path: Path, model: SentenceModel) -> None:
    list(fill_sentence_vectors(path, model))
    now = {f"doc{number}": document(number) for number in range(COUNT + 1) if number not in (5, 6)}
    now["doc8"] = document(8, "Now it is about broth.")

    def documents_of(ids: Sequence[str]) -> list[Document]:
        return [now[key] for key in ids if key in now]

    changed = {"doc5", "doc6", "doc8", f"doc{COUNT}"}
    assert update_index(
        path, build_before="one", build_id="two", changed=changed, documents_of=documents_of, facets=FACETS, model=model
    )
    assert missing_sentence_vectors(path, model) == 2
    assert len(list(fill_sentence_vectors(path, model))) == 2
    assert_complete(opened(path, "two", model), model)
    assert IndexFolder(path, model).open("one") is not None


def test_an_index_that_is_built_meanwhile_takes_what_was_computed(path: Path, model: SentenceModel) -> None:
    filling = fill_sentence_vectors(path, model, step=10)
    for _ in range(15):
        next(filling)
    others = [document(number) for number in range(COUNT - 1, 20, -1)]
    build_index(path, others, facets=FACETS, build_id="two", model=model)
    list(filling)
    index = opened(path, "two", model)
    assert index.manifest.with_sentences == len(others)
    assert_complete(index, model)


def test_two_do_not_fill_the_same_index(path: Path, model: SentenceModel) -> None:
    filling = fill_sentence_vectors(path, model, step=10)
    next(filling)
    with pytest.raises(IndexBusy):
        next(fill_sentence_vectors(path, model))
    filling.close()
    assert next(fill_sentence_vectors(path, model)) == 0


def test_without_an_index_or_with_one_of_another_model_there_is_nothing_to_fill(
    path: Path, model: SentenceModel, tmp_path: Path
) -> None:
    other = SentenceModel.load(write_model(tmp_path / "other", scale=2.0))
    assert list(fill_sentence_vectors(path, other)) == []
    assert list(fill_sentence_vectors(tmp_path / "nowhere", model)) == []
    assert len(folder.generations(path)) == 1
