"""The tool that checks a bibliography against the library: entry by entry, field by field."""

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, TypeVar

from msgspec import Struct
from msgspec.structs import replace
from pydantic import BaseModel, ConfigDict, Field

from ingest.bibtex.citation import plain_pages, read_stored_entry
from ingest.entries.report import NoProgress, TaskProgress
from ingest.reading.bibliography import WARM_READER, PlacedEntry, ReadBibliography, with_duplicates
from papercore import limits
from papercore.bibliography.checking import (
    BibliographyEntry,
    Elsewhere,
    EntryFinding,
    EntryVerdict,
    FoundElsewhere,
    KnownWork,
    check_entry,
)
from papercore.bibliography.citation import Citation
from papercore.bibliography.fields import parse_initials_last, parse_name
from papercore.bibliography.identifiers import canonical_doi
from papercore.errors import InvalidInput
from papercore.snapshot.fulltext import match_expression
from papercore.text import folded_words, one_line
from papercore.tool import CLEAN
from papers.references.cited import library_papers
from papers.snapshot.models import PaperKeyAlias
from papers.snapshot.queries import bibtex_entries, papers_with_ids, papers_with_words
from papers.snapshot.served import connection, paper_tool

# Words at either end of a title by which the library is asked: a slip in the middle does not hide the paper.
_TITLE_WORDS = 5
_CANDIDATES = 50
# Of one entry's values and differences so much is repeated.
_SHOWN_CHARS = 300
_DIFFERENCES = 20
# Authors that are missing, of whom so many are named.
_NAMED = 3
_OTHERS = re.compile(r"(?:^|[\s,])(?:and )?\{?(?:others|et al\b\.?)\}?$", re.IGNORECASE)
T = TypeVar("T")
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
    line: int
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
    read = WARM_READER.read(bibtex) if bibtex.strip() else ReadBibliography(())
    stated = [PlacedEntry(number, _entry_of(number, item)) for number, item in enumerate(references, start=1)]
    if not (read.entries or stated or read.unreadable_lines):
        raise InvalidInput(
            "No entry was found in `bibtex`: an entry begins with @ and its type, as in @article{key, ...}."
        )
    if len(read.entries) + len(stated) > limits.BIBLIOGRAPHY_ENTRIES:
        raise InvalidInput(f"At most {limits.BIBLIOGRAPHY_ENTRIES} entries are checked at once; check it in parts.")
    if stated:
        read = replace(read, entries=tuple(with_duplicates([*read.entries, *stated])))
    return checked_bibliography(read, progress=_Deadline())


def _entry_of(number: int, reference: StatedReference) -> BibliographyEntry:
    names = [name for name in map(one_line, reference.authors) if name]
    named = [name for name in (_OTHERS.sub("", name).strip(" ,") for name in names) if name]
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
    return BibliographyEntry(reference.key or str(number), citation, truncated=any(map(_OTHERS.search, names)))


class _Deadline(NoProgress):
    """For who waits for the answer."""

    def __init__(self) -> None:
        self._until = time.monotonic() + limits.BIBLIOGRAPHY_SECONDS

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
        for item in items:
            if time.monotonic() > self._until:
                raise InvalidInput(
                    f"bibtex: comparing it takes longer than {limits.BIBLIOGRAPHY_SECONDS} s; check it in parts."
                )
            yield item


def checked_bibliography(
    bibliography: ReadBibliography, elsewhere: Elsewhere | None = None, progress: TaskProgress | None = None
) -> CheckedBibliography:
    """`elsewhere` is asked for what the library does not know, and for entries with a DOI or an arXiv id."""
    entries = bibliography.entries
    tracked = (progress or NoProgress()).track("Entries", entries, len(entries))
    compared = [_compared(item) for item in tracked]
    unsure = [
        (item, place)
        for place, item in enumerate(entries)
        if item.entry.identifiers or compared[place].here.verdict == "unknown_here"
    ]
    asked: dict[int, FoundElsewhere] = {}
    if elsewhere:
        answers = elsewhere([item.entry for item, _ in unsure])
        asked = {place: answer for (_, place), answer in zip(unsure, answers, strict=True)}
    checked = [
        _checked(item, compared[place], asked.get(place, FoundElsewhere())) for place, item in enumerate(entries)
    ]
    counts = Counter(item.verdict for item in checked)
    return CheckedBibliography(
        entries=checked, counts=dict(counts), unreadable_lines=list(bibliography.unreadable_lines)
    )


class _Compared(Struct, frozen=True):
    """What the library has for an entry, and what follows from that alone."""

    identified: list[KnownWork]
    titled: list[KnownWork]
    here: EntryFinding


def _compared(item: PlacedEntry) -> _Compared:
    if "title" in item.too_long:
        return _Compared([], [], EntryFinding("unknown_here"))
    identified, titled = _works_of(item.entry)
    return _Compared(identified, titled, check_entry(item.entry, identified, titled))


def _checked(item: PlacedEntry, compared: _Compared, asked: FoundElsewhere) -> CheckedEntry:
    finding, verdict = compared.here, compared.here.verdict
    if asked.work and "title" not in item.too_long:
        found = [asked.work]
        identified = [*compared.identified, *(found if asked.by_identifier else ())]
        finding = check_entry(item.entry, identified, [*compared.titled, *(() if asked.by_identifier else found)])
        verdict = finding.verdict
    differences = [
        EntryDifference(field=one.field, entry=_cut(one.entry), record=_cut(one.record))
        for one in finding.differences[:_DIFFERENCES]
    ]
    note = _note(finding, asked, differences)
    if item.same_as and verdict in ("matches", "preprint_of", "unknown_here"):
        verdict, note = "duplicate", f"The same work as {item.same_as}."
    if item.too_long:
        note = f"Not compared, because it is too long: {', '.join(item.too_long)}. " + (
            "" if "title" in item.too_long else note
        )
    return CheckedEntry(
        key=item.entry.key,
        line=item.line,
        title=_cut(item.entry.citation.title),
        verdict=verdict,
        differences=differences,
        paper_id=compared.here.work.work_id if compared.here.work else None,
        note=note.strip(),
    )


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"


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


def _note(finding: EntryFinding, asked: FoundElsewhere, differences: Sequence[EntryDifference]) -> str:
    if finding.verdict == "unknown_here":
        return " ".join(filter(None, ("No paper of this library has its title, DOI or arXiv id.", asked.note)))
    if finding.verdict == "retracted" and finding.work:
        return f"{finding.work.source}'s record says that this work was retracted."
    if finding.verdict == "preprint_of" and finding.work:
        return f"Published since: {'; '.join(finding.work.venues)}, {finding.work.year or 'n.d.'}."
    if finding.verdict == "mixed" and finding.other and finding.other is not finding.work:
        return f"Its DOI is that of “{finding.other.title}”."
    record = "the record" if not finding.work or finding.work != asked.work else finding.work.source
    said = [
        f"{item.field}: “{item.entry}”, {record} has “{item.record or 'no such'}”" for item in differences if item.entry
    ]
    if left := sum(bool(item.entry) for item in finding.differences) - len(said):
        said.append(f"and {left} more differences")
    if missing := [_cut(item.record) for item in finding.differences if not item.entry]:
        more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        said.append(f"{len(missing)} of {record}'s authors missing: {'; '.join(missing[:_NAMED])}{more}")
    return "; ".join(said)
