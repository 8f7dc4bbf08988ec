"""One change of a library, from what its ledger says now to a new version of the database and its assets."""

import hashlib
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

from ingest.entries.entry import BelongsToOther, Problem
from ingest.entries.report import ChangeKind, PaperChange, TaskProgress
from ingest.entries.text import plain_text
from ingest.ledger.description import ChangedPaper, Description, Seen
from ingest.ledger.ledger import Ledger
from ingest.ledger.planning import Plan, PlannedPaper, Planner
from ingest.ledger.rows import Decisions, EntryFiles
from ingest.matching.corrections import IDENTIFYING, Corrections, generated_bibtex, own_key
from ingest.matching.facts import facts_of, is_stub
from ingest.matching.identity import keys_of
from ingest.matching.records import Record
from ingest.matching.references import references_of_text
from ingest.publishing.assets import PaperFiles, TextAsset, asset_keys, write_documents
from ingest.publishing.database import LibraryWriter
from ingest.publishing.paper_files import PaperFileStore
from ingest.publishing.stored_papers import StoredPaper, StoredPapers, same_entry
from ingest.reading.input_reading import ReadEntry
from papercore.snapshot.assets import pdf_key, source_key, translation_key
from papercore.snapshot.file import ASSETS
from papercore.text import clean_text

