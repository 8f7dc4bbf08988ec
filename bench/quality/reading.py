"""How free text is read without a model: judged questions and notes against what they mean.

    python -m bench.quality.reading [FOLDER]      (default: $PAPERSITE_BENCH_DATA; needs queries/ and acl/ in it)

Of each constraint that a text means (people, venues, kinds, years, what to leave out) it is counted whether it was
found; of each that was read, whether it is meant. Reversed: something wanted is excluded or ranked lower, or the other
way round. Required: a word of a question that every paper must have. Of notes it is counted too which wanted things and
which papers, by their rank, were found. Not told: what was missed in a text of which a word is neither in the plan nor
told. `--list` prints what was missed or is wrong.
"""

import argparse
import asyncio
import gzip
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any  # JSON as it comes

from paper_search.models import RawPaper, SearchConstraints, SearchQuery
from paper_search.plan import kind_of
from paper_search.reading.free_text import ReadText, read_note, read_question
from paper_search.reading.names import KnownNames
from paper_search.reading.years import read_years
from paper_search.skills.query_builder import RuleQueryBuilder
from paper_search.skills.thesaurus import Thesaurus
from paper_search.sources.interface import MENTIONS, Library, PaperText
from paper_search.text import stems

NOW = 2026
# What a text may lose: words that ask, and those for which a kind stands.
ASKING = "find show want need mean paper work more less fewer only just focus first ones survey dataset theory"
FIELDS = ("authors", "venues", "kinds", "year_from", "year_to", "not")


class Names(Library):
    """The names of the library of real papers, and how many titles have a word."""

    def __init__(self, path: Path) -> None:
        self.authors: set[str] = set()
        self.venues: set[str] = set()
        self.words: Counter[str] = Counter()
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                paper = json.loads(line)
                self.authors.update(name.lower() for name in paper["authors"])
                self.venues.add(paper["venue"])
                self.words.update(set(paper["title"].lower().split()))

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        return []

    def keywords(self) -> Sequence[str]:
        return ()

    def mentions(self, *phrases: str) -> Sequence[PaperText]:
        return [PaperText("")] * min(MENTIONS, min(self.words[phrase.lower()] for phrase in phrases))

    def names(self, facet: str) -> Sequence[str]:
        return sorted(self.authors if facet == "author" else self.venues)


class Score:
    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.remarks: list[str] = []

    def add(self, text: str, meaning: dict[str, Any], read: ReadText) -> None:
        self.counts["texts"] += 1
        unwanted = meaning.get("not") or meaning.get("avoid") or []
        for name in FIELDS:
            meant = unwanted if name == "not" else meaning[name] or []
            found = found_in(read, name)
            for value in meant if isinstance(meant, list) else [meant]:
                is_found = any(same(name, value, other) for other in found)
                self.counts[f"{name} meant"] += 1
                self.counts[f"{name} found"] += is_found
                if not is_found:
                    self.missed(f"{name} {value}", text, read)
            for value in found:
                if not any(same(name, other, value) for other in (meant if isinstance(meant, list) else [meant])):
                    self.counts[f"{name} wrong"] += 1
                    self.remarks.append(f"wrong    {name} {value}: {text}")
        wanted = [term for group in meaning.get("concepts", []) for term in group] + meaning.get("want", [])
        for value in meaning.get("want", []):
            self.counts["want meant"] += 1
            is_found = overlaps(value, [*read.plan.prefer, *read.plan.kinds])
            self.counts["want found"] += is_found
            if not is_found:
                self.missed(f"want {value}", text, read)
        for name in ("like", "unlike"):
            # Which papers a rank means, no reader of text alone can know: they are marked, or told.
            for value in meaning.get(name, []):
                self.counts[f"{name} meant"] += 1
                self.missed(f"{name} {value}", text, read)
        excluded = [*read.plan.not_, *read.plan.avoid]
        turned = [term for term in excluded if overlaps(term, wanted) and not overlaps(term, unwanted)]
        turned += [term for term in read.plan.prefer if overlaps(term, unwanted) and not overlaps(term, wanted)]
        self.counts["reversed"] += bool(turned)
        self.remarks += [f"reversed {term}: {text}" for term in turned]

    def missed(self, value: str, text: str, read: ReadText) -> None:
        shown = stems(f"{json.dumps(read.plan.filled(), ensure_ascii=False)} {' '.join(read.not_understood)}")
        untold = bool(set(stems(read_years(text, NOW).rest)) - set(shown) - set(stems(ASKING)))
        self.counts["untold"] += untold
        self.remarks.append(f"{'untold' if untold else 'missed'}   {value}: {text}   (told: {read.not_understood})")


def found_in(read: ReadText, name: str) -> list[Any]:
    plan = read.plan
    if name == "not":
        return [*plan.not_, *plan.not_authors, *plan.not_kinds, *plan.avoid]
    value = getattr(plan, name)
    return value if isinstance(value, list) else [value] if value else []


def same(name: str, meant: object, found: object) -> bool:
    if name == "kinds":
        return kind_of(meant) == found
    if name == "not":
        return kind_of(meant) == found or overlaps(str(found), [str(meant)])
    return str(meant).lower() == str(found).lower()


def overlaps(term: str, others: list[str]) -> bool:
    asked = set(stems(term))
    return any(asked & set(stems(other)) for other in others)


def required(read: ReadText) -> list[str]:
    """Words that every paper must have, by the strategy that is built."""
    from paper_search.models import QueryBuilderInput

    builder = RuleQueryBuilder(["arxiv"], Thesaurus())
    intent = read.plan.intent().model_copy(update={"planned": False})
    query = asyncio.run(builder.build(QueryBuilderInput(intent=intent))).queries[0]
    return [] if not intent.concepts and " AND " not in query.boolean_query else [query.boolean_query]


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=os.environ.get("PAPERSITE_BENCH_DATA"))
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args()
    known = KnownNames(Names(given.data / "acl" / "papers.jsonl.gz"))
    for name in ("questions", "notes"):
        score = Score()
        for row in rows(given.data / "queries" / f"{name}.dev.jsonl"):
            if name == "notes":
                score.add(row["note"], row["meaning"], read_note(row["note"], known, NOW))
            else:
                read = read_question(row["question"], known, NOW)
                score.add(row["question"], row["meaning"], read)
                score.counts["required"] += bool(required(read))
        report(name, score)
        if given.list:
            print("\n".join(score.remarks))


def report(name: str, score: Score) -> None:
    counts = score.counts
    meant, found = (sum(counts[f"{field} {kind}"] for field in FIELDS) for kind in ("meant", "found"))
    wrong = sum(counts[f"{field} wrong"] for field in FIELDS)
    print(f"{name}: {counts['texts']} texts, constraints found {found} of {meant} ({found / meant:.0%}), wrong {wrong}")
    print("  " + ", ".join(f"{field} {counts[f'{field} found']}/{counts[f'{field} meant']}" for field in FIELDS))
    print(
        "  "
        + ", ".join(
            f"{field} {counts[f'{field} found']}/{counts[f'{field} meant']}"
            for field in ("want", "like", "unlike")
            if counts[f"{field} meant"]
        )
    )
    print(
        f"  reversed {counts['reversed']} ({counts['reversed'] / counts['texts']:.0%}), required {counts['required']},"
        f" missed and not told {counts['untold']}"
    )


if __name__ == "__main__":
    main()
