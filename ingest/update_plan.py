"""What an update will do: reads the inputs, matches them with the library, and tells which papers change."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from copy import deepcopy
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from ingest.entries.entry import BuildError, PaperEntry
from ingest.entries.report import ChangeKind, PaperChange, TaskProgress, UpdateReport
from ingest.input_reading import InputReading
from ingest.matching.identity import STRENGTH, KeyAlias, PaperIdentity, PreviousIds, identities, keys_of
from ingest.matching.matcher import Matcher
from ingest.matching.records import Rank, Record, merge, merged
from ingest.publishing.assets import PaperFiles, asset_keys, write_documents
from ingest.publishing.database import LibraryWriter
from ingest.publishing.paper_rows import generated_bibtex
from ingest.publishing.stored_papers import StoredPaper, StoredPapers, same_entry
from ingest.reading.inputs import Inputs
from papercore.bibliography.fields import UNKNOWN, parse_date
from papercore.bibliography.identifiers import canonical_arxiv, canonical_doi

# Written elsewhere, or not at all, so they do not tell whether a paper changed.
_NOT_COMPARED = {"source_paths", "bib_keys", "bibtex", "publication", "tags"}


# Called with the number that a paper of the library got.
FoundPaper = Callable[[int, PaperEntry], None]


class LibraryMatcher(Matcher):
    """Reads a paper of the library when an entry comes that may be about it."""

    def __init__(self, stored: StoredPapers, left_out: Collection[str] = ()) -> None:
        super().__init__()
        self.on_found: FoundPaper = lambda number, entry: None
        self._stored = stored
        self._number_of_id: dict[str, int | None] = dict.fromkeys(left_out)
        self._known: dict[int, StoredPaper] = {}

    def number_of(self, entry: PaperEntry, file_number: int) -> int:
        by_key = self._stored.with_keys(key.text for key in keys_of(entry))
        self.take_in([*by_key, *self._stored.with_title(entry.title)])
        return super().number_of(entry, file_number)

    def take_in(self, paper_ids: Iterable[str]) -> None:
        """Let entries join these papers of the library."""
        new = [paper_id for paper_id in dict.fromkeys(paper_ids) if paper_id not in self._number_of_id]
        found = [paper for paper in map(self._stored.read, new) if paper]
        for paper in sorted(found, key=lambda paper: paper.rowid):
            number = self.add_known(paper.entry, paper.keys)
            self._number_of_id[paper.paper_id] = number
            self._known[number] = paper
            self.on_found(number, paper.entry)

    def known(self) -> dict[int, list[StoredPaper]]:
        """The papers of the library by number; more than one where an entry showed that they are the same."""
        found: dict[int, list[StoredPaper]] = {}
        for number, paper in self._known.items():
            found.setdefault(self.root(number), []).append(paper)
        return found


class _ReadEntry(Struct, frozen=True):
    place: str
    entry: PaperEntry
    number: int


class _PlannedPaper(Struct, frozen=True, dict=True):
    """A paper as it will be, the papers of the library that it joins, and the one that was to go and comes back.

    `own_files` are those of the inputs; `files` has those of the library as well.
    """

    identity: PaperIdentity
    record: Record
    files: PaperFiles
    own_files: PaperFiles
    used_files: Sequence[Path]
    stored: Sequence[StoredPaper]
    returning: StoredPaper | None
    entries: Sequence[_ReadEntry]

    @property
    def before(self) -> Sequence[StoredPaper]:
        """The papers of the library that it takes the place of."""
        return self.stored or ([self.returning] if self.returning else [])

    @cached_property
    def kind(self) -> ChangeKind:
        if not self.before:
            return "added"
        first, *others = self.before
        same_keys = {key.text for key in self.identity.aliases} == {key.text for key in first.keys}
        same = not others and same_keys and self.files == first.files and _says_the_same(self.record, first)
        return "unchanged" if same else "changed"

    @property
    def from_inputs_alone(self) -> bool:
        """Whether the library has nothing about it but what the inputs say."""
        if not self.stored:
            return True
        if self.kind != "unchanged" or not self.entries:
            return False
        alone = merge([read.entry for read in self.entries])
        return self.own_files == self.stored[0].files and _says_the_same(alone, self.stored[0])

    @property
    def matched_by(self) -> str:
        """The strongest kind of key that an entry shares with the library's paper, or the title."""
        if not self.stored or not self.entries:
            return ""
        known = {key.text for paper in self.stored for key in paper.keys}
        shared = {key.type for read in self.entries for key in keys_of(read.entry) if key.text in known} - {"meta"}
        return next((kind for kind in STRENGTH if kind in shared), "title")


