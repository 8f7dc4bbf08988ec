"""The tool that checks a bibliography against the library: entry by entry, field by field."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from ingest.bibtex.citation import citation_of, plain_pages, read_stored_entry
from ingest.bibtex.entries import BibtexFields, parse_entries, parse_macros
from papercore import limits
from papercore.arguments import CLEAN
from papercore.bibliography.checking import (
    BibliographyEntry,
    Elsewhere,
    EntryFinding,
    EntryVerdict,
    FoundElsewhere,
    KnownWork,
    check_entry,
    same_work,
)
from papercore.bibliography.citation import Citation
from papercore.bibliography.fields import parse_initials_last, parse_name
from papercore.bibliography.identifiers import canonical_doi
from papercore.errors import InvalidInput
from papercore.snapshot.fulltext import match_expression
from papercore.text import folded_words, one_line
from papers.references.cited import library_papers
from papers.snapshot.models import PaperKeyAlias
from papers.snapshot.queries import bibtex_entries, papers_with_ids, papers_with_words
from papers.snapshot.served import connection, paper_tool

# Words at either end of a title by which the library is asked: a slip in the middle does not hide the paper.
_TITLE_WORDS = 5
_CANDIDATES = 50
# Authors that are missing, of whom so many are named.
_NAMED = 3
_OTHERS = re.compile(r"\b(?:and\s+)?others\s*$|\bet\s+al\.?\s*$", re.IGNORECASE)
Bibtex = Annotated[str, Field(max_length=limits.BIBLIOGRAPHY_CHARS, description="BibTeX or biblatex entries."), CLEAN]
StatedField = Annotated[str, Field(max_length=limits.REFERENCE_CHARS), CLEAN]


class StatedReference(BaseModel):
    """A reference, field by field, as `doi` or `pages` of BibTeX have it."""

    model_config = ConfigDict(extra="forbid", coerce_numbers_to_str=True)

    title: Annotated[str, Field(min_length=1, max_length=limits.REFERENCE_CHARS), CLEAN]
    authors: Annotated[tuple[StatedField, ...], Field(max_length=limits.REFERENCE_AUTHORS)] = ()
    year: StatedField = ""
    venue: StatedField = ""
    volume: StatedField = ""
    issue: StatedField = ""
    pages: StatedField = ""
    doi: StatedField = ""
    url: StatedField = ""
    key: StatedField = ""


References = Annotated[
    tuple[StatedReference, ...],
    Field(max_length=limits.BIBLIOGRAPHY_ENTRIES, description="Instead of BibTeX, or beside it."),
]


class BibliographyBody(BaseModel):
    """The body of a request over REST."""

    bibtex: Bibtex = ""
    references: References = ()


class EntryDifference(BaseModel):
    field: str
    entry: str
    record: str


class CheckedEntry(BaseModel):
    key: str
    title: str
    verdict: EntryVerdict
    differences: list[EntryDifference]
    paper_id: str | None = Field(description="The paper here that it means.")
    note: str = Field(description="What is to be said, in a sentence.")


class CheckedBibliography(BaseModel):
    """The entries in their order."""

    entries: list[CheckedEntry]
    counts: dict[str, int]
    unreadable_lines: list[int] = Field(description="Where an entry begins that cannot be read.")


@paper_tool
def check_bibliography(bibtex: Bibtex = "", references: References = ()) -> CheckedBibliography:
    """Check a bibliography against this library: is each entry right, field by field?

    Verdicts: matches; differs (in `differences`); mixed (title of one work, authors or DOI of another); retracted;
    preprint_of (published since); duplicate; unknown_here (nothing is known, which says nothing against it).
    """
    if not bibtex.strip() and not references:
        raise InvalidInput("There is nothing to check: pass entries in `bibtex`, or a list in `references`.")
    return checked_bibliography(bibtex, references)


def checked_bibliography(
    bibtex: str, references: Sequence[StatedReference] = (), elsewhere: Elsewhere | None = None
) -> CheckedBibliography:
    """`elsewhere` is asked for what the library does not know, and for entries with a DOI or an arXiv id."""
    entries, unreadable = read_bibliography(bibtex)
    entries += [_entry_of(number, reference) for number, reference in enumerate(references, start=1)]
    if len(entries) > limits.BIBLIOGRAPHY_ENTRIES:
        raise InvalidInput(f"At most {limits.BIBLIOGRAPHY_ENTRIES} entries are checked at once; check it in parts.")
    known = [_works_of(entry) for entry in entries]
    here = [check_entry(entry, *works) for entry, works in zip(entries, known, strict=True)]
    unsure = [
        place for place, entry in enumerate(entries) if entry.identifiers or here[place].verdict == "unknown_here"
    ]
    told = dict(zip(unsure, elsewhere([entries[place] for place in unsure]), strict=True)) if elsewhere else {}
    checked = []
    for place, entry in enumerate(entries):
        twin = next((other for other in entries[:place] if same_work(entry, other)), None)
        asked = told.get(place, FoundElsewhere())
        finding = _with_elsewhere(entry, known[place], asked) if asked.work else here[place]
        verdict = (
            "duplicate" if twin and finding.verdict in ("matches", "preprint_of", "unknown_here") else finding.verdict
        )
        checked.append(
            CheckedEntry(
                key=entry.key,
                title=entry.citation.title,
                verdict=verdict,
                differences=[
                    EntryDifference(field=item.field, entry=item.entry, record=item.record)
                    for item in finding.differences
                ],
                paper_id=known_here.work_id if (known_here := here[place].work) else None,
                note=f"The same work as {twin.key}." if verdict == "duplicate" and twin else _note(finding, asked),
            )
        )
    counts = Counter(item.verdict for item in checked)
    return CheckedBibliography(entries=checked, counts=dict(counts), unreadable_lines=unreadable)


def read_bibliography(bibtex: str) -> tuple[list[BibliographyEntry], list[int]]:
    """The entries that can be read, and the lines of those that cannot."""
    macros: dict[str, str] = {}
    parse_macros(bibtex, macros)
    entries, unreadable = [], []
    for found in parse_entries(bibtex, macros):
        if not isinstance(found, BibtexFields):
            unreadable.append(found.line)
            continue
        truncated = bool(_OTHERS.search(found.fields.get("author", "")))
        entries.append(BibliographyEntry(found.key, citation_of(found.entry_type, found.fields), truncated))
    return entries, unreadable


def _entry_of(number: int, reference: StatedReference) -> BibliographyEntry:
    names = [name for name in map(one_line, reference.authors) if name]
    named = [name for name in names if not _OTHERS.fullmatch(name)]
    citation = Citation(
        title=one_line(reference.title),
        authors=parse_initials_last(named) or tuple(map(parse_name, named)),
        year=reference.year.strip(),
        venue=one_line(reference.venue),
        volume=reference.volume.strip(),
        issue=reference.issue.strip(),
        pages=plain_pages(reference.pages),
        doi=canonical_doi(reference.doi) or "",
        url=reference.url.strip(),
    )
    return BibliographyEntry(reference.key or str(number), citation, truncated=len(named) < len(names))


def _works_of(entry: BibliographyEntry) -> tuple[list[KnownWork], list[KnownWork]]:
    """The papers of the library that an entry may mean, by its identifiers and by its title."""
    keys = [str(identifier) for identifier in entry.identifiers]
    identified = (
        list(PaperKeyAlias.objects.filter(paper_key__in=keys).values_list("paper_id", flat=True)) if keys else []
    )
    words = folded_words(entry.citation.title)
    ends = [" ".join(words[:_TITLE_WORDS]), " ".join(words[-_TITLE_WORDS:])]
    expression = match_expression(ends if len(words) > 1 else [])
    titled = papers_with_words(connection(), f"title : ({expression})", _CANDIDATES) if expression else []
    works = {work.work_id: work for work in known_works(list(dict.fromkeys([*identified, *titled])))}
    return [works[name] for name in identified if name in works], [works[name] for name in titled if name in works]


def _with_elsewhere(
    entry: BibliographyEntry, known: tuple[list[KnownWork], list[KnownWork]], asked: FoundElsewhere
) -> EntryFinding:
    found = [asked.work] if asked.work else []
    return check_entry(
        entry,
        [*known[0], *(found if asked.by_identifier else ())],
        [*known[1], *(() if asked.by_identifier else found)],
    )


def known_works(paper_ids: Sequence[str]) -> list[KnownWork]:
    """Papers of the library, with every name that its records have for the venue."""
    papers = papers_with_ids(connection(), paper_ids)
    stored = bibtex_entries(connection(), list(papers))
    found = []
    for listed in library_papers(paper_ids):
        citable, stored_entry = listed.citable, stored.get(listed.paper_id)
        stated = read_stored_entry(stored_entry.bibtex_raw).citation if stored_entry else Citation("")
        names = map(one_line, (papers[listed.paper_id].venue, stated.venue))
        found.append(
            KnownWork(
                listed.paper_id,
                citable.title,
                citable.authors,
                citable.year,
                tuple(dict.fromkeys(name for name in names if name and name.lower() != "unknown")),
                citable.dois,
                stated.volume,
                stated.issue,
                stated.pages,
            )
        )
    return found


def _note(finding: EntryFinding, asked: FoundElsewhere) -> str:
    if finding.verdict == "unknown_here":
        return " ".join(filter(None, ("No paper of this library has its title, DOI or arXiv id.", asked.note)))
    if finding.verdict == "retracted" and finding.work:
        return f"{finding.work.source}'s record says that this work was retracted."
    if finding.verdict == "preprint_of" and finding.work:
        return f"Published since: {'; '.join(finding.work.venues)}, {finding.work.year or 'n.d.'}."
    if finding.verdict == "mixed" and finding.other and finding.other is not finding.work:
        return f"Its DOI is that of “{finding.other.title}”."
    record = "the record" if not finding.work or finding.work != asked.work else finding.work.source
    missing = [item.record for item in finding.differences if item.field == "author" and not item.entry]
    said = [
        f"{item.field}: “{item.entry}”, {record} has “{item.record or 'no such'}”"
        for item in finding.differences
        if item.entry
    ]
    if missing:
        more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        said.append(f"{len(missing)} of {record}'s authors missing: {'; '.join(missing[:_NAMED])}{more}")
    return "; ".join(said)