# Written elsewhere, or not at all, so they do not tell whether a paper changed.
_NOT_COMPARED = {"source_paths", "bib_keys", "bibtex", "publication", "tags"}


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
        self._seen: dict[int, list[Seen]] = {}

    def paper(self, name: str) -> str:
        """The id of a paper that is called by its id, DOI, arXiv id or BibTeX key."""
        found = self._stored.the_one_called(name)
        self._planner.adopt(found)
        self.paper_ids.add(found)
        return found

    def title(self, paper_id: str) -> str:
        stored = self._stored.read(paper_id)
        return stored.record.title if stored else ""

    def correct(self, operation: int, paper_id: str, corrections: Corrections) -> None:
        """BelongsToOther if another paper has the DOI, arXiv id or key."""
        for field in IDENTIFYING:
            value = str(corrections.get(field, ""))
            other = self._stored.other_with(paper_id, field, value) if value else None
            if other and self.ledger.founder_of(other[0]) not in self.ledger.entries_of([paper_id]):
                raise BelongsToOther(value, *other)
        self.ledger.add_corrections(operation, paper_id, corrections)
        self.paper_ids.add(paper_id)

    def attach_pdf(self, operation: int, paper_id: str, path: Path, sha256: str, text: str) -> None:
        self._new_assets[pdf_key(sha256)] = path
        files = EntryFiles(pdf=sha256, source=self._keep_text(text) if text else "")
        self.ledger.attach(operation, paper_id, files)

    def add(
        self,
        operation: int,
        reads: Sequence[ReadEntry],
        hash_of: Mapping[Path, str],
        decisions: Decisions | None = None,
    ) -> None:
        """What inputs say from now on, and what a person decided about it."""
        for read in reads:
            files = EntryFiles()
            if read.pdf:
                files = EntryFiles(pdf=hash_of[read.pdf], source=self._keep_text(read.text) if read.text else "")
                self._new_assets[pdf_key(files.pdf)] = read.pdf
            body = read.entry.model_dump_json(exclude_defaults=True)
            facts = facts_of(read.entry, keys_of(read.entry)[-1].text, read.collection, body)
            before = self.ledger.source_entry(read.source)
            if before is not None and is_stub(read.entry.title):
                # What cannot be read or looked up at the moment says what it said.
                self._seen.setdefault(before, []).append(Seen(read.place, read.source))
                continue
            number = self.ledger.add_entry(body, facts, files)
            self._seen.setdefault(number, []).append(Seen(read.place, read.source))
            if read.text and not self.ledger.has_references(number):
                self.ledger.add_references(number, references_of_text(read.text))
            if before != number:
                self.ledger.add_source(operation, read.source, number)
                self.entries.update([number] if before is None else [number, before])
            host = self.ledger.source_entry(read.attached_to) if read.attached_to else None
            if host is not None and (host, number, "same") not in self.ledger.verdicts_about([number]):
                self.ledger.add_verdicts(operation, [(host, number)], same=True)
                self.entries |= {host, number}
        if decisions:
            self._decide(operation, decisions)

    def _decide(self, operation: int, decisions: Decisions) -> None:
        number_of = {seen.source: number for number, listed in self._seen.items() for seen in listed}
        self.plan()  # gives each entry its paper
        for source, paper_id in decisions.same.items():
            # One of the two may have come in an earlier batch.
            number = self.ledger.source_entry(source)
            founder = self.ledger.founder_of(self.paper(paper_id) if self._stored.has(paper_id) else paper_id)
            if number is None or founder is None or number == founder:
                continue
            if not {(founder, number, "same"), (number, founder, "same")} & set(self.ledger.verdicts_about([number])):
                self.ledger.add_verdicts(operation, [(founder, number)], same=True)
                self.entries |= {founder, number}
        if decisions.same:
            self.plan()
        apart = {number_of[source] for source in decisions.apart if source in number_of}
        for each in self.ledger.read(apart):
            others = self.ledger.live(self.ledger.entries_of([each.paper_id])) - apart
            self.ledger.add_verdicts(operation, product([each.id], sorted(others)), same=False)
        if apart:
            self.plan()
        for source, corrections in decisions.corrections.items():
            for each in self.ledger.read([number_of[source]] if source in number_of else []):
                self.correct(operation, each.paper_id, corrections)

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

    def describe(self, plan: Plan, changes: Sequence[ChangedPaper]) -> list[PaperChange]:
        """What is done to each paper, in words for people."""
        return Description(self.ledger, self._stored, self._seen, plan).of(changes)

    def removed_again(self) -> Iterator[Problem]:
        """What was seen again of papers that somebody removed."""
        for each in self.ledger.read(self._seen):
            removed_by = self.ledger.removal_of([each.paper_id]) if each.paper_id else None
            if removed_by is not None:
                message = f"{each.entry.title}: it was removed and stays so"
                yield from (Problem(seen.place, message) for seen in self._seen[each.id])

    def _files(self, paper: PlannedPaper, before: StoredPaper | None) -> PaperFiles:
        """The best of each kind: what a person gave the paper, an added PDF before the one of a library, a written
        text before that of a PDF."""
        with_pdf = [each for each in paper.entries if each.files.pdf]
        with_pdf.sort(key=lambda each: (not each.facts.is_file, -each.facts.file_pages, each.facts.digest))
        attached = self.ledger.attachments_of(paper.ids)
        own = [each.files for each in paper.entries]
        texts = [files for files in (*attached, *own) if files.source and files.is_markdown]
        pdfs = [*(files for files in attached if files.pdf), *(each.files for each in with_pdf)]
        texts += [files for files in (*pdfs, *own) if files.source]
        found = PaperFiles(pdf=pdfs[0].pdf if pdfs else None)
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


def _is_same(paper: PlannedPaper, files: PaperFiles, before: StoredPaper) -> bool:
    if {key.text for key in paper.identity.aliases} != {key.text for key in before.keys} or files != before.files:
        return False
    if _compared(paper.record) != _compared(before.record):
        return False
    bibtex = paper.record.bibtex or generated_bibtex(paper.record, frozenset())
    return before.bibtex is None or (same_entry(bibtex, before.bibtex) and _has_key(paper.record, bibtex.key, before))


def _has_key(record: Record, key: str, before: StoredPaper) -> bool:
    """A key that is made up may have got an ending that other papers do not have."""
    has = before.bibtex.key if before.bibtex else ""
    return has == key or (not (record.bibtex or own_key(record)) and has.startswith(key))


def _compared(record: Record) -> tuple[dict[str, object], list[str]]:
    """What tells whether a paper changed; the tables keep tags in lower case and in no order."""
    return record.model_dump(exclude=_NOT_COMPARED), sorted({tag.lower() for tag in record.tags})