class PlannedUpdate:
    """Reads everything at once; nothing of the library is changed before `write`."""

    def __init__(
        self, folder: Path, inputs: Inputs, stored: StoredPapers, remove: Sequence[str], progress: TaskProgress
    ) -> None:
        if not (inputs.has_papers or inputs.has_files or remove):
            raise BuildError("Nothing to change: name files to add, or papers to remove.")
        self._inputs = inputs
        self._stored = stored
        self._removed = _papers_to_remove(stored, remove)
        self._report = UpdateReport()
        self._progress = progress
        self._matcher = LibraryMatcher(stored, self._removed.keys())
        self._entries: list[_ReadEntry] = []
        self._papers: list[_PlannedPaper] = []
        self._reading = InputReading(
            folder,
            inputs,
            self._matcher,
            self._report,
            progress,
            on_entry=lambda place, entry, number: self._entries.append(_ReadEntry(place, entry, number)),
        )
        self._matcher.on_found = lambda number, entry: self._reading.add(number, entry, Rank.LIBRARY)

    def close(self) -> None:
        self._reading.close()

    def read(self) -> None:
        """BuildError if an input has no usable entry."""
        self._matcher.take_in(self._stored.named(self._reading.file_names()))
        self._reading.read()
        known = self._matcher.known()
        found = [*(paper for papers in known.values() for paper in papers), *self._removed.values()]
        aliases = [KeyAlias(key, paper.paper_id) for paper in found for key in paper.keys]
        keys = {number: keys for number, keys in enumerate(self._matcher.keys) if keys}
        identity_of = identities(keys, PreviousIds(aliases))
        entries_of: dict[int, list[_ReadEntry]] = {}
        for read in self._entries:
            entries_of.setdefault(self._matcher.root(read.number), []).append(read)
        for number, entries in self._reading.papers():
            record, identity, stored = merged(entries), identity_of[number], known.get(number, [])
            own = PaperFiles(has_markdown=any(paper.files.has_markdown for paper in stored))
            used = self._reading.add_files(number, record, own)
            planned = _PlannedPaper(
                identity,
                record,
                files=_with_stored(own, stored),
                own_files=own,
                used_files=used,
                stored=stored,
                returning=None if stored else self._removed.get(identity.paper_id),
                entries=entries_of.get(number, []),
            )
            if planned.entries or planned.used_files or planned.kind != "unchanged":
                self._papers.append(planned)
        self._reading.note_unused_files()

    def report(self, library: Path) -> UpdateReport:
        """What is done to each paper that the inputs are about, and which papers go."""
        self._report.library = library
        self._report.changes = [
            PaperChange(
                paper_id=paper.identity.paper_id,
                title=paper.record.title,
                kind=paper.kind,
                places=tuple(read.place for read in paper.entries),
                files=tuple(map(str, paper.used_files)),
                from_inputs_alone=paper.from_inputs_alone,
                matched_by=paper.matched_by,
                doubts=tuple(self._doubts(paper)),
            )
            for paper in self._papers
        ]
        # Those named, unless they come back at once, and those that turn out to be another.
        there = {paper.identity.paper_id for paper in self._papers}
        joined = [stored for paper in self._papers for stored in paper.stored]
        self._report.changes += [
            PaperChange(paper_id=paper.paper_id, title=paper.entry.title, kind="removed")
            for paper in (*self._going(), *joined)
            if paper.paper_id not in there
        ]
        found = (before.paper_id for paper in self._papers for before in paper.before)
        self._report.fingerprints = self._stored.fingerprints([*found, *self._removed])
        return self._report

    @property
    def changes_anything(self) -> bool:
        return bool(self._going()) or any(paper.kind != "unchanged" for paper in self._papers)

    def write(self, writer: LibraryWriter) -> list[str]:
        """Write the database and the new assets; returns the assets that no paper uses any more."""
        written = [paper for paper in self._papers if paper.kind != "unchanged"]
        replaced = [*self._going(), *(before for paper in written for before in paper.before)]
        for stored in replaced:
            writer.remove(stored)
        used = set[str]()
        for paper in self._progress.track("Writing", written, total=len(written)):
            paper_id = paper.identity.paper_id
            writer.add(paper.identity, paper.record, paper.files, next(iter(paper.before), None))
            write_documents(self._reading.assets.root, paper_id, paper.record, paper.files)
            used |= asset_keys(paper_id, paper.record, paper.files)
        before = {key for stored in replaced for key in stored.asset_keys()}
        return sorted(key for key in before - used if not writer.is_asset_used(key))

    def _going(self) -> list[StoredPaper]:
        """The papers named to be removed, but for those that come back from the inputs."""
        returning = {paper.returning.paper_id for paper in self._papers if paper.returning}
        return [paper for paper_id, paper in self._removed.items() if paper_id not in returning]

    def _doubts(self, paper: _PlannedPaper) -> Iterator[str]:
        own = {paper.identity.paper_id, *(stored.paper_id for stored in paper.stored), *self._removed}
        if paper.entries:
            for paper_id in self._stored.with_title(paper.record.title):
                if paper_id not in own:
                    yield f"the library also has {paper_id} with this title, but authors, year or identifiers differ"
        for stored in paper.stored[1:]:
            yield f"joins {stored.paper_id}, {stored.entry.title}, which goes"
        entries = [*(read.entry for read in paper.entries), *(stored.entry for stored in paper.stored)]
        years = {parse_date(entry.date).year for entry in entries}
        if paper.matched_by == "title" and (UNKNOWN in years or len(years) > 1):
            yield "matched by title and first author alone, and the years differ or are missing"
        only_pdf = paper.entries and all(read.place.lower().endswith(".pdf:1") for read in paper.entries)
        if paper.kind == "added" and only_pdf and not (paper.record.doi or paper.record.arxiv):
            yield "known only by what the PDF says of itself: no DOI, no arXiv id"


