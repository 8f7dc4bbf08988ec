"""The same inputs in any order, split into any imports and repeated, give the same library."""

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest import update_library

TITLES = ("Attention Is All You Need", "Communicating Sequential Processes", "On Rivers")
NAMES = ("Vaswani, Ashish", "Hoare, C. A. R.", "Shazeer, Noam", "Fluvius, Ada")


@st.composite
def entries(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from(["article", "book", "inproceedings", "misc"]))
    key = draw(st.sampled_from(["a1", "b2", "c3"]))
    people = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True))
    fields = {
        "title": draw(st.sampled_from(TITLES)),
        "author": " and ".join([*people, *(["others"] if draw(st.booleans()) else [])]),
        "year": draw(st.sampled_from(["", "1978", "2017", "2018"])),
        "journal": draw(st.sampled_from(["", "Neural Computation", "CoRR"])),
        "pages": draw(st.sampled_from(["", "1--10", "666--677"])),
        "doi": draw(st.sampled_from(["", "10.1000/one", "10.1000/two"])),
        "eprint": draw(st.sampled_from(["", "1706.03762"])),
        "keywords": draw(st.sampled_from(["", "rivers, sand", "Sand"])),
    }
    said = ", ".join(f"{name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@{kind}{{{key}, {said}}}\n"


@st.composite
def imports(draw: st.DrawFn) -> tuple[list[str], list[list[int]], list[list[int]]]:
    """Files, and two ways to bring them in: in some order, in some groups, some of them twice."""
    files = draw(st.lists(entries(), min_size=1, max_size=5))

    def way() -> list[list[int]]:
        order = [*draw(st.permutations(range(len(files)))), *draw(st.lists(st.integers(0, len(files) - 1), max_size=2))]
        cut = draw(st.integers(0, len(order)))
        return [part for part in (order[:cut], order[cut:]) if part]

    return files, way(), way()


def papers(library: Path) -> list[tuple[object, ...]]:
    """Everything but ids, which stay what they were when a paper came first, and what is made from them."""
    with closing(sqlite3.connect(library / "paper_snapshot.db")) as database:
        return database.execute(
            "SELECT p.title, year, month, venue, doi, publication_date, bibtex_raw, metadata,"
            " (SELECT group_concat(paper_key) FROM (SELECT paper_key FROM paper_key_alias a"
            "  WHERE a.paper_id = p.paper_id ORDER BY 1))"
            " FROM paper p JOIN paper_bibtex b ON b.paper_id = p.paper_id"
            " JOIN paper_fts f ON f.rowid = p.rowid ORDER BY 1, 7, 8, 9"
        ).fetchall()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(given_imports=imports())
def test_order_split_and_repetition_make_no_difference(
    given_imports: tuple[list[str], list[list[int]], list[list[int]]],
) -> None:
    files, *ways = given_imports
    found = []
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.bib" for number in range(len(files))]
        for path, text in zip(paths, files, strict=True):
            path.write_text(text)
        for number, way in enumerate(ways):
            library = Path(folder) / f"library{number}"
            for step in way:
                update_library(library, [paths[index] for index in dict.fromkeys(step)])
            found.append(papers(library))
    assert found[0] == found[1]
