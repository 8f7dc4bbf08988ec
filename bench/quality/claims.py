"""How often a claim is judged rightly: claims that an abstract supports or contradicts, and sentences with one change.

    python -m bench.quality.claims [FOLDER] [--show]      (default: $PAPERSITE_BENCH_DATA/evidence)

Each claim is compared with all sentences of the abstracts cited for it; `differs` is right if the abstract contradicts
the claim. Then sentences of abstracts are compared with their abstract: as they stand, or reworded so that they say the
same or less, `supported` is right; with one thing changed, or two exchanged, it is wrong, but for exchanges that leave
a sentence true. With the other sentences alone, `differs` is wrong.
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
# Words that are often compared with each other: with one in the place of the other, a sentence says the reverse.
COMPARED = (
    *(("increased", "decreased"), ("higher", "lower"), ("more", "less"), ("before", "after"), ("positive", "negative")),
    *(("men", "women"), ("mice", "humans"), ("patients", "controls"), ("children", "adults"), ("early", "late")),
    *(("sensitivity", "specificity"), ("left", "right")),
)
NUMBER = r"(?<![\w.,-])\d+(?:\.\d+)?(?![\w-]|[.,]\d)"
# Where the next clause of a sentence begins.
CLAUSE = r",? (?:and|but|while|whereas) "
ABSTRACTS = 1_000
VERB = r"\b(is|are|was|were|can|does|did|has been|have been)\b(?! not\b| no\b)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", ".")) / "evidence"
    parser.add_argument("data", nargs="?", type=Path, default=data)
    parser.add_argument("--show", action="store_true", help="print what is said to differ, and what is wrong")
    options = parser.parse_args()
    abstracts = read_abstracts(options.data)
    sample = random.Random(1).sample(sorted(abstracts.items()), ABSTRACTS)
    rows = [*_claims(options.data, abstracts, show=options.show), *_sentences(dict(sample), show=options.show)]
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
    changes = rewordings() | changers(names, chance) | exchanges()
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
                if show and (finding != "supported") == (kind in rewordings()):
                    print(f"{kind}, {finding}:", new, "|", old)
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


def rewordings() -> dict[str, Callable[[str], str]]:
    """Each says the same as a sentence, or less."""
    phrase = r"^((?:In|After|During|At|For|Among|By) [^,()]{3,40}), ([^,]+)\.$"
    return {
        "brackets left out": lambda text: re.sub(r" \([^()]*\)", "", text),
        "last clause left out": lambda text: re.sub(rf"^(.{{40,}}?)(?:{CLAUSE}|, )(?!.*{CLAUSE}|.*,).*", r"\1.", text),
        "“we found that” left out": lambda text: re.sub(r"^[^,]{0,40}(?:show|found|demonstrate)\w* that ", "", text),
        "first phrase last": lambda text: re.sub(phrase, lambda found: f"{found[2]} {found[1].lower()}.", text),
    }


def exchanges() -> dict[str, Callable[[str], str]]:
    """Each has two words of a sentence in each other's place, or what belongs to its other clause."""

    def exchanged(text: str, pattern: str) -> str:
        found = list(dict.fromkeys(re.findall(pattern, text)))
        if len(found) < 2:
            return text
        first, second = found[:2]
        return re.sub(pattern, lambda word: {first: second, second: first}.get(word[0], word[0]), text)

    def compared(text: str) -> str:
        both = (pair for pair in COMPARED if all(re.search(rf"\b{word}\b", text) for word in pair))
        return exchanged(text, rf"\b(?:{'|'.join(pair)})\b") if (pair := next(both, None)) else text

    def of_the_other_clause(text: str, pattern: str) -> str:
        first, *others = re.split(CLAUSE, text, maxsplit=1)
        mine, theirs = list(re.finditer(pattern, first)), re.findall(pattern, "".join(others))
        if not mine or not theirs or theirs[-1] in first:
            return text
        return f"{first[: mine[-1].start()]}{theirs[-1]}{first[mine[-1].end() :]}."

    return {
        "compared words exchanged": compared,
        "numbers exchanged": lambda text: exchanged(text, NUMBER),
        "names exchanged": lambda text: exchanged(text, NAME),
        "“before” for “after”": lambda text: re.sub(r"\bafter\b", "before", text),
        "number of the other clause": lambda text: of_the_other_clause(text, NUMBER),
        "name of the other clause": lambda text: of_the_other_clause(text, NAME),
        "last word of the other clause": lambda text: of_the_other_clause(text, r"\w+(?=\W*$)"),
    }


def _row(name: str, counts: Counter[str]) -> list[str]:
    total = counts.total()
    return [name, str(total), *(f"{counts[finding]} ({counts[finding] / (total or 1):.1%})" for finding in FINDINGS)]


if __name__ == "__main__":
    main()
