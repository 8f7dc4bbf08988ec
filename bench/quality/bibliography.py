"""How well a bibliography is checked: true entries with the usual noise, and entries put together from several works.

    python -m bench.quality.bibliography [papers.jsonl.gz]      (default: $PAPERSITE_BENCH_DATA/acl/papers.jsonl.gz)

From records of the ACL Anthology, half of them moved into journals of other fields: 5,000 true entries as people write
them (initials, names in PubMed's form, accents dropped, journals in ISO 4, NLM's form or by an acronym, shortened
pages, preprint years), and 2,000 with one error each. An error is found if the entry is said to differ in that field.
"""

import argparse
import gzip
import json
import os
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from bench.data.journals import JOURNALS
from ingest.bibtex.entries import latex_names
from papercore.bibliography.checking import BibliographyEntry, KnownWork, check_entry, folded_title
from papercore.bibliography.citation import Citation
from papercore.bibliography.fields import PersonName, parse_name
from papercore.text import without_accents

TRUE_ENTRIES, ERRORS = 5_000, 2_000
ACCUSED = ("differs", "mixed")
ABBREVIATED = {"Proceedings": "Proc.", "Conference": "Conf.", "International": "Int.", "Association": "Assoc."}
# The kinds of errors, with the field that must be named.
FIELDS = {
    "authors": "authors",
    "year": "year",
    "doi": "doi",
    "dropped": "author",
    "order": "author order",
    "venue": "venue",
    "pages": "pages",
    "volume": "volume",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", ".")) / "acl" / "papers.jsonl.gz"
    parser.add_argument("data", nargs="?", type=Path, default=data)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="so many of the wrong verdicts")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    works = read_works(options.data, chance)
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
            print("accused", said, fields, entry.citation, "|", work.venues, work.authors)
    found: Counter[str] = Counter()
    for number, work in enumerate(chosen[TRUE_ENTRIES:]):
        kind = list(FIELDS)[number % len(FIELDS)]
        said, fields = verdict(broken(kind, work, works, chance))
        right = said in ACCUSED and (FIELDS[kind] in fields or (kind == "dropped" and "authors" in fields))
        found[kind] += right
        if not right and options.show > 0:
            options.show -= 1
            print("missed", kind, said, fields, work.title, work.authors)
    each = ERRORS / len(FIELDS)
    print(f"true entries accused: {accused} of {TRUE_ENTRIES} ({accused / TRUE_ENTRIES:.2%})")
    print(f"errors found and named: {found.total()} of {ERRORS} ({found.total() / ERRORS:.1%})")
    print(", ".join(f"{kind} {found[kind] / each:.3f}" for kind in FIELDS))


def read_works(path: Path, chance: random.Random) -> list[KnownWork]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    works = []
    for row in rows:
        work = KnownWork(
            row["_id"],
            row["title"],
            tuple(row["authors"]),
            row["year"],
            tuple(filter(None, (row["booktitle"], row["venue"]))),
            frozenset([row["doi"].lower()] if row["doi"] else []),
            pages=row["pages"].replace("–", "-"),
        )
        if chance.random() < 1 / 2:
            first = chance.randrange(2, 1_900)
            pages = f"{first}-{first + chance.randrange(3, 30)}"
            volume, issue = str(chance.randrange(1, 400)), str(chance.randrange(1, 13))
            journal = chance.choice(list(JOURNALS))
            work = replace(work, venues=(journal,), volume=volume, issue=issue, pages=pages)
        works.append(work)
    return works


def entry_of(work: KnownWork) -> BibliographyEntry:
    citation = Citation(
        work.title,
        tuple(map(parse_name, work.authors)),
        str(work.year),
        venue=work.venues[0] if work.venues else "",
        doi=next(iter(work.dois), ""),
        kind="article-journal" if work.volume else "paper-conference",
        volume=work.volume,
        issue=work.issue,
        pages=work.pages,
    )
    return BibliographyEntry(work.work_id, citation)


def noisy(entry: BibliographyEntry, chance: random.Random) -> BibliographyEntry:
    """Each kind of noise in about a third of the entries."""
    citation, truncated = entry.citation, False
    if chance.random() < 1 / 3:
        plain = [PersonName(without_accents(name.family), without_accents(name.given)) for name in citation.authors]
        citation = replace(citation, authors=tuple(plain), title=without_accents(citation.title))
    if chance.random() < 1 / 2:
        citation = replace(citation, authors=with_initials(citation.authors, chance))
    if chance.random() < 1 / 2:
        shortened = " ".join(ABBREVIATED.get(word, word) for word in citation.venue.split())
        citation = replace(citation, venue=chance.choice(JOURNALS.get(citation.venue) or [shortened]))
    if chance.random() < 1 / 3 and "-" in citation.pages:
        first, _, last = citation.pages.partition("-")
        ending = last[-2:] if first[:-2] == last[:-2] else last
        citation = replace(citation, pages=chance.choice([first, f"{first}-{ending}", ""]))
    if chance.random() < 1 / 4:
        citation = replace(citation, year=str(int(citation.year) - 1), venue="CoRR", doi="")
    if chance.random() < 1 / 6:
        citation, truncated = replace(citation, authors=citation.authors[:1]), True
    return BibliographyEntry(entry.key, citation, truncated)


def with_initials(names: Sequence[PersonName], chance: random.Random) -> tuple[PersonName, ...]:
    """As BibTeX would have them from `K. Takahashi and ...`, `Takahashi K and ...` or `Takahashi K, ...`."""
    points, joined = chance.choice([(True, " and "), (False, " and "), (False, ", ")])
    if points:
        return tuple(PersonName(name.family, " ".join(f"{part[0]}." for part in name.given.split())) for name in names)
    written = (f"{name.family} {''.join(part[0] for part in name.given.split()[:2]).upper()}".strip() for name in names)
    return latex_names(joined.join(written))


def broken(kind: str, work: KnownWork, works: list[KnownWork], chance: random.Random) -> BibliographyEntry:
    while kind in ("pages", "volume") and not work.volume:
        work = chance.choice(works)
    entry = entry_of(work)
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
        if kind == "order":
            return replace(entry, citation=replace(citation, authors=citation.authors[::-1]))
        if kind == "venue" and other.venue and other_work.venues[-1] != work.venues[-1]:
            return replace(entry, citation=replace(citation, venue=other.venue))
        if kind in ("pages", "volume"):
            shifted = replace(citation, pages="17-29") if kind == "pages" else replace(citation, volume="977")
            return replace(entry, citation=shifted)


if __name__ == "__main__":
    main()
