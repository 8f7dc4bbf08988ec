"""What a library knows of one paper: its fields, who says what of them, what was done to it."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path, PureWindowsPath

from msgspec import Struct

from ingest.changing import errors_translated, open_library
from ingest.entries.entry import PaperEntry
from ingest.ledger.ledger import LEDGER, Ledger
from ingest.ledger.planning import entry_in_references
from ingest.ledger.reasons import IN_REFERENCES
from ingest.ledger.rows import Operation, StoredEntry
from ingest.matching.corrections import FIELDS, Corrections, Field, record_of, typed
from ingest.matching.facts import is_stub
from ingest.matching.records import merge
from ingest.matching.works import ADOPTED
from ingest.publishing.stored_papers import StoredPaper, StoredPapers
from ingest.reading.looked_up import LOOKED_UP


class PaperSource(Struct, frozen=True):
    """One thing that speaks of a paper: an entry of a bibliography, a PDF, what the library had before its ledger."""

    entry: int
    name: str
    values: dict[Field, str]
    pdf_pages: int = 0
    is_adopted: bool = False


class FieldOrigin(Struct, frozen=True):
    """A field, the operation that corrected it, and the names of the sources that say so or otherwise."""

    name: Field
    value: str
    corrected_by: int
    agree: tuple[str, ...]
    differ: tuple[tuple[str, str], ...]


class KnownPaper(Struct, frozen=True):
    """`state` is to be shown again when it is changed; `values` are its fields as people type them."""

    paper_id: str
    state: str
    title: str
    values: dict[Field, str]
    has_pdf: bool
    sources: tuple[PaperSource, ...] = ()
    corrected_by: dict[Field, int] = {}
    operations: tuple[Operation, ...] = ()

    def origins(self) -> list[FieldOrigin]:
        """Of each field that has a value or that a source has a value for."""
        found = []
        for name in FIELDS:
            value = self.values[name]
            said = [(source.name, source.values[name]) for source in self.sources if source.values[name]]
            if value or said:
                agree = tuple(source for source, text in said if _agrees(name, text, value))
                differ = tuple((source, text) for source, text in said if not _agrees(name, text, value))
                found.append(FieldOrigin(name, value, self.corrected_by.get(name, 0), agree, differ))
        return found


def paper_called(library: Path, name: str) -> str:
    """The id of the paper that has this id, DOI, arXiv id or BibTeX key. BuildError if there is none, or several."""
    with errors_translated(), open_library(library) as (_, stored):
        return stored.the_one_called(name)


def known_paper(library: Path, paper_id: str) -> KnownPaper | None:
    """Reads the snapshot and the ledger as they are, and waits for nobody who changes them."""
    with errors_translated(), open_library(library) as (_, stored):
        paper = stored.read(paper_id)
        if paper is None:
            return None
        if not (library / LEDGER).is_file():
            return _known(paper, [_source(0, ADOPTED, paper.entry)])
        with closing(Ledger(library / LEDGER)) as ledger:
            live = _live_entries(ledger, paper_id)
            sources = [_source(each.id, each.facts.collection, each.entry) for each in live]
            if cited_as := entry_in_references(ledger, live):
                sources.append(PaperSource(0, IN_REFERENCES, {**typed(merge([cited_as])), "title": ""}))
            corrected = ledger.corrected_by(_ids(ledger, paper_id))
            operations = ledger.operations(paper_id)
    return _known(paper, sources or [_source(0, ADOPTED, paper.entry)], corrected, operations)


def added_last(library: Path, limit: int) -> dict[str, str]:
    """So many papers of a library and when each was added, the last first; none where nobody noted it."""
    if not (library / LEDGER).is_file():
        return {}
    with errors_translated(), closing(Ledger(library / LEDGER)) as ledger:
        return ledger.added_last(limit)


def merged_values(library: Path, papers: Sequence[str]) -> dict[Field, str]:
    """The fields that these papers have when they are one."""
    entries: list[PaperEntry] = []
    corrections: Corrections = {}
    with errors_translated(), open_library(library) as (_, stored):
        for paper_id in papers:
            found, corrected = _entries_and_corrections(library, stored, paper_id)
            entries += found
            corrections = {**corrections, **corrected}
    return typed(record_of(entries, frozenset(), corrections))


def _entries_and_corrections(
    library: Path, stored: StoredPapers, paper_id: str
) -> tuple[list[PaperEntry], Corrections]:
    paper = stored.read(paper_id)
    entries = [paper.entry] if paper else []
    if not (library / LEDGER).is_file():
        return entries, {}
    with closing(Ledger(library / LEDGER)) as ledger:
        live = [each.entry for each in _live_entries(ledger, paper_id)]
        return live or entries, ledger.corrections_of(_ids(ledger, paper_id))


def _live_entries(ledger: Ledger, paper_id: str) -> list[StoredEntry]:
    return ledger.read(ledger.live(ledger.entries_of([paper_id])))


def _ids(ledger: Ledger, paper_id: str) -> list[str]:
    """All ids that lead to it: its own, and those of papers that it took in."""
    return [paper_id, *(found for found, _ in ledger.founded_by(ledger.entries_of([paper_id])))]


def _known(
    paper: StoredPaper,
    sources: Sequence[PaperSource],
    corrected_by: dict[Field, int] | None = None,
    operations: Sequence[Operation] = (),
) -> KnownPaper:
    values = typed(paper.record)
    if paper.bibtex:
        values["key"] = paper.bibtex.key
    return KnownPaper(
        paper.paper_id,
        paper.state,
        paper.record.title,
        values,
        bool(paper.files.pdf),
        tuple(sources),
        corrected_by or {},
        tuple(operations),
    )


def _source(entry: int, collection: str, said: PaperEntry) -> PaperSource:
    """Where a file lies on the server is nobody's business: its name is shown alone."""
    is_adopted = collection == ADOPTED
    place = said.source_path if said.file_pages and said.source_path else collection
    name = place if place.startswith(LOOKED_UP) else PureWindowsPath(place.replace("#", " ")).name
    name = "the library as it was before" if is_adopted else name
    values = typed(merge([said]))
    if is_stub(said.title):
        values = {field: value if field in ("doi", "arxiv") else "" for field, value in values.items()}
    return PaperSource(entry, name, values, said.file_pages, is_adopted)


def _agrees(field: Field, said: str, value: str) -> bool:
    """Of keywords and tags, a paper has those of all its sources."""
    if field in ("keywords", "tags"):
        return {line.lower() for line in said.split("\n")} <= {line.lower() for line in value.split("\n")}
    return said == value
