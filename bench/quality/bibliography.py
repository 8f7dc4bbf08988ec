"""How well a bibliography is checked: true entries with the usual noise, and entries put together from several works.

    python -m bench.quality.bibliography [papers.jsonl.gz]      (default: $PAPERSITE_BENCH_DATA/acl/papers.jsonl.gz)

From records of the ACL Anthology: 5,000 true entries with initials, accents dropped, abbreviated venues and preprint
years; 2,000 with one error each. An error is found if the entry is said to differ in that field.
"""

import argparse
import gzip
import json
import os
import random
from collections import Counter, defaultdict
from pathlib import Path

from msgspec.structs import replace

from papercore.bibliography.checking import BibliographyEntry, KnownWork, check_entry, folded_title
from papercore.bibliography.citation import Citation
from papercore.bibliography.fields import PersonName, parse_name
from papercore.text import without_accents

TRUE_ENTRIES, ERRORS = 5_000, 2_000
ACCUSED = ("differs", "mixed")
ABBREVIATED = {"Proceedings": "Proc.", "Conference": "Conf.", "International": "Int.", "Association": "Assoc."}
FIELDS = {"authors": "authors", "year": "year", "doi": "doi", "dropped": "author", "venue": "venue"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", ".")) / "acl" / "papers.jsonl.gz"
    parser.add_argument("data", nargs="?", type=Path, default=data)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="so many of the wrong verdicts")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    works = read_works(options.data)
    by_title: dict[str, list[KnownWork]] = defaultdict(list)
    by_doi: dict[str, KnownWork] = {}
    for work in works:
        by_title[folded_title(work.title)].append(work)
        by_doi |= dict.fromkeys(work.dois, work)

    def verdict(entry: BibliographyEntry) -> tuple[str, set[str]]:
        identified = [by_doi[entry.citation.doi]] if entry.citation.doi in by_doi else []
        found = check_entry(entry, identified, by_title[folded_title(entry.citation.title)])
        return found.verdict, {difference.field for difference in found.differences}

    chosen = chance.sample([work for work in works if len(work.authors) > 1 and work.year], TRUE_ENTRIES + ERRORS)
    accused = 0
    for work in chosen[:TRUE_ENTRIES]:
        entry = noisy(entry_of(work), chance)
        said, fields = verdict(entry)
        accused += said in ACCUSED
        if said in ACCUSED and options.show > 0:
            options.show -= 1
            print("accused", said, fields, entry.citation.title, entry.citation.venue, "|", work.venues, work.authors)
    found: Counter[str] = Counter()
    for number, work in enumerate(chosen[TRUE_ENTRIES:]):
        kind = list(FIELDS)[number % len(FIELDS)]
        said, fields = verdict(broken(entry_of(work), kind, work, works, chance))
        right = said in ACCUSED and (FIELDS[kind] in fields or (kind == "dropped" and "authors" in fields))
        found[kind] += right
        if not right and options.show > 0:
            options.show -= 1
            print("missed", kind, said, fields, work.title, work.authors)
    each = ERRORS / len(FIELDS)
    print(f"true entries accused: {accused} of {TRUE_ENTRIES} ({accused / TRUE_ENTRIES:.2%})")
    print(f"errors found and named: {found.total()} of {ERRORS} ({found.total() / ERRORS:.1%})")
    print(", ".join(f"{kind} {found[kind] / each:.3f}" for kind in FIELDS))


def read_works(path: Path) -> list[KnownWork]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [
        KnownWork(
            row["_id"],
            row["title"],
            tuple(row["authors"]),
            row["year"],
            tuple(filter(None, (row["booktitle"], row["venue"]))),
            frozenset([row["doi"].lower()] if row["doi"] else []),
        )
        for row in rows
    ]


def entry_of(work: KnownWork) -> BibliographyEntry:
    citation = Citation(
        work.title,
        tuple(map(parse_name, work.authors)),
        str(work.year),
        venue=work.venues[0] if work.venues else "",
        doi=next(iter(work.dois), ""),
    )
    return BibliographyEntry(work.work_id, citation)


def noisy(entry: BibliographyEntry, chance: random.Random) -> BibliographyEntry:
    """Each kind of noise in about a third of the entries."""
    citation, truncated = entry.citation, False
    if chance.random() < 1 / 3:
        names = [
            PersonName(name.family, " ".join(f"{part[0]}." for part in name.given.split())) for name in citation.authors
        ]
        citation = replace(citation, authors=tuple(names))
    if chance.random() < 1 / 3:
        plain = [PersonName(without_accents(name.family), without_accents(name.given)) for name in citation.authors]
        citation = replace(citation, authors=tuple(plain), title=without_accents(citation.title))
    if chance.random() < 1 / 3:
        venue = " ".join(ABBREVIATED.get(word, word) for word in citation.venue.split())
        citation = replace(citation, venue=venue)
    if chance.random() < 1 / 4:
        citation = replace(citation, year=str(int(citation.year) - 1), venue="CoRR", doi="")
    if chance.random() < 1 / 6:
        citation, truncated = replace(citation, authors=citation.authors[:1]), True
    return BibliographyEntry(entry.key, citation, truncated)


def broken(
    entry: BibliographyEntry, kind: str, work: KnownWork, works: list[KnownWork], chance: random.Random
) -> BibliographyEntry:
    citation = entry.citation
    families = {name.family for name in citation.authors}
    while True:
        other_work = chance.choice(works)
        other = entry_of(other_work).citation
        if kind == "authors" and other.authors and families.isdisjoint(name.family for name in other.authors):
            return replace(entry, citation=replace(citation, authors=other.authors))
        if kind == "year":
            return replace(entry, citation=replace(citation, year=str(int(citation.year) + chance.choice((-2, 2)))))
        if kind == "doi" and other.doi and other.title != citation.title:
            return replace(entry, citation=replace(citation, doi=other.doi))
        if kind == "dropped":
            left = list(citation.authors)
            left.pop(chance.randrange(len(left)))
            return replace(entry, citation=replace(citation, authors=tuple(left)))
        if kind == "venue" and other.venue and other_work.venues[-1] != work.venues[-1]:
            return replace(entry, citation=replace(citation, venue=other.venue))


if __name__ == "__main__":
    main()
