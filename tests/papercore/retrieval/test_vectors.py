"""The nearest documents: all vectors are compared, and of a large library those that sketches choose."""

from pathlib import Path

import numpy as np
import pytest

from papercore.retrieval.engines.embedded import sketches
from papercore.retrieval.engines.embedded.vectors import DocumentVectors, VectorWriter
from papercore.retrieval.vectors.arrays import Matrix
from papercore.retrieval.vectors.meaning import unit

DIMENSIONS = 80
ROUNDING = 1e-4


def documents(count: int) -> Matrix:
    """Vectors in clusters, as those of papers are."""
    chance = np.random.default_rng(7)
    topics = chance.standard_normal((50, DIMENSIONS))
    vectors = topics[chance.integers(0, 50, count)] + chance.standard_normal((count, DIMENSIONS))
    return unit(vectors.astype(np.float32))


def written(path: Path, vectors: Matrix) -> DocumentVectors:
    path.mkdir()
    writer = VectorWriter(path, len(vectors), vectors.shape[1])
    writer.write(np.arange(len(vectors)), vectors)
    writer.finish()
    return DocumentVectors.open(path)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> tuple[Matrix, DocumentVectors]:
    """So many that they have sketches."""
    vectors = documents(60_000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sketches, "LARGE", len(vectors))
        opened = written(tmp_path_factory.mktemp("many") / "generation", vectors)
    assert opened.sketches
    return vectors, opened


@pytest.mark.parametrize("count", [1, 100, 1_000])
def test_of_many_documents_nearly_all_of_the_nearest_are_found(
    many: tuple[Matrix, DocumentVectors], count: int
) -> None:
    vectors, opened = many
    shares = []
    for question in unit(documents(20) + 0.3 * documents(40)[20:]):
        nearest = np.argsort(-(vectors @ question))[:count]
        shares.append(np.isin(nearest, opened.nearest(question, count).rows).mean())
    assert np.mean(shares) >= 0.99


def test_those_found_have_their_cosines_best_first(many: tuple[Matrix, DocumentVectors]) -> None:
    vectors, opened = many
    found = opened.nearest(vectors[5], 100)
    assert found.rows[0] == 5
    assert np.allclose(found.scores, vectors[found.rows] @ vectors[5], atol=ROUNDING)
    assert np.all(np.diff(found.scores) <= 0)


def test_without_sketches_all_are_compared(tmp_path: Path) -> None:
    vectors = documents(8_000)
    opened = written(tmp_path / "generation", vectors)
    assert opened.sketches is None
    cosines = opened.of(np.arange(len(vectors))) @ vectors[9]
    assert opened.nearest(vectors[9], 50).rows.tolist() == np.lexsort((np.arange(len(vectors)), -cosines))[:50].tolist()


@pytest.mark.parametrize("large", [20_000, 20_001])
def test_documents_that_are_alike_come_by_row(tmp_path: Path, large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sketches, "LARGE", large)
    vectors = np.repeat(documents(4), 5_000, axis=0)
    opened = written(tmp_path / "generation", vectors)
    assert bool(opened.sketches) == (large == len(vectors))
    assert opened.nearest(vectors[0], 3).rows.tolist() == [0, 1, 2]


def test_a_vector_of_zeros_has_nothing_near(many: tuple[Matrix, DocumentVectors]) -> None:
    assert not many[1].nearest(np.zeros(DIMENSIONS, dtype=np.float32), 10).scores.any()


def test_the_next_build_takes_over_what_stays(tmp_path: Path) -> None:
    vectors = documents(20)
    before = written(tmp_path / "before", vectors)
    (tmp_path / "next").mkdir()
    writer = VectorWriter(tmp_path / "next", 21, DIMENSIONS, tmp_path / "before")
    writer.take_over(slice(20), slice(20))
    writer.write(np.array([20]), vectors[:1])
    writer.finish()
    after = DocumentVectors.open(tmp_path / "next")
    assert np.array_equal(after.matrix[:20], before.matrix)
    assert np.array_equal(after.matrix[20], before.matrix[0])
