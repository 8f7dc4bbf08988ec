"""How well the search finds, in one table: every judged set, papers and passages, specs; embedded engine.

    python -m bench.quality [DATA] [--only WORD ...] [--model FOLDER]      (default: $PAPERSITE_BENCH_DATA)

--only runs the rows whose name has one of the words. The library of 110,486 papers and the demo are built once and kept
in $PAPERSITE_BENCH_LIBRARIES. With a model the collections, claims, citing sentences and the smaller ACL library are
asked once more with it; the served libraries and specs are asked without one.
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
from bench.quality.sets import JudgedSet, judged_sets, set_names
from bench.table import table
from papercore.retrieval import Index, IndexFolder, Request, SentenceModel, build_index, fill_sentence_vectors

SERVED = {
    "acl": ("other words", "known items, famous", "known items, others", "slips", "slips as meant", "off topic"),
    "demo": ("on topic", "off topic"),
    "specs": ("Chinese", "off topic"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=Path(os.environ.get("PAPERSITE_BENCH_DATA", ".")))
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="rows whose name has one of these")
    parser.add_argument("--model", type=Path, help="folder of an ONNX sentence model, asked beside the default")
    options = parser.parse_args()
    model = SentenceModel.load(options.model) if options.model else None
    rows = [*_indexed_rows(options.data, options.only, model), *_served_rows(options.data, options.only)]
    print(table(("set", *COLUMNS), rows))


def _indexed_rows(data: Path, only: list[str], model: SentenceModel | None) -> Iterator[list[str]]:
    """Sets of documents that are indexed for this run."""
    names = [name for name in set_names(data) if _is_wanted(name, only)]
    for judged in judged_sets(data, names):
        for used in (None, model) if model else (None,):
            with TemporaryDirectory() as scratch:
                index = _index_of(judged, Path(scratch), used)
                mark = ", with the model" if used else ""
                yield row(f"{judged.name}{mark}", judged.questions, partial(_answer, index))


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


def _served_rows(data: Path, only: list[str]) -> Iterator[list[str]]:
    """Libraries as they are served, each in a process of its own."""
    with libraries_folder() as folder:
        for library, sets in SERVED.items():
            if not any(_is_wanted(name, only) for name in (library, *(f"{library}, {part}" for part in sets))):
                continue
            database = first_papers(folder, BUILT_HERE) if library == "acl" else demo(folder)
            if database:
                printed = measure("bench.quality.served", database, library, str(data), "--only", *only)
                yield from map(json.loads, printed.splitlines())


def _is_wanted(name: str, only: list[str]) -> bool:
    return not only or any(word in name for word in only)


if __name__ == "__main__":
    main()
