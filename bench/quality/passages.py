"""How good the passages are that `search_passages` finds: experts' sentences with what they cite, claims with evidence.

    python -m bench.quality.passages [DATA] [--model FOLDER] [--tuning] [--cited]      (default: $PAPERSITE_BENCH_DATA)

Each collection is built into a library and asked by the tool as agents ask it. A passage is right if it is of a paper
cited; of a claim, if it has one of the sentences that bear on it. Claims with an odd id; with --tuning the others.
With --cited only the papers cited are looked into, as `check_claims` does: a claim's, or those of a whole answer.
"""

import argparse
import gzip
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from bench.data.libraries import DATABASE, manage, measure, serve_settled
from bench.table import table

PLACES = (1, 5, 10)
SETS = {"citing": "sentences with what they cite", "evidence": "claims with their evidence"}


class Asked(Struct, frozen=True):
    """A sentence, and whether a passage of a paper, by its key and words, is what it asks for."""

    text: str
    # The keys of the papers cited, also for the sentences around it.
    cited: frozenset[str]
    is_right: Callable[[str, str], bool]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=Path(os.environ.get("PAPERSITE_BENCH_DATA", ".")))
    parser.add_argument("--model", type=Path, help="folder of an ONNX sentence model, asked beside the default")
    parser.add_argument("--tuning", action="store_true", help="the claims on which the ranking was tuned")
    parser.add_argument("--cited", action="store_true", help="look only into the papers that are cited")
    parser.add_argument("--ask", choices=SETS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ask:
        print(json.dumps(ask(options.ask, options.data, odd=not options.tuning, in_cited=options.cited)))
        return
    rows = []
    for name, label in SETS.items():
        for model in dict.fromkeys((None, options.model)):
            with TemporaryDirectory() as folder:
                papers = Path(folder) / "papers.jsonl"
                papers.write_text("".join(f"{json.dumps(paper)}\n" for paper in papers_of(name, options.data)))
                manage(Path(folder), "build_snapshot", str(papers), "--out", f"{folder}/library")
                database = Path(folder) / "library" / DATABASE
                manage(Path(folder), "build_index", str(database), model=model)
                chosen = [
                    str(options.data),
                    "--ask",
                    name,
                    *["--tuning"] * options.tuning,
                    *["--cited"] * options.cited,
                ]
                asked = measure("bench.quality.passages", database, *chosen, model=model)
            rows.append([label + (f", {model.name}" if model else ""), *json.loads(asked)])
    print(table(("set", "asked", *(f"within {most}" for most in PLACES), "nothing"), rows))


def papers_of(name: str, data: Path) -> Iterator[dict[str, object]]:
    if name == "citing":
        yield from map(json.loads, (data / name / "passages.jsonl").read_text(encoding="utf-8").splitlines())
        return
    with gzip.open(data / name / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            # Many papers have one title.
            title = f"{line['title']} ({line['_id']})"
            yield {"key": line["_id"], "title": title, "abstract": " ".join(line["sentences"])}


def questions(name: str, data: Path, *, odd: bool) -> Iterator[Asked]:
    if name == "citing":
        text = (data / name / "sentences.jsonl").read_text(encoding="utf-8")
        answers = [json.loads(line) for line in text.splitlines()]
        for line in answers:
            cited = frozenset(key for other in answers if other["n"] == line["n"] for key in other["gold"])
            yield Asked(line["sentence"], cited, lambda title, quote, gold=line["gold"]: _key(title) in gold)  # type: ignore[misc]
        return
    with gzip.open(data / name / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = {str(line["_id"]): line["sentences"] for line in map(json.loads, lines)}
    for line in map(json.loads, (data / name / "claims.jsonl").read_text(encoding="utf-8").splitlines()):
        if int(line["id"]) % 2 == odd:
            right = {
                (key, _letters(texts[key][number]))
                for key, items in line["evidence"].items()
                for item in items
                for number in item["sentences"]
            }
            cited = frozenset(line["evidence"])
            yield Asked(line["claim"], cited, lambda title, quote, right=right: _has_one(title, quote, right))  # type: ignore[misc]


def _has_one(title: str, quote: str, right: set[tuple[str, str]]) -> bool:
    words = _letters(quote)
    return any(key == _key(title) and sentence in words for key, sentence in right)


def _key(title: str) -> str:
    return title.rpartition("(")[2].rstrip(")")


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)


def ask(name: str, data: Path, *, odd: bool, in_cited: bool) -> list[str]:
    """How many were asked, the share with a right passage within each of PLACES, and with none at all."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
    import django

    django.setup()
    serve_settled()
    from papercore import limits
    from papers.search.claims import find_for_claim
    from papers.search.passages import hit_of
    from papers.snapshot.served import connection
    from papers.tools import search_passages

    ids = {_key(title): paper_id for paper_id, title in connection().execute("SELECT paper_id, title FROM paper")}
    places, empty, asked = [], 0, list(questions(name, data, odd=odd))
    for item in asked:
        if in_cited:
            cited = [ids[key] for key in sorted(item.cited) if key in ids][: limits.PAPERS_AT_ONCE]
            hits = [hit_of(found) for found in find_for_claim(item.text, cited, max(PLACES))]
        else:
            hits = search_passages(item.text[:1_000], limit=max(PLACES)).passages
        empty += not hits
        places.append(next((place for place, hit in enumerate(hits) if item.is_right(hit.title, hit.quote)), 99))
    shares = [sum(place < most for place in places) / len(asked) for most in PLACES]
    return [str(len(asked)), *(f"{share:.3f}" for share in shares), str(empty)]


if __name__ == "__main__":
    main()
