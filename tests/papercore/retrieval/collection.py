"""A small collection to search, and how to build and open an index over it."""

import atexit
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from papercore.retrieval import (
    Document,
    Index,
    IndexFolder,
    Request,
    Results,
    SentenceModel,
    build_index,
    fill_sentence_vectors,
)

FACETS = ("author", "venue", "keyword")


def paper(
    key: str,
    title: str,
    text: str = "",
    *,
    authors: tuple[str, ...] = (),
    venue: str = "",
    keywords: tuple[str, ...] = (),
    year: int | None = None,
    identifiers: tuple[str, ...] = (),
    body: str = "",
) -> Document:
    facets = {"author": authors, "venue": (venue,) if venue else (), "keyword": keywords}
    return Document(key, title, text, body, year, identifiers, facets, payload=key.encode())


PAPERS = (
    paper(
        "attention",
        "Attention Is All You Need",
        "The Transformer relies on self-attention alone. It translates better than recurrent networks.",
        authors=("Ashish Vaswani", "Noam Shazeer"),
        venue="NeurIPS",
        keywords=("transformer", "translation"),
        year=2017,
        identifiers=("10.48550/arXiv.1706.03762", "arXiv:1706.03762v5"),
    ),
    paper(
        "lstm",
        "Long Short-Term Memory",
        "Recurrent networks learn to store information over long intervals. Gradients vanish without gates.",
        authors=("Sepp Hochreiter", "Jürgen Schmidhuber"),
        venue="Neural Computation",
        keywords=("recurrent networks",),
        year=1997,
        identifiers=("10.1162/neco.1997.9.8.1735",),
    ),
    paper(
        "resnet",
        "Deep Residual Learning for Image Recognition",
        "Residual connections ease the training of very deep networks for pictures.",
        authors=("Kaiming He",),
        venue="CVPR",
        keywords=("image recognition",),
        year=2016,
    ),
    paper(
        "cars",
        "Crash Safety of Automobiles",
        "Seat belts and airbags protect drivers. Vehicles with stiff frames fare worse in a collision.",
        authors=("Ada Smith",),
        venue="Traffic Letters",
        keywords=("road safety",),
        year=2019,
    ),
    paper(
        "soup",
        "Recipes for Vegetable Soup",
        "Onions, carrots and celery are simmered in water. Salt is added at the end of cooking.",
        authors=("Ada Smith", "Bob Baker"),
        venue="Kitchen Notes",
        keywords=("cooking",),
        year=2021,
        body="A long appendix on the zucchini, which the abstract does not name.",
    ),
    paper(
        "chinese",
        "基于深度学习的图像识别",
        "本文提出了一种使用BERT模型的深度学习方法。实验表明该方法有效。",
        authors=("王小明",),
        venue="计算机学报",
        keywords=("深度学习",),
        year=2020,
    ),
    paper("who", "The Who", "A study of a band.", authors=("Pete T.",)),
    paper("undated", "Notes Without a Date on Neural Networks", "Networks, undated."),
)


def build_filled(
    path: Path,
    documents: Iterable[Document],
    model: SentenceModel,
    facets: Sequence[str] = FACETS,
    build_id: str = "one",
) -> None:
    """An index with all its sentence vectors."""
    build_index(path, documents, facets=facets, build_id=build_id, model=model)
    for _ in fill_sentence_vectors(path, model):
        pass


def build(folder: Path, documents: Iterable[Document] = PAPERS, build_id: str = "one") -> Index:
    """An index over the documents, open. A first one over the small collection is a copy of one that was built once."""
    is_first = not folder.exists() or not any(folder.iterdir())
    if documents is PAPERS and build_id == "one" and is_first:
        shutil.copytree(_built_once(), folder, dirs_exist_ok=True)
    else:
        build_index(folder, documents, facets=FACETS, build_id=build_id)
    return opened(folder, build_id)


@cache
def _built_once() -> Path:
    scratch = Path(tempfile.mkdtemp(prefix="papersite-test-index-"))
    atexit.register(shutil.rmtree, scratch)
    folder = scratch / "index"  # with the rights of any new folder
    build_index(folder, PAPERS, facets=FACETS, build_id="one")
    return folder


def opened(folder: Path, build_id: str = "one", model: SentenceModel | None = None) -> Index:
    index = IndexFolder(folder, model).open(build_id)
    assert index is not None
    return index


def ids(results: Results) -> list[str]:
    return [hit.id for hit in results.hits]


def found(index: Index, query: str, **wanted: object) -> list[str]:
    return ids(index.search(Request(query, **wanted)))  # type: ignore[arg-type]
