"""What a change of a library does to each paper, in words for people: fields before and after, and what is doubtful."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct

from ingest.entries.entry import PaperEntry
from ingest.entries.report import ChangeKind, FieldChange, PaperChange, Twin
from ingest.ledger.ledger import Ledger
from ingest.ledger.planning import Plan, PlannedPaper
from ingest.ledger.reasons import brought, changed_fields
from ingest.matching.corrections import typed
from ingest.matching.facts import Facts, are_two_kinds, compared_title, contradict, facts_of
from ingest.matching.identity import keys_of
from ingest.matching.records import Record
from ingest.matching.works import ADOPTED
from ingest.publishing.assets import PaperFiles
from ingest.publishing.stored_papers import StoredPaper, StoredPapers, same_entry
from papercore.bibliography.fields import UNKNOWN

# Characters of a text that tell what it is.
_BEGINNING = 240
# Papers that have the same title, and are shown beside a new one; a title that more new papers have tells nothing.
_TWINS, _COMMON_TITLE = 3, 6


class ChangedPaper(Struct, frozen=True):
    """A paper before and after; before it is None where it is new, after it where it goes."""

    paper_id: str
    kind: ChangeKind
    before: StoredPaper | None
    planned: PlannedPaper | None
    files: PaperFiles


class Seen(Struct, frozen=True):
    """Where an entry stands in what is read: in words, and by the name of its source."""

    place: str
    source: str


class Description:
    """`seen` are the entries that were read now, by their numbers."""

    def __init__(self, ledger: Ledger, stored: StoredPapers, seen: Mapping[int, Sequence[Seen]], plan: Plan) -> None:
        self._ledger = ledger
        self._stored = stored
        self._seen = seen
        self._plan = plan
        self._planned: dict[str, list[PlannedPaper]] = {}
        for paper in plan.papers:
            self._planned.setdefault(compared_title(paper.record.title), []).append(paper)

    def of(self, changes: Sequence[ChangedPaper]) -> list[PaperChange]:
        """Papers that were only looked at, because they might have been the same, are left out."""
        found = map(self._change, changes)
        return [*(each for each in found if each.kind != "unchanged" or each.places), *self._read_again()]

    def _change(self, change: ChangedPaper) -> PaperChange:
        paper, before = change.planned, change.before
        entries = paper.entries if paper else ()
        seen = [seen for each in entries for seen in self._seen.get(each.id, ())]
        read = [each.id for each in entries if each.id in self._seen]
        matched = [paper.matched_by[number] for number in read if paper and number in paper.matched_by]
        record = paper.record if paper else before.record if before else None
        is_told = bool(seen) and change.kind != "unchanged"
        twins = self._papers_of_same_title(paper) if paper and is_told else []
        fields = tuple(changed_fields(before, paper)) if before and paper else ()
        notes = brought(paper, self._seen) if before and paper else iter(())
        if before and change.kind == "changed":
            notes = self._other_changes(change, before, fields)
        return PaperChange(
            paper_id=change.paper_id,
            title=record.title if record else "",
            kind=change.kind,
            places=tuple(dict.fromkeys(each.place for each in seen)),
            sources=tuple(dict.fromkeys(each.source for each in seen)),
            matched_by=matched[0] if matched and before else "",
            doubts=tuple(self._reasons_to_look(change, twins)) if is_told else (),
            twins=tuple(twins),
            fields=fields,
            notes=tuple(notes),
            values={name: value for name, value in typed(record).items() if value} if record and is_told else {},
            begins=change.files.source.words[:_BEGINNING] if is_told and change.files.source else "",
        )

    def _papers_of_same_title(self, paper: PlannedPaper) -> list[Twin]:
        """Other papers with this title, in the library or new, and what speaks against their being the same."""
        titled = self._stored.with_title(paper.record.title) if paper.record.title else []
        # Papers as they are to be, where this change concerns them as well.
        new_record = {each.paper_id: each.record for each in self._plan.papers if each.removed_by is None}
        left = [each for each in titled if each not in paper.ids and each not in self._plan.gone]
        stored = filter(None, map(self._stored.read, left))
        others = [(each.paper_id, new_record.get(each.paper_id, each.record), False) for each in islice(stored, _TWINS)]
        planned = self._planned.get(compared_title(paper.record.title), ())
        if len(planned) <= _COMMON_TITLE:
            new = (each for each in planned if each is not paper and each.removed_by is None)
            others += [(each.paper_id, each.record, True) for each in new if not self._stored.has(each.paper_id)]
        return [
            Twin(paper_id=paper_id, by=_by(record), differs=difference(paper.record, record), is_new=is_new)
            for paper_id, record, is_new in others[:_TWINS]
        ]

    def _reasons_to_look(self, change: ChangedPaper, twins: Sequence[Twin]) -> Iterator[str]:
        """Why a person should look."""
        paper = change.planned
        if paper is None:
            return
        if any(each.id in self._plan.open for each in paper.entries if each.id in self._seen):
            yield "this file fits several papers by its title, and nothing in it says to which it belongs"
        for twin in twins:
            where = "what is added" if twin.is_new else "the library"
            yield f"{where} also has this title by {twin.by}, but {twin.differs}"
        for other in filter(None, map(self._stored.read, paper.ids[1:])):
            yield f"joins {other.paper_id}, {other.record.title}, which goes"
        if all(each.facts.is_file for each in paper.entries) and not paper.record.authors:
            yield "nobody was found in the PDF who wrote it"

    def _other_changes(self, change: ChangedPaper, before: StoredPaper, fields: Sequence[FieldChange]) -> Iterator[str]:
        """What changes beside the fields; what follows from them is not said again."""
        paper = change.planned
        if paper is None:
            return
        for other in filter(None, map(self._stored.read, paper.ids[1:])):
            yield f"merged from {other.paper_id}, {other.record.title}"
        had, has = ({key.text for key in keys} for keys in (before.keys, paper.identity.aliases))
        said = {value for each in (before.record, paper.record) for value in (each.doi, each.arxiv)}
        said |= {value for field in fields if field.name == "key" for value in (field.old, field.new)}
        for text in sorted(had ^ has):
            kind, _, name = text.partition(":")
            if kind != "meta" and name not in said:
                yield f"{'also' if text in has else 'no longer'} known as {f'key {name}' if kind == 'bib' else text}"
        files = (("PDF", before.files.pdf, change.files.pdf), ("text", before.files.source, change.files.source))
        for name, old, new in files:
            if old != new:
                yield f"{'gets another' if old and new else 'gets a' if new else 'loses its'} {name}"
        if fields:
            return
        yield from brought(paper, self._seen)
        if paper.record.bibtex and before.bibtex and not same_entry(paper.record.bibtex, before.bibtex):
            yield "gets another BibTeX entry"
        elif any(text.startswith("meta:") for text in has - had):
            yield "is now found by another description, too"

    def _read_again(self) -> list[PaperChange]:
        """Papers of which nothing new was said, and those that were removed and stay so."""
        listed = [paper for paper in self._plan.papers if paper.removed_by is None]
        planned = {paper_id for paper in listed for paper_id in paper.ids}
        found: dict[str, PaperChange] = {}
        for each in self._ledger.read(self._seen):
            if each.paper_id and each.paper_id not in planned:
                known = found.get(each.paper_id)
                places = (*(known.places if known else ()), *(seen.place for seen in self._seen[each.id]))
                title = known.title if known else each.entry.title
                removed_by = self._ledger.removal_of([each.paper_id]) or 0
                found[each.paper_id] = PaperChange(
                    paper_id=each.paper_id,
                    title=title,
                    kind="unchanged",
                    places=places,
                    notes=() if removed_by else ("it was read before, and says the same",),
                    removed_by=removed_by,
                )
        return list(found.values())


def difference(one: Record, other: Record) -> str:
    """In words, why two papers of one title are kept apart."""
    first, second = _facts(one), _facts(other)
    found = []
    if contradict(first, second):
        found.append("identifiers differ")
    if not set(first.surnames) & set(second.surnames) and first.surnames and second.surnames:
        found.append("authors differ")
    if UNKNOWN not in (one.year, other.year) and one.year != other.year:
        found.append(f"years differ ({one.year}, {other.year})")
    if are_two_kinds(first, second):
        found.append("one is a book")
    missing = "" if first.surnames and second.surnames else "one of them names no author"
    return " and ".join(found) or missing or "too little agrees"


def _by(record: Record) -> str:
    names = record.authors[0] + (" and others" if len(record.authors) > 1 else "") if record.authors else "nobody named"
    return f"{names}, {'undated' if record.year == UNKNOWN else record.year}"


def _facts(record: Record) -> Facts:
    entry = PaperEntry(
        title=record.title,
        authors=record.authors,
        date=record.date,
        doi=record.doi,
        arxiv=record.arxiv,
        bibtex=record.bibtex,
        publication=record.publication,
    )
    return facts_of(entry, keys_of(entry)[-1].text, ADOPTED, "")
