"""How long a draft of 30 pages with 80 citations takes to check, over 3,000 papers.

    python -m bench.speed.draft [--size 3000] [--sentences 750] [--citations 80]

The draft is LaTeX: sentences of abstracts that the library does not have, and between them sentences of papers that it
has, each cited, half of them with another number or without a word. Prints the seconds of reading and of checking.
"""

import argparse
import gzip
import os
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import orjson

from bench.data import libraries

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
# Beyond the papers of any library that is measured.
OTHERS_FROM = 60_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=3_000)
    parser.add_argument("--sentences", type=int, default=750)
    parser.add_argument("--citations", type=int, default=80)
    parser.add_argument("--inside", action="store_true", help="measure the library that is configured")
    options = parser.parse_args()
    sizes = [f"--{name}={getattr(options, name)}" for name in ("size", "sentences", "citations")]
    if options.inside:
        return measure(options.size, options.sentences, options.citations)
    with libraries.libraries_folder() as folder:
        database = libraries.first_papers(folder, options.size)
        if database is None:
            raise SystemExit(f"{libraries.papers_file()} is missing: set PAPERSITE_BENCH_DATA.")
        print(libraries.measure("bench.speed.draft", database, "--inside", *sizes), end="")
    return None


def measure(size: int, sentences: int, citations: int) -> None:
    import django

    django.setup()
    from ingest.drafts.reading import read_draft
    from papers.drafts.checking import check_draft

    libraries.serve_settled()
    with tempfile.TemporaryDirectory() as name:
        draft = Path(name) / "draft.tex"
        bibliography = write_draft(draft, size, sentences, citations)
        began, used = time.perf_counter(), _processor_seconds()
        read = read_draft(draft)
        reading = time.perf_counter() - began
        checked = check_draft({"draft.tex": read}, {"draft.bib": bibliography})
        seconds, processor = time.perf_counter() - began, _processor_seconds() - used
    cited = sum(bool(item.sentence.keys) for item in checked.sentences)
    words = sum(len(item.sentence.text.split()) for item in checked.sentences)
    print(f"{size:,} papers; {len(checked.sentences)} sentences, {words:,} words, {cited} of them citing")
    print(f"read in {reading:.1f} s, checked in {seconds - reading:.1f} s ({processor:.1f} s of one processor in all)")
    print(", ".join(f"{count} {verdict}" for verdict, count in checked.verdicts.most_common()))


def _processor_seconds() -> float:
    """Of this process, and of the child that has read the draft."""
    return sum(os.times()[:4])


def write_draft(path: Path, size: int, sentences: int, citations: int) -> str:
    """The draft; returns its bibliography."""
    from papercore.text import sentences as split

    chance = random.Random(1)
    with gzip.open(libraries.papers_file()) as file:
        lines = file.readlines()
    inside, outside = (list(_with_abstract(part)) for part in (lines[:size], lines[OTHERS_FROM:]))
    cited = chance.sample(inside, citations)
    filler = (text for paper in chance.sample(outside, sentences) for text in islice(split(paper["text"]), 3))
    parts = [_latex(text) for text in islice(filler, sentences - citations)]
    for number, paper in enumerate(cited):
        said = chance.choice(list(split(paper["text"])))
        if number % 2:
            said = " ".join(word for word in said.split() if word != chance.choice(said.split()))
        place = chance.randrange(len(parts))
        parts.insert(place, f"{_latex(said.rstrip('.'))} \\citep{{k{number}}}.")
    paragraphs = ["\n".join(parts[start : start + 6]) for start in range(0, len(parts), 6)]
    path.write_text("\\begin{document}\n" + "\n\n".join(paragraphs) + "\n\\end{document}\n", encoding="utf-8")
    return "\n".join(_entry(number, paper) for number, paper in enumerate(cited))


def _with_abstract(lines: Sequence[bytes]) -> Iterator[dict[str, str]]:
    papers = (orjson.loads(line) for line in lines)
    return (paper for paper in papers if len(paper["text"]) > 200)


def _latex(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "%&#_$" else sign for sign in text if sign not in "\\{}~^")


def _entry(number: int, paper: dict[str, str]) -> str:
    authors = " and ".join(paper["authors"])
    return f"@inproceedings{{k{number}, title={{{paper['title']}}}, author={{{authors}}}, year={{{paper['year']}}}}}"


if __name__ == "__main__":
    main()
