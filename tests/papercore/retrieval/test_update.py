"""An updated index answers like one that was built anew, and the one before stays as it was."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest

from papercore.retrieval import (
    Document,
    Index,
    IndexFolder,
    PassageEntry,
    PassageRequest,
    Request,
    build_index,
    update_index,
)
from papercore.retrieval.engines.embedded import folder as index_folder
from papercore.retrieval.engines.embedded.update import plan_rows
from papercore.retrieval.vectors.arrays import map_array

FACETS = ("author", "venue")
TOPICS = ("rivers", "sand", "tides", "floods", "deltas", "storms", "dunes", "reefs", "glaciers", "lakes")


def document(number: int, text: str = "") -> Document:
    topic = TOPICS[number % len(TOPICS)]
    return Document(
        id=f"doc{number}",
        title=f"A study of {topic} number {number}",
        text=text or f"We measure {topic} over {number} years and model sediment.",
        year=1990 + number % 30,
        identifiers=(f"10.1000/{number}",),
        facets={"author": (f"Ada Author{number % 7}", f"Writer {number}"), "venue": (f"Journal of {topic}",)},
        payload=str(number).encode(),
        passages=[PassageEntry(text or f"Passage of {topic}.", payload=str(number).encode())] * 2,
    )


class Library:
    """Documents by id, and the index over them."""

    def __init__(self, path: Path, count: int) -> None:
        self.path = path
        self.documents = {f"doc{number}": document(number) for number in range(count)}
        self.build_id = "build0"
        build_index(path, self.documents.values(), facets=FACETS, build_id=self.build_id)

    def of(self, ids: Sequence[str]) -> Iterable[Document]:
        return [self.documents[key] for key in ids if key in self.documents]

    def update(self, *documents: Document, remove: Sequence[str] = ()) -> bool:
        for key in remove:
            del self.documents[key]
        self.documents |= {document.id: document for document in documents}
        changed = {*remove, *(document.id for document in documents)}
        before, self.build_id = self.build_id, f"build{int(self.build_id[5:]) + 1}"
        return update_index(
            self.path,
            build_before=before,
            build_id=self.build_id,
            changed=changed,
            documents_of=self.of,
            facets=FACETS,
        )

    def index(self) -> Index:
        folder = IndexFolder(self.path)
        opened = folder.open(self.build_id)
        assert opened
        folder.verify(self.build_id)
        assert folder.problem(self.build_id) == ""
        return opened

    def rebuilt(self) -> Index:
        path = self.path.with_name("rebuilt")
        build_index(path, self.documents.values(), facets=FACETS, build_id="rebuilt")
        opened = IndexFolder(path).open("rebuilt")
        assert opened
        return opened


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "index", 60)


def answers(index: Index) -> dict[str, object]:
    found: dict[str, object] = {}
    for topic in (*TOPICS, "quasars"):
        results = index.search(Request(query=topic, mode="words", facets=FACETS, limit=100))
        found[topic] = (results.total, {hit.id for hit in results.hits}, {k: set(v) for k, v in results.facets.items()})
        candidates = index.passages(PassageRequest(topic, 200))
        found[f"passages of {topic}"] = Counter(candidate.payload for candidate in candidates)
    for prefix in ("ad", "writer 5", "journal"):
        found[prefix] = {(c.value, c.count) for c in index.suggest(prefix, FACETS, 100)}
    return found


def test_added_changed_and_removed_documents_are_found_as_in_a_new_index(library: Library) -> None:
    changed = document(5, "Now it is about quasars and radio waves.")
    assert library.update(document(70), document(71), changed, remove=["doc10", "doc59", "doc0", "doc11"])
    index = library.index()
    assert index.manifest.documents == len(library.documents) == 58
    assert answers(index) == answers(library.rebuilt())
    hits = index.search(Request(query="quasars", mode="words")).hits
    assert [hit.id for hit in hits] == ["doc5"]


def test_every_row_has_its_own_vector(library: Library) -> None:
    library.update(document(70), remove=["doc10", "doc20", "doc30"])
    index = library.index()
    for key, one in library.documents.items():
        [row] = index.generation.words.rows_of([key]).values()
        assert index.generation.words.stored([row])[0].id == key
        digests = map_array(index_folder.generations(library.path)[0] / index_folder.DIGESTS)
        assert digests[row].tobytes() == one.digest()
    nearest = index.search(Request(query="A study of rivers number 70", mode="meaning")).hits
    assert "doc70" in {hit.id for hit in nearest[:8]}


def test_the_index_before_keeps_answering(library: Library) -> None:
    before = answers(library.index())
    folder = IndexFolder(library.path)
    opened = folder.open("build0")
    library.update(remove=["doc1", "doc2"])
    assert opened
    assert answers(opened) == before
    again = folder.open("build0")
    assert again
    assert answers(again) == before


def test_many_updates_leave_few_segments(library: Library) -> None:
    for number in range(80, 90):
        assert library.update(document(number))
    assert library.index().manifest.documents == 70
    assert answers(library.index()) == answers(library.rebuilt())


def test_files_that_did_not_change_are_shared(library: Library) -> None:
    before = index_folder.generations(library.path)[0]
    library.update(document(70))
    after = index_folder.generations(library.path)[0]
    shared = {path.name for path in (after / "words").iterdir()} & {path.name for path in (before / "words").iterdir()}
    stores = [name for name in shared if name.endswith(".store")]
    assert stores
    assert all((after / "words" / name).samefile(before / "words" / name) for name in stores)


@pytest.mark.parametrize("before", ["other", ""])
def test_without_the_index_before_nothing_is_updated(library: Library, before: str) -> None:
    assert not update_index(
        library.path,
        build_before=before,
        build_id="new",
        changed={"doc1"},
        documents_of=library.of,
        facets=FACETS,
    )
    assert len(index_folder.generations(library.path)) == 1


def test_when_much_changed_the_index_is_to_be_built_anew(library: Library) -> None:
    assert not library.update(*(document(number) for number in range(100, 130)))


@pytest.mark.parametrize(
    ("removed", "added"), [((0, 1, 2), 0), ((57, 58, 59), 0), ((0, 59), 1), ((5,), 3), ((), 2), (tuple(range(60)), 0)]
)
def test_rows_stay_dense(removed: Sequence[int], added: int) -> None:
    known = {f"doc{row}": row for row in removed}
    plan = plan_rows(60, known, [f"new{number}" for number in range(added)], lambda row: f"doc{row}")
    rows = {f"doc{row}": row for row in range(60) if row not in removed} | plan.rows
    assert plan.total == 60 - len(removed) + added
    assert sorted(rows.values()) == list(range(plan.total))


def test_vectors_of_documents_that_stay_are_the_same(library: Library) -> None:
    before = map_array(index_folder.generations(library.path)[0] / index_folder.VECTORS)
    library.update(document(70))
    after = map_array(index_folder.generations(library.path)[0] / index_folder.VECTORS)
    assert np.array_equal(before, after[:60])
