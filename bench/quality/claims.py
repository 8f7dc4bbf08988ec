"""How often a claim is judged rightly: claims that an abstract supports or contradicts, and sentences with one change.

    python -m bench.quality.claims [FOLDER] [--show]      (default: $PAPERSITE_BENCH_DATA/evidence)

Each claim is compared with all sentences of the abstracts cited for it; `differs` is right if the abstract contradicts
the claim. Then one sentence of each abstract is compared with its abstract as it stands, and with the other sentences
alone: `differs` is wrong. With one number, year, unit, name, negation or direction changed, `supported` is.
"""

import argparse
import json
import os
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bench.quality.evidence import Abstract, read_abstracts
from bench.table import table
from papercore.passages.claims import judge_claim

FINDINGS = ("supported", "differs", "not_found")
OPPOSITES = (
    *(("increases", "decreases"), ("increased", "decreased"), ("increase", "decrease"), ("higher", "lower")),
    *(("promotes", "inhibits"), ("greater", "smaller"), ("reduced", "increased"), ("enhanced", "reduced")),
)
OPPOSITE = dict(OPPOSITES) | {second: first for first, second in OPPOSITES}
NAME = r"\b(?=\w*[A-Z]\w*[A-Z])[A-Z][A-Za-z0-9]{2,7}\b"
VERB = r"\b(is|are|was|were|can|does|did|has been|have been)\b(?! not\b| no\b)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", ".")) / "evidence"
    parser.add_argument("data", nargs="?", type=Path, default=data)
    parser.add_argument("--show", action="store_true", help="print what is said to differ, and what is wrong")
    options = parser.parse_args()
    abstracts = read_abstracts(options.data)
    rows = [*_claims(options.data, abstracts, show=options.show), *_sentences(abstracts, show=options.show)]
    print(table(("sentences", "number", *FINDINGS), rows))


def _claims(folder: Path, abstracts: Mapping[str, Abstract], *, show: bool) -> list[list[str]]:
    counts: dict[str, Counter[str]] = {"SUPPORT": Counter(), "CONTRADICT": Counter(), "nothing": Counter()}
    for line in map(json.loads, (folder / "claims.jsonl").read_text(encoding="utf-8").splitlines()):
        for document in map(str, line["cited"]):
            labels = {item["label"] for item in line["evidence"].get(document, ())} or {"nothing"}
            found = judge_claim(line["claim"], abstracts[document].sentences)
            counts["/".join(sorted(labels))][found.finding] += 1
            if show and found.finding == "differs":
                best = found.best[0]
                said = abstracts[document].sentences[best]
                print(labels, line["claim"], "|", found.comparisons[best].differs, "|", said)
    differs = sum(count["differs"] for count in counts.values())
    print(f"differs is right in {counts['CONTRADICT']['differs']} of {differs} claims\n")
    return [_row(f"claims, {label}", count) for label, count in counts.items()]


def _sentences(abstracts: Mapping[str, Abstract], *, show: bool) -> list[list[str]]:
    chance = random.Random(1)
    names = sorted(
        {name for paper in abstracts.values() for text in paper.sentences for name in re.findall(NAME, text)}
    )
    changes = changers(names, chance)
    counts = {name: Counter[str]() for name in ("as they stand", "beside the others", *changes)}
    for paper in abstracts.values():
        number = chance.randrange(len(paper.sentences))
        sentence, others = paper.sentences[number], paper.sentences[:number] + paper.sentences[number + 1 :]
        counts["as they stand"][judge_claim(sentence, paper.sentences).finding] += 1
        counts["beside the others"][(found := judge_claim(sentence, others)).finding] += 1
        if show and found.finding == "differs":
            print("beside the others", sentence, "|", found.comparisons[found.best[0]].differs, others[found.best[0]])
        for kind, change in changes.items():
            changed = [(new, old) for old in paper.sentences if (new := change(old)) != old]
            # The abstract may say elsewhere what the change makes of it, which is no fault.
            if changed:
                new, old = chance.choice(changed)
                finding = judge_claim(new, paper.sentences).finding
                counts[kind][finding] += 1
                if show and finding == "supported":
                    print(kind, new, "|", old)
    return [_row(name, count) for name, count in counts.items()]


def changers(names: Sequence[str], chance: random.Random) -> dict[str, Callable[[str], str]]:
    """Each makes one change of its kind to a sentence, or returns it as it is."""

    def once(pattern: str, change: Callable[[re.Match[str]], str]) -> Callable[[str], str]:
        return lambda text: re.sub(pattern, change, text, count=1)

    number = r"(?<![\w.,-])(?!(?:1[89]|20)\d\d)\d{1,4}(?:\.\d+)?(?=%| [a-z]{4,})(?![\w-])"
    return {
        "number": once(number, lambda found: str(round(2 * float(found[0]) + 3))),
        "year": once(r"\b(?:19|20)\d\d\b(?!-)", lambda found: str(int(found[0]) - 3)),
        "unit": once(r"(?<=\d )(?:mg|kg|ml|cm|mm|months)\b", lambda found: "h" if found[0] == "months" else "ng"),
        "name": once(NAME, lambda found: chance.choice(names)),
        "negation": once(VERB, lambda found: f"{found[0]} not"),
        "direction": once(rf"\b(?:{'|'.join(OPPOSITE)})\b", lambda found: OPPOSITE[found[0]]),
    }


def _row(name: str, counts: Counter[str]) -> list[str]:
    total = counts.total()
    return [name, str(total), *(f"{counts[finding]} ({counts[finding] / (total or 1):.1%})" for finding in FINDINGS)]


if __name__ == "__main__":
    main()
