"""What is read off real PDFs: titles, authors, years, text that cannot be read; and what reading them costs.

    python -m bench.quality.pdfs FOLDER TRUTH.jsonl [--worst]

FOLDER holds PDFs; each line of TRUTH is one of them by its sha256: title (title_alt), authors, year (year_alt; null:
not printed), text (good, letters, garbled, scan). Titles and names are compared without case, accents and punctuation,
names by family name; headings with the outline that some files have, which often has less. --worst prints what was
read wrong.
"""

import argparse
import hashlib
import json
import re
import resource
import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pypdfium2 import PdfDocument

from ingest.pdf.readers import PdfReaders, PdfText, UnreadablePdf

# An outline of fewer entries tells little.
_LEAST_ENTRIES = 4
_NUMBER = re.compile(r"^(?:chapter|section)?\s*(?:\d+|[A-Z]|[IVX]+)(?:\.\d+)*[.:]?\s+", re.I)
# Titles of more letters may differ by so many, as those with a subtitle or a mark do.
_LONG, _NEARLY = 25, 12


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("--worst", action="store_true", help="print what was read wrong")
    options = parser.parse_args()
    truth = [json.loads(line) for line in options.truth.read_text(encoding="utf-8").splitlines()]
    files = {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in options.folder.rglob("*.pdf")}
    judged = [(item, files[item["sha256"]]) for item in truth if item["sha256"] in files]
    readers = PdfReaders([options.folder, *{path.parent for _, path in judged}])
    try:
        read = [result for _, result in readers.read_all([path for _, path in judged])]
    finally:
        readers.close()
    counts: Counter[str] = Counter()
    outlines: Counter[str] = Counter()
    for (item, path), pdf in zip(judged, read, strict=True):
        wrong = judge(item, pdf, counts)
        if isinstance(pdf, PdfText):
            compare_outline(path, pdf.markdown, outlines)
        if wrong and options.worst:
            print(f"{item['file']}\n  " + "\n  ".join(wrong))
    pages = sum(pdf.pages for pdf in read if isinstance(pdf, PdfText))
    processor = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(report(len(judged), counts))
    print(
        f"headings in {outlines['files']} files that have an outline: {outlines['found']} of its"
        f" {outlines['entries']} entries found, {outlines['right']} of {outlines['headings']} headings are in it"
    )
    print(f"{pages:,} pages, {1000 * (processor.ru_utime + processor.ru_stime) / pages:.0f} ms of CPU each")


def judge(item: dict[str, Any], pdf: PdfText | UnreadablePdf, counts: Counter[str]) -> list[str]:
    """Adds to the counts, and says what is wrong."""
    wrong: list[str] = []
    cannot_be_read = item["text"] in ("garbled", "scan")
    told = isinstance(pdf, UnreadablePdf) or pdf.is_illegible or not pdf.markdown
    counts.update(illegible=cannot_be_read, told=cannot_be_read and told, told_wrongly=told and not cannot_be_read)
    if cannot_be_read != told:
        wrong.append("text: taken for good" if cannot_be_read else "text: taken for illegible")
    counts["year printed"] += item["year"] is not None
    if isinstance(pdf, UnreadablePdf):
        return [*wrong, str(pdf)]
    said = pdf.description
    titles = [item["title"], item.get("title_alt") or item["title"]]
    if any(_same_title(said.title, title) for title in titles):
        counts["title"] += 1
    else:
        wrong.append(f"title: {said.title}")
    right, names = [_family(name) for name in item["authors"]], [_family(name) for name in said.authors]
    counts.update(names=len(names), nobody=sum(name not in right for name in names), missing=not names)
    if sorted(right) == sorted(names):
        counts["authors"] += 1
    else:
        wrong.append(f"authors: {', '.join(said.authors)}; printed: {', '.join(item['authors'])}")
    years = {item["year"], *_listed(item.get("year_alt"))} - {None}
    year = int(said.year) if said.year.isdigit() else None
    counts.update({"year": year in years, "year wrong": year is not None and year not in years})
    if year not in years and (year or years):
        wrong.append(f"year: {year}; printed: {sorted(years)}")
    return wrong


def compare_outline(path: Path, markdown: str, counts: Counter[str]) -> None:
    """The outline that a file has for its readers against the headings that were read off its pages."""
    entries = {_heading(entry.get_title() or "") for entry in PdfDocument(path).get_toc()} - {""}
    headings = [_heading(line) for line in markdown.split("\n") if line.startswith("#")]
    if len(entries) >= _LEAST_ENTRIES and headings:
        right = [heading for heading in headings if heading in entries]
        counts.update(files=1, entries=len(entries), found=len(set(right)), headings=len(headings), right=len(right))


def _heading(text: str) -> str:
    """Without its number; empty if hardly anything is left."""
    plain = _letters(_NUMBER.sub("", text.lstrip("# ").strip()))
    return plain if len(plain) > 3 else ""


def report(files: int, counts: Counter[str]) -> str:
    return (
        f"{files} files: title {counts['title'] / files:.2f}, authors {counts['authors'] / files:.2f} "
        f"({counts['nobody']} of {counts['names']} names are no author's, {counts['missing']} files without any), "
        f"year right {counts['year']} of {counts['year printed']} printed ({counts['year wrong']} wrong), "
        f"illegible text told {counts['told']} of {counts['illegible']} ({counts['told_wrongly']} wrongly)"
    )


def _same_title(said: str, title: str) -> bool:
    one, other = _letters(said), _letters(title)
    if one == other:
        return True
    return len(other) > _LONG and (one in other or other in one) and abs(len(one) - len(other)) < _NEARLY


def _family(name: str) -> str:
    family, comma, _ = name.partition(",")
    words = [word for word in re.split(r"[\s.]+", family) if word]
    return _letters((words[0] if comma else words[-1]) if words else "")


def _letters(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).replace("ł", "l").replace("ø", "o")
    return re.sub(r"[^a-z0-9]+", "", "".join(char for char in plain if not unicodedata.combining(char)).lower())


def _listed(years: int | Iterable[int] | None) -> list[int]:
    return [years] if isinstance(years, int) else list(years or ())


if __name__ == "__main__":
    main()
