"""Readings are kept by the versions of their readers: a reader that answers otherwise has another version."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import to_builtins

from ingest.entries.entry import LocatedEntry
from ingest.pdf import readers
from ingest.pdf.readers import PdfReaders, UnreadablePdf
from ingest.reading import confined
from ingest.reading.confined import ConfinedReader
from tests.ingest.pdf.made_pdf import BOLD, Fields, Text, paragraph, write_pdf
from tests.ingest.reading.made_zotero import MadeZotero

# What each version answers. Where one is another now, raise VERSION beside the reader, and add a line.
PDF_ANSWERS = {"1": "ca0e807ba4fd8318"}
ENTRY_ANSWERS = {"1": "f92f4d892cf94abd"}

WORDS = "Rivers carry sand to the sea, and the tide sorts it by the size of its grains. " * 9
FILES = {
    "a.bib": r"""@string{jr = "Journal of Rivers"}
@article{sand, title={On {R}ivers and S{\"a}nde}, author={Fl{\'u}vius, Ada and {The Team} and others}, journal=jr,
  year=2002, month=mar, pages={1--9}, doi={https://doi.org/10.5555/ABC}, keywords={sand, {tide, low}},
  abstract={Rivers carry $10\%$ of it.}}
@inproceedings{tides, title={Tides}, author={Delta B, Coe CA}, crossref={proc}}
@proceedings{proc, title={Proceedings of the Sea}, publisher={Pub}, year={1999}}
@book{untitled, year={2000}}
""",
    "a.ris": "TY  - CHAP\nTI  - Deltas\nAU  - Ebb, Dana\nPY  - 1998/05\nT2  - All Rivers\nSP  - 4\nEP  - 8\nER  -\n",
    "a.nbib": "PMID- 1\nTI  - Gulfs of\n      the north\nFAU - Firth, Flora\nDP  - 2003 Jan\nJT  - Seas\nPT  - Book\n",
    "a.json": '[{"type": "article-journal", "title": "Bays", "author": [{"family": "Gulf", "given": "Gia"}],'
    ' "issued": {"date-parts": [[2011, 4]]}, "container-title": "Seas", "DOI": "10.5555/bay"}]',
    "a.jsonl": '{"title": "Capes", "authors": "Hill, Ira; Isle, Jo", "year": 1987, "booktitle": "Coasts"}\n',
    "a.looked-up.json": '[{"identifier": "10.5555/cliff", "service": "Crossref", "item": {"title": "Cliffs"}}]',
}


def test_bibliographies_are_read_as_their_version_says(tmp_path: Path) -> None:
    zotero = MadeZotero(tmp_path / "zotero")
    item = zotero.item("journalArticle", title="Fjords", date="2001-02-00 Feb 2001", DOI="10.5555/fjord", volume="7")
    zotero.creator(item, "author", "Kai", "Lagoon")
    zotero.note(item, "<p>Read again.</p>")
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    paths = [*(tmp_path / name for name in FILES), tmp_path / "zotero"]
    answers = list(_entries(ConfinedReader(paths), paths))
    assert len(answers) == 9
    assert _digest(answers) == ENTRY_ANSWERS[confined.VERSION]


def _entries(reader: ConfinedReader, paths: list[Path]) -> Iterator[object]:
    try:
        for path in paths:
            found = [each for each in reader.read(path) if isinstance(each, LocatedEntry)]
            yield from ((each.entry.model_dump(mode="json"), each.warnings, each.key) for each in found)
    finally:
        reader.close()


def test_pdfs_are_read_as_their_version_says(tmp_path: Path) -> None:
    title = [Text("On Rivers and Sand", size=18), Text("Ada Fluvius and Bea Delta", top=100)]
    first = [*title, Text("Abstract", top=130, font=BOLD, size=12), *paragraph(WORDS, 72, 150, 80)]
    columns = [*paragraph(WORDS, 72, 90, 40), *paragraph(WORDS, 330, 90, 40)]
    last = [
        Text("References", size=14, font=BOLD),
        *paragraph("[1] C. Coe. Deltas. Journal of Seas, 1998.", 72, 100, 80),
    ]
    paths = [
        write_pdf(tmp_path / "a.pdf", [first, columns, last]),
        write_pdf(tmp_path / "b.pdf", [[]], Fields(title="Tides", author="Dana Ebb")),
    ]
    with_readers = PdfReaders(paths, processes=1)
    try:
        read = [pdf for _, pdf in with_readers.read_all(paths)]
    finally:
        with_readers.close()
    assert not any(isinstance(pdf, UnreadablePdf) for pdf in read)
    assert _digest(to_builtins(read)) == PDF_ANSWERS[readers.VERSION]


def _digest(answers: object) -> str:
    return hashlib.sha256(msgspec.json.encode(answers, order="sorted")).hexdigest()[:16]
