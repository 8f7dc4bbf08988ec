"""One change of a library, from what its ledger says now to a new version of the database and its assets."""

import hashlib
import shutil
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ingest.entries.entry import BuildError, PaperEntry, Problem
from ingest.entries.report import ChangeKind, FieldChange, PaperChange, TaskProgress, UpdateReport
from ingest.entries.text import plain_text
from ingest.input_files import PaperFileStore
from ingest.input_reading import ReadEntry
from ingest.ledger.ledger import Ledger
from ingest.ledger.planning import Plan, PlannedPaper, Planner
from ingest.ledger.rows import EntryFiles
from ingest.matching.corrections import generated_bibtex
from ingest.matching.facts import facts_of
from ingest.matching.identity import keys_of
from ingest.matching.records import Record
from ingest.publishing.assets import PaperFiles, TextAsset, asset_keys, write_documents
from ingest.publishing.database import LibraryWriter
from ingest.publishing.stored_papers import StoredPaper, StoredPapers, same_entry
from papercore.bibliography.identifiers import canonical_arxiv, canonical_doi
from papercore.snapshot.layout import ASSETS, pdf_key, source_key, translation_key
from papercore.text import clean_text

# Written elsewhere, or not at all, so they do not tell whether a paper changed.
_NOT_COMPARED = {"source_paths", "bib_keys", "bibtex", "publication", "tags"}
# What people see of a change, field by field.
_SHOWN = ("title", "authors", "date", "venue", "abstract", "doi", "arxiv", "keywords", "tags")


class ChangedPaper(Struct, frozen=True):
    """A paper before and after; before it is None where it is new, after it where it goes."""

    paper_id: str
    kind: ChangeKind
    before: StoredPaper | None
    planned: PlannedPaper | None
    files: PaperFiles


