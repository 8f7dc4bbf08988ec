"""How well the search finds, in one table: every judged set, papers and passages, specs; embedded engine.

    python -m bench.quality [DATA] [--only WORD ...] [--model FOLDER]      (default: $PAPERSITE_BENCH_DATA)

--only runs the rows whose name has one of the words. The library of 110,486 papers and the demo are built once and kept
in $PAPERSITE_BENCH_LIBRARIES. With a model the collections, claims, citing sentences and the smaller ACL library are
asked once more with it, and so are the demo and the specs; the library of 110,486 papers is asked without one.
"""

import argparse
import json
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.data.libraries import BUILT_HERE, demo, first_papers, libraries_folder, measure
from bench.data.papers import FACETS
from bench.quality.judged import COLUMNS, Answer, row
from bench.quality.sets import JudgedSet, judged_sets, rows_of
from bench.table import table
from papercore.retrieval import Index, IndexFolder, Request, SentenceModel, build_index, fill_sentence_vectors

SERVED = {
    "acl": ("other words", "known items, famous", "known items, others", "slips", "slips as meant", "off topic"),
    "demo": ("on topic", "more on topic", "off topic", "more off topic"),
    "specs": ("Chinese", "off topic"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=Path(os.environ.get("PAPERSITE_BENCH_DATA", ".")))
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="rows whose name has one of these")
    parser.add_argument("--model", type=Path, help="folder of an ONNX sentence model, asked beside the default")
    options = parser.parse_args()
    model = SentenceModel.load(options.model) if options.model else None
    rows = [*_indexed_rows(options.data, options.only, model), *_served_rows(options.data, options.only, options.model)]
    print(table(("set", *COLUMNS), rows))


def _indexed_rows(data: Path, only: list[str], model: SentenceModel | None) -> Iterator[list[str]]:
    """Sets of documents that are indexed for this run."""
    rows = {
        name: [row_name for row_name in found if _is_wanted(row_name, only)] for name, found in rows_of(data).items()
    }
    names = [name for name, wanted in rows.items() if wanted]
    for name, judged in zip(names, judged_sets(data, names), strict=True):
        for used in (None, model) if model else (None,):
            with TemporaryDirectory() as scratch:
                index = _index_of(judged, Path(scratch), used)
                for wanted in rows[name]:
                    mark = ", with the model" if used else ""
                    yield row(f"{wanted}{mark}", judged.questions[wanted], partial(_answer, index))


def _index_of(judged: JudgedSet, folder: Path, model: SentenceModel | None) -> Index:
    build_index(folder, judged.documents(), facets=FACETS, build_id="quality", model=model)
    for _ in fill_sentence_vectors(folder, model) if model else ():
        pass
    index = IndexFolder(folder, model).open("quality")
    assert index is not None
    return index


def _answer(index: Index, text: str) -> Answer:
    results = index.search(Request(text, limit=100))
    return Answer([hit.id for hit in results.hits], results.verdict)


def _served_rows(data: Path, only: list[str], model: Path | None) -> Iterator[list[str]]:
    """Libraries as they are served, each in a process of its own."""
    with libraries_folder() as folder:
        for library, sets in SERVED.items():
            if not any(_is_wanted(name, only) for name in (library, *(f"{library}, {part}" for part in sets))):
                continue
            for used in (None, model) if model and library != "acl" else (None,):
                database = first_papers(folder, BUILT_HERE) if library == "acl" else demo(folder, used)
                if database:
                    asked = (library, str(data), "--only", *only)
                    for line in measure("bench.quality.served", database, *asked, model=used).splitlines():
                        name, *cells = json.loads(line)
                        yield [f"{name}, with the model" if used else name, *cells]


def _is_wanted(name: str, only: list[str]) -> bool:
    return not only or any(word in name for word in only)


if __name__ == "__main__":
    main()
