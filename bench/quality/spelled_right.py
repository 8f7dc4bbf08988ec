"""How many queries that are spelled right the search changes: none should be.

    python -m bench.quality.spelled_right [DATA]      (default: $PAPERSITE_BENCH_DATA)

Of every judged set a thousand stretches of four words from its own titles and texts, and its questions; and titles of
papers that the smaller ACL library lacks, in which many words are new to it.
"""

import argparse
import os
import random
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.data.papers import FACETS
from bench.quality.sets import SMALL_ACL, acl_papers, judged_sets, rows_of
from bench.table import table
from papercore.retrieval import Document, Index, IndexFolder, Request, build_index

STRETCHES, WORDS = 1_000, 4
# What these ask is misspelled on purpose, or not about the library.
NOT_ASKED = ("slips", "off topic")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=Path(os.environ.get("PAPERSITE_BENCH_DATA", ".")))
    print(
        table(
            ("set", "own words", "changed", "questions", "changed", "others' titles", "changed"),
            rows(parser.parse_args().data),
        )
    )


def rows(data: Path) -> Iterator[list[object]]:
    chance, names = random.Random(1), list(rows_of(data))
    for name, judged in zip(names, judged_sets(data, names), strict=True):
        documents = list(judged.documents())
        with TemporaryDirectory() as folder:
            build_index(Path(folder), documents, facets=FACETS, build_id="quality")
            index = IndexFolder(Path(folder)).open("quality")
            assert index is not None
            own = [
                stretch
                for document in documents
                for text in (document.title, document.text)
                for stretch in _stretch(text, chance)
            ]
            asked = [
                question.text
                for row, found in judged.questions.items()
                if not row.endswith(NOT_ASKED)
                for question in found
            ]
            titles = [*islice(_others(data, documents, chance), STRETCHES)] if name == SMALL_ACL else []
            texts = (chance.sample(own, min(STRETCHES, len(own))), asked, titles)
            yield [name, *(cell for part in texts for cell in (len(part), _changed(index, part)))]


def _stretch(text: str, chance: random.Random) -> list[str]:
    """Four words side by side, if there are so many."""
    words = re.findall(r"\S+", text)
    if len(words) < WORDS:
        return []
    start = chance.randrange(len(words) - WORDS + 1)
    return [" ".join(words[start : start + WORDS]).strip(".,:;?()")]


def _others(data: Path, documents: Iterable[Document], chance: random.Random) -> Iterator[str]:
    known = {document.id for document in documents}
    papers = [paper for paper in acl_papers(data) if paper.id not in known]
    chance.shuffle(papers)
    for paper in papers:
        yield from _stretch(paper.title, chance)


def _changed(index: Index, texts: Iterable[str]) -> int:
    return sum(bool(index.search(Request(text, limit=1)).corrected_query) for text in texts)


if __name__ == "__main__":
    main()
