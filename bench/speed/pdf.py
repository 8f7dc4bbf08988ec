"""How fast the text of PDFs is read: pages a second, in one process and in as many as there are cores.

    python -m bench.speed.pdf [FOLDER]

FOLDER holds PDFs; without it, 40 papers of 12 pages in two columns are made. The baseline is PDFium's own text in the
order of the file, with no layout, in this process.
"""

import argparse
import os
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from pypdfium2 import PdfDocument

from ingest.pdf.readers import PdfReaders, UnreadablePdf
from tests.ingest.pdf.made_pdf import Text, paragraph, write_pdf

PAPERS, PAGES = 40, 12
WORDS = ("river", "sand", "delta", "flood", "sediment", "channel", "estuary", "tide", "measure", "model")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    folder = parser.parse_args().folder
    with tempfile.TemporaryDirectory() as scratch:
        paths = sorted(folder.rglob("*.pdf")) if folder else made_papers(Path(scratch))
        started = time.perf_counter()
        plain_pages = sum(plain(path) for path in paths)
        baseline = plain_pages / (time.perf_counter() - started)
        print(f"{len(paths)} files. PDFium's text alone: {baseline:,.0f} pages/s")
        for processes in (1, os.cpu_count() or 1):
            rate = read_rate(paths, processes)
            print(f"{processes} processes: {rate:,.0f} pages/s, {rate / baseline:.2f} x")


def made_papers(folder: Path) -> list[Path]:
    chance = random.Random(7)
    return [write_pdf(folder / f"{number}.pdf", [made_page(chance) for _ in range(PAGES)]) for number in range(PAPERS)]


def made_page(chance: random.Random) -> list[Text]:
    left, right = (" ".join(chance.choices(WORDS, k=420)) for _ in range(2))
    return [*paragraph(left, 60, 80, 44), *paragraph(right, 320, 80, 44)]


def plain(path: Path) -> int:
    document = PdfDocument(path)
    for page in document:
        page.get_textpage().get_text_range()
    return len(document)


def read_rate(paths: Sequence[Path], processes: int) -> float:
    readers = PdfReaders(list({path.parent for path in paths}), processes)
    try:
        list(readers.read_all(paths[:processes]))  # the processes have started
        started = time.perf_counter()
        pages = sum(pdf.pages for _, pdf in readers.read_all(paths) if not isinstance(pdf, UnreadablePdf))
        return pages / (time.perf_counter() - started)
    finally:
        readers.close()


if __name__ == "__main__":
    main()