class LibraryChange:
    """Takes in what an operation brings, finds out what follows, and writes it."""

    def __init__(self, ledger: Ledger, stored: StoredPapers, library: Path, folder: Path) -> None:
        self.ledger = ledger
        self._stored = stored
        self._library = library
        self._folder = folder
        self._planner = Planner(ledger, stored)
        # Where the bytes of assets are that the library may not have yet, by their keys.
        self._new_assets: dict[str, Path | str] = {}
        self.entries = set[int]()
        self.paper_ids = set(ledger.unpublished())
        self._places: dict[int, list[str]] = {}

    def paper(self, name: str) -> str:
        """The id of a paper that is called by its id, DOI, arXiv id or BibTeX key."""
        keys = [name, f"bib:{name}", f"doi:{canonical_doi(name)}", f"arxiv:{canonical_arxiv(name)}"]
        found = [paper_id for paper_id in (name, *self._stored.with_keys(keys)) if self._stored.has(paper_id)]
        if not found:
            raise BuildError(f"There is no paper {name}: name papers by id, DOI, arXiv id or BibTeX key.")
        self._planner.adopt(found[0])
        self.paper_ids.add(found[0])
        return found[0]

    def add(self, operation: int, reads: Sequence[ReadEntry], hash_of: dict[Path, str]) -> None:
        """What inputs say from now on."""
        number_of: dict[str, int] = {}
        for read in reads:
            files = EntryFiles()
            if read.pdf:
                files = EntryFiles(pdf=hash_of[read.pdf], source=self._keep_text(read.text) if read.text else "")
                self._new_assets[pdf_key(files.pdf)] = read.pdf
            body = read.entry.model_dump_json(exclude_defaults=True)
            facts = facts_of(read.entry, keys_of(read.entry)[-1].text, read.collection, body)
            before = self.ledger.source_entry(read.source)
            if before is not None and not read.entry.title:
                continue  # a file that cannot be read at the moment says what it said
            number = number_of[read.source] = self.ledger.add_entry(body, facts, files)
            self._places.setdefault(number, []).append(read.place)
            if before != number:
                self.ledger.add_source(operation, read.source, number)
                self.entries.update([number] if before is None else [number, before])
            if read.attached_to and (before != number or number_of[read.attached_to] in self.entries):
                self.ledger.add_verdicts(operation, [(number_of[read.attached_to], number)], same=True)

    def withdraw(self, operation: int, sources: Collection[str]) -> None:
        """These sources say nothing any more. What a person has corrected since stays."""
        for source in sources:
            entry = self.ledger.source_entry(source)
            if entry is None:
                continue
            (stored,) = self.ledger.read([entry])
            if not self.ledger.corrections_of([stored.paper_id]):
                self.ledger.add_source(operation, source, None)
                self.entries.add(entry)

    def attach_texts(self, operation: int, store: PaperFileStore) -> None:
        """Give the texts of folders to the papers that have their names."""
        self.paper_ids.update(self._stored.named(store.names))
        for paper in self._planner.plan(self.entries, self.paper_ids).papers:
            files = PaperFiles()
            if store.add(paper.record, files, None, None):
                found = EntryFiles(
                    source=files.source.sha256 if files.source else "",
                    is_markdown=True,
                    translations={lang: text.sha256 for lang, text in files.translations.items()},
                    images=files.images,
                )
                if found not in self.ledger.attachments_of(paper.ids):
                    self.ledger.attach(operation, paper.paper_id, found)
                    self.paper_ids.add(paper.paper_id)
        store.note_unused()

    def plan(self) -> Plan:
        return self._planner.plan(self.entries, self.paper_ids)

    def changes(self, plan: Plan) -> list[ChangedPaper]:
        """What becomes of each paper that the change may concern."""
        found = []
        for paper in plan.papers:
            before = self._stored.read(paper.paper_id)
            files = self._files(paper, before)
            if paper.removed_by is not None:
                kind: ChangeKind = "removed" if before else "unchanged"
            else:
                kind = "unchanged" if before and _is_same(paper, files, before) else "changed" if before else "added"
            planned = paper if paper.removed_by is None else None
            found.append(ChangedPaper(paper.paper_id, kind, before, planned, files))
        gone = filter(None, map(self._stored.read, sorted(plan.gone)))
        return [*found, *(ChangedPaper(stored.paper_id, "removed", stored, None, PaperFiles()) for stored in gone)]

    def write(self, writer: LibraryWriter, changes: Sequence[ChangedPaper], progress: TaskProgress) -> list[str]:
        """Write the database and the new assets; returns documents that no paper uses any more."""
        unused = set[str]()
        for change in changes:
            if change.before:
                writer.remove(change.before)
                unused |= {key for key in change.before.asset_keys() if key.startswith(("summary/", "manifest/"))}
        root = self._folder / ASSETS
        for name in ("summary", "manifest", "md", "md_translate", "pdf", "images"):
            (root / name).mkdir(parents=True, exist_ok=True)
        written = [change for change in changes if change.planned]
        for change in progress.track("Writing", written, total=len(written)):
            paper = change.planned
            if paper is None:
                continue
            self._write_assets(root, change.files)
            writer.add(paper.identity, paper.record, change.files, change.before)
            write_documents(root, paper.paper_id, paper.record, change.files)
            unused -= asset_keys(paper.paper_id, paper.record, change.files)
        return sorted(unused)

    def report(self, plan: Plan, changes: Sequence[ChangedPaper], report: UpdateReport) -> None:
        """What is done to each paper, in words for people."""
        for change in changes:
            paper, before = change.planned, change.before
            entries = paper.entries if paper else ()
            matched = [paper.matched_by[each.id] for each in entries if paper and each.id in paper.matched_by]
            record = paper.record if paper else before.record if before else None
            report.changes.append(
                PaperChange(
                    paper_id=change.paper_id,
                    title=record.title if record else "",
                    kind=change.kind,
                    places=tuple(place for each in entries for place in self._places.get(each.id, ())),
                    matched_by=matched[0] if matched and before else "",
                    doubts=tuple(self._doubts(plan, change)),
                    fields=tuple(_fields(before.record, paper)) if before and paper else (),
                )
            )
        report.changes += self._seen_again(plan)

    def _seen_again(self, plan: Plan) -> list[PaperChange]:
        """Papers of which nothing new was said."""
        planned = {paper_id for paper in plan.papers for paper_id in paper.ids} | plan.gone
        found: dict[str, PaperChange] = {}
        for each in self.ledger.read(self._places):
            if each.paper_id and each.paper_id not in planned:
                known = found.get(each.paper_id)
                places = (*(known.places if known else ()), *self._places[each.id])
                title = known.title if known else each.entry.title
                found[each.paper_id] = PaperChange(paper_id=each.paper_id, title=title, kind="unchanged", places=places)
        return list(found.values())

    def removed_again(self) -> Iterator[Problem]:
        """What was seen again of papers that somebody removed."""
        for each in self.ledger.read(self._places):
            removed_by = self.ledger.removal_of([each.paper_id]) if each.paper_id else None
            if removed_by is not None:
                message = (
                    f"{each.entry.title}: it was removed and stays so; 'papersite undo {removed_by}' brings it back"
                )
                yield from (Problem(place, message) for place in self._places[each.id])

    def _files(self, paper: PlannedPaper, before: StoredPaper | None) -> PaperFiles:
        """The best of each kind: an added PDF before the one of a library, a written text before that of a PDF."""
        with_pdf = [each for each in paper.entries if each.files.pdf]
        with_pdf.sort(key=lambda each: (not each.facts.is_file, -each.facts.file_pages, each.facts.digest))
        attached = self.ledger.attachments_of(paper.ids)
        own = [each.files for each in paper.entries]
        texts = [files for files in (*attached, *own) if files.source and files.is_markdown]
        texts += [each.files for each in with_pdf if each.files.source] + [files for files in own if files.source]
        found = PaperFiles(pdf=with_pdf[0].files.pdf if with_pdf else None)
        if texts:
            found.source = self._text(source_key(texts[0].source), texts[0].source, before)
            found.has_markdown = texts[0].is_markdown
            found.images = dict(texts[0].images)
        for files in reversed((*attached, *own)):
            for lang, sha256 in files.translations.items():
                found.translations[lang] = self._text(translation_key(lang, sha256), sha256, before)
                found.images |= files.images
        return found

    def _text(self, key: str, sha256: str, before: StoredPaper | None) -> TextAsset:
        if before and before.files.source and before.files.source.sha256 == sha256:
            return before.files.source
        staged = self._new_assets.get(key)
        if isinstance(staged, str):
            return TextAsset(sha256, plain_text(staged))
        for root in (self._folder / ASSETS, self._library / ASSETS):
            if (root / key).is_file():
                return TextAsset(sha256, plain_text((root / key).read_text(encoding="utf-8", errors="replace")))
        return TextAsset(sha256, "")

    def _keep_text(self, text: str) -> str:
        markdown = clean_text(text) + "\n"
        sha256 = hashlib.sha256(markdown.encode()).hexdigest()
        self._new_assets[source_key(sha256)] = markdown
        return sha256

    def _write_assets(self, root: Path, files: PaperFiles) -> None:
        """Those that the library does not have yet."""
        keys = [source_key(files.source.sha256)] if files.source else []
        keys += [pdf_key(files.pdf)] if files.pdf else []
        for key in keys:
            new = self._new_assets.get(key)
            if new is None or (self._library / ASSETS / key).exists() or (root / key).exists():
                continue
            if isinstance(new, str):
                (root / key).write_text(new, encoding="utf-8")
            else:
                shutil.copyfile(new, root / key)

    def _doubts(self, plan: Plan, change: ChangedPaper) -> Iterator[str]:
        """Why a person should look."""
        paper = change.planned
        new = [each for each in paper.entries if each.id in self._places] if paper else []
        if paper is None or not new or change.kind == "unchanged":
            return
        if any(each.id in plan.open for each in new):
            yield "this file fits several papers by its title, and nothing in it says to which it belongs"
        titled = self._stored.with_title(paper.record.title) if paper.record.title else []
        for paper_id in [paper_id for paper_id in titled if paper_id not in paper.ids][:3]:
            yield f"the library also has {paper_id} with this title, but authors, year, kind or identifiers differ"
        for other in filter(None, map(self._stored.read, paper.ids[1:])):
            yield f"joins {other.paper_id}, {other.record.title}, which goes"
        if all(each.facts.is_file for each in paper.entries) and not paper.record.authors:
            yield "nobody was found in the PDF who wrote it"


