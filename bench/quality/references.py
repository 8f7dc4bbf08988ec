"""How many references are linked to the right paper, and how many to a wrong one; what looking them up costs.

    python -m bench.quality.references [SNAPSHOT] [--wrong]

Builds a library of 60 papers and 20 texts with 200 references in ten styles (reference_samples.py): 110 cite a paper
of the library, 90 are traps, such as papers with nearly the same title, another part, other authors, another
year, comments, books that a paper is in, and wrong DOIs. With a SNAPSHOT, the same references are looked up among its
papers, for the time alone. --wrong prints what was linked wrongly or missed.
"""

import argparse
import json
import os
import time
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import django
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
django.setup()

from bench.quality.reference_samples import SamplePaper, SampleReference, library, references, texts  # noqa: E402
from ingest import BuildFolders, build_snapshot  # noqa: E402
from papercore.bibliography.references import read_reference, references_in  # noqa: E402
from papers.references.cited import cited_papers  # noqa: E402
from papers.references.tools import get_paper_references  # noqa: E402
from papers.snapshot import served  # noqa: E402
from papers.snapshot.models import Paper  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("snapshot", nargs="?", type=Path)
    parser.add_argument("--wrong", action="store_true", help="print what was linked wrongly or missed")
    options = parser.parse_args()
    random = Random(20261117)
    papers = library(random)
    items = references(papers, random)
    with TemporaryDirectory() as folder:
        serve(build(Path(folder), papers, items))
        judge(items, print_wrong=options.wrong)
        measure(items, "60 papers and 20 texts")
    if options.snapshot:
        serve(options.snapshot)
        measure(items, f"{Paper.objects.count():,} papers")


def build(folder: Path, papers: list[SamplePaper], items: list[SampleReference]) -> Path:
    lines = [
        {
            "title": paper.title,
            "authors": [" ".join(name) for name in paper.authors],
            "year": paper.year,
            "venue": paper.venue,
            "doi": paper.doi,
            "arxiv_id": paper.arxiv,
        }
        for paper in papers
    ]
    markdown = folder / "markdown"
    markdown.mkdir()
    for number, text in enumerate(texts(items)):
        title = f"Text {number} of those that cite"
        lines.append({"title": title, "authors": ["Rolf Reader"], "year": 2025})
        (markdown / f"{title}.md").write_text(text, encoding="utf-8")
    source = folder / "papers.jsonl"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    build_snapshot([source], folder / "library", BuildFolders(markdown=markdown))
    return folder / "library" / "paper_snapshot.db"


def serve(database: Path) -> None:
    settings.SNAPSHOT, settings.ASSETS = database, str(database.parent / "static")
    served.renew()


def judge(items: list[SampleReference], *, print_wrong: bool) -> None:
    title_of = dict(Paper.objects.values_list("paper_id", "title"))
    id_of = {title: paper_id for paper_id, title in title_of.items()}
    outcomes: Counter[str] = Counter()
    cited_by: Counter[str] = Counter()
    for number in range(len(items) // 10):
        found = get_paper_references(id_of[f"Text {number} of those that cite"]).references
        outcomes["references read"] += len(found)
        for item, listed in zip(items[10 * number : 10 * number + 10], found, strict=True):
            answer = title_of.get(listed.paper_id or "")
            outcome = _outcome(item, answer)
            outcomes[outcome] += 1
            cited_by[answer or ""] += outcome == "right"
            if print_wrong and outcome not in ("right", "rightly none"):
                print(f"  {outcome} ({item.kind}): {item.text}\n    linked to: {answer}")
    links = outcomes["right"] + outcomes["wrong"]
    cites = outcomes["right"] + outcomes["missed"]
    print(f"{outcomes['references read']} references read of {len(items)}")
    print(
        f"links: {links}, right {outcomes['right']} (precision {outcomes['right'] / links:.3f}, of {cites} "
        f"that cite a paper here {outcomes['right'] / cites:.3f})"
    )
    by_cited = [get_paper_references(id_of[title]).cited_by for title in cited_by if title]
    citing, known = sum(map(len, by_cited)), sum(map(bool, by_cited))
    print(f"from the cited side: {citing} citing papers, for {known} of {len(by_cited)} cited ones")


def _outcome(item: SampleReference, answer: str | None) -> str:
    if answer is None:
        return "missed" if item.answer else "rightly none"
    return "right" if answer == item.answer else "wrong"


def measure(items: list[SampleReference], where: str) -> None:
    """Processor time for 40 references: to read them, and to look them up, against a bare query for one paper."""
    read = [read_reference(item.text) for item in items[:40]]
    text = next(iter(texts(items)))
    began = time.process_time()
    for _ in range(10):
        references_in(text)
    reading = (time.process_time() - began) / 10 * 4
    began = time.process_time()
    for _ in range(5):
        cited_papers(read, "")
    looking = (time.process_time() - began) / 5
    began = time.process_time()
    for _ in range(200):
        Paper.objects.filter(pk="none").first()
    bare = (time.process_time() - began) / 200
    print(
        f"{where}: 40 references read in {reading * 1000:.0f} ms, looked up in {looking * 1000:.0f} ms of CPU "
        f"({looking / bare:.0f} times a query for one paper)"
    )


if __name__ == "__main__":
    main()
