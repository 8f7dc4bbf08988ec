"""Who says what of a paper's fields, and why one claim counts and the others do not."""

from collections.abc import Collection, Iterator

from ingest.entries.entry import PaperEntry, Trust
from ingest.entries.report import FieldChange
from ingest.ledger.planning import PlannedPaper
from ingest.matching.corrections import LISTS, Field, typed
from ingest.matching.facts import is_stub
from ingest.matching.records import merge
from ingest.publishing.stored_papers import StoredPaper

# What people see of a change, field by field; the abstract of a paper is long, and shown where it changes.
_SHOWN: tuple[Field, ...] = (
    "title", "authors", "date", "venue", "kind", "volume", "issue", "pages", "publisher", "doi", "arxiv", "key",
    "abstract", "keywords", "tags",
)  # fmt: skip
_SETS: tuple[Field, ...] = ("keywords", "tags")
CORRECTION = "a correction"
IN_REFERENCES = "references in other papers"
_KINDS = {
    Trust.BIBLIOGRAPHY: "a bibliography",
    Trust.LIBRARY: "the library",
    Trust.LOOKED_UP: "what was looked up",
    Trust.REFERENCES: "references",
    Trust.PDF: "a PDF's first page",
}


def changed_fields(before: StoredPaper, paper: PlannedPaper) -> Iterator[FieldChange]:
    """Each field with what it was and becomes, who says so, and what others say in vain."""
    old, new = typed(before.record), typed(paper.record)
    if before.bibtex:
        # One that was made up says nothing.
        old["key"] = before.bibtex.key
        new["key"] = new["key"] or before.bibtex.key
    claims = [(each.facts.collection, each.entry) for each in paper.entries]
    claims += [(IN_REFERENCES, paper.cited_as)] if paper.cited_as else []
    said = [(name, entry, typed(merge([entry]))) for name, entry in claims]
    for name in _SHOWN:
        if old[name].lower() == new[name].lower() if name in _SETS else old[name] == new[name]:
            continue
        winners = [(source, entry) for source, entry, values in said if values[name] == new[name]]
        losers = [
            (source, entry, values[name]) for source, entry, values in said if values[name] not in ("", new[name])
        ]
        reason = "it counts most"
        if name not in paper.corrections:
            winner = winners[0][1] if winners else None
            reason = _reason(winner, [entry for _, entry, _ in losers]) if name not in _SETS else ""
        yield FieldChange(
            name=name,
            old=_shown(name, old[name]),
            new=_shown(name, new[name]),
            source=CORRECTION if name in paper.corrections else winners[0][0] if winners else "",
            reason=reason if losers else "",
            losing=tuple((source, _shown(name, value)) for source, _, value in losers) if name not in _SETS else (),
        )


def _reason(winner: PaperEntry | None, losers: Collection[PaperEntry]) -> str:
    """Why a claim counts: its source is trusted more than the best of the others, or it says more."""
    if winner is None:
        return "what several say, together"
    best = min(losers, key=lambda entry: (is_stub(entry.title), entry.trust.place), default=None)
    if best is None or best.trust.place == winner.trust.place:
        return "it says more"
    if best.trust.place < winner.trust.place:
        return f"{_KINDS[best.trust]} leaves it open"
    return f"{_KINDS[winner.trust]} above {_KINDS[best.trust]}"


def brought(paper: PlannedPaper, numbers: Collection[int]) -> Iterator[str]:
    """What entries said that changed nothing: what they have in common with the paper, and what does not count."""
    has = typed(paper.record)
    for each in paper.entries:
        values = typed(merge([each.entry])) if each.id in numbers else {}
        same = [name for name in _SHOWN if values.get(name) and values[name] == has[name]]
        if same:
            yield f"says the same: {', '.join(same)}"
        for name in _SHOWN:
            if values.get(name) and name not in (*_SETS, *same):
                yield f"{name} stays {_shown(name, has[name])}, not {_shown(name, values[name])}"


def _shown(name: Field, value: str) -> str:
    return value.replace("\n", "; ") if name in LISTS else value