def _is_same(paper: PlannedPaper, files: PaperFiles, before: StoredPaper) -> bool:
    if {key.text for key in paper.identity.aliases} != {key.text for key in before.keys} or files != before.files:
        return False
    if _compared(paper.record) != _compared(before.record):
        return False
    bibtex = paper.record.bibtex or generated_bibtex(paper.record, frozenset())
    return before.bibtex is None or same_entry(bibtex, before.bibtex)


def _compared(record: Record) -> tuple[dict[str, object], list[str]]:
    """What tells whether a paper changed; the tables keep tags in lower case and in no order."""
    return record.model_dump(exclude=_NOT_COMPARED), sorted({tag.lower() for tag in record.tags})


def _fields(before: Record, paper: PlannedPaper) -> Iterator[FieldChange]:
    for name in _SHOWN:
        old, new = _said(getattr(before, name)), _said(getattr(paper.record, name))
        if old.lower() != new.lower() if name in ("tags", "keywords") else old != new:
            yield FieldChange(name=name, old=old, new=new, source=said_by(paper, name))


def said_by(paper: PlannedPaper, name: str) -> str:
    """Who says what a field has: a person, or the sources whose entries have the same value."""
    if name in paper.corrections:
        return "a correction"
    value = getattr(paper.record, name)
    for each in paper.entries:
        entry: PaperEntry = each.entry
        if getattr(entry, name, None) == value:
            return each.facts.collection
    return ""


def _said(value: object) -> str:
    return "; ".join(map(str, value)) if isinstance(value, tuple) else "" if value is None else str(value)