def _papers_to_remove(stored: StoredPapers, names: Sequence[str]) -> dict[str, StoredPaper]:
    found: dict[str, StoredPaper] = {}
    for name in names:
        keys = [name, f"bib:{name}", f"doi:{canonical_doi(name)}", f"arxiv:{canonical_arxiv(name)}"]
        papers = [paper for paper_id in (name, *stored.with_keys(keys)) if (paper := stored.read(paper_id))]
        if not papers:
            raise BuildError(f"There is no paper {name}: name papers by id, DOI, arXiv id or BibTeX key.")
        found |= {paper.paper_id: paper for paper in papers}
    return found


def _with_stored(own: PaperFiles, stored: Sequence[StoredPaper]) -> PaperFiles:
    """The files of the inputs, and those that the library has already; where two are the same paper, of the first."""
    files = deepcopy(own)
    for other in stored:
        files.source = files.source or other.files.source
        files.pdf = files.pdf or other.files.pdf
        files.translations = {**other.files.translations, **files.translations}
        files.images = {**other.files.images, **files.images}
    return files


def _says_the_same(record: Record, stored: StoredPaper) -> bool:
    if _compared(record) != _compared(stored.record):
        return False
    bibtex = record.bibtex or generated_bibtex(record, frozenset())
    return stored.bibtex is None or same_entry(bibtex, stored.bibtex)


def _compared(record: Record) -> tuple[dict[str, object], list[str]]:
    """What tells whether a paper changed; the tables keep tags in lower case and in no order."""
    return record.model_dump(exclude=_NOT_COMPARED), sorted({tag.lower() for tag in record.tags})
