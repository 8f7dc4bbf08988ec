"""The findings about a draft for programs: as JSON, and as SARIF for editors and CI."""

import json
from collections.abc import Sequence
from pathlib import PurePath
from urllib.parse import quote

from msgspec.structs import asdict

from papercore.version import VERSION
from papers.drafts.checking import CheckedDraft, DraftFinding
from papers.drafts.claims import CheckedSentence

# The kinds with what each says; the order is that of the documentation.
KINDS = {
    "differs": "Fields of the entry are not those of the record.",
    "mixed": "The title of one work with the authors or the DOI of another.",
    "retracted": "The work was withdrawn.",
    "undefined_key": "No bibliography given has the key.",
    "elsewhere": "The quotation is another paper's.",
    "near_miss": "The quotation is not word for word.",
    "not_authors_words": "The words are not the authors': of a summary or a reading edition.",
    "claim_differs": "The paper cited says the same but for one thing.",
    "uncited": "A paper of the library says this, and nothing is cited for it.",
    "may_bear": "A paper of the library may bear on this, and nothing is cited for it.",
    "preprint_of": "The work has been published since.",
    "duplicate": "The work is in the bibliography twice.",
    "unreadable": "The entry cannot be read.",
    "not_found": "Not found in the text that the library has.",
    "not_checked": "The quotation could not be looked for.",
    "unknown_here": "The library has no such paper: nothing is said against it.",
    "claim_not_found": "Not found in the text of the papers cited: no verdict on the sentence.",
    "claim_no_text": "The library has no text of the papers cited.",
    "claim_supported": "A paper cited says it.",
}
# What ends the command with 1 unless it is told otherwise.
FAILING = (
    "differs",
    "mixed",
    "retracted",
    "undefined_key",
    "elsewhere",
    "near_miss",
    "not_authors_words",
    "claim_differs",
)
# Nothing to look at: counted for a reader, and listed for programs.
COUNTED = ("claim_supported", "claim_not_found", "claim_no_text", "may_bear")
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def listed(checked: CheckedDraft, failing: Sequence[str] = FAILING) -> list[DraftFinding]:
    """What a reader is to look at."""
    return [item for item in checked.findings if item.kind not in COUNTED or item.kind in failing]


def as_json(checked: CheckedDraft, failing: Sequence[str] = FAILING) -> str:
    """The findings; each sentence that cites a paper here, or could, with the passages that bear on it; and notes."""
    findings = [
        {"kind": item.kind, "file": item.file, item.place_kind: item.place, "message": item.message}
        for item in listed(checked, failing)
    ]
    places = {item.sentence: item for item in checked.findings if item.sentence is not None}
    claims = [_claim_row(places[number], item) for number, item in enumerate(checked.sentences) if item.verdict]
    report = {"findings": findings, "claims": claims, "notes": checked.notes}
    return json.dumps(report, ensure_ascii=False, indent=2)


def _claim_row(place: DraftFinding, item: CheckedSentence) -> dict[str, object]:
    passages = [
        {
            "paper_id": evidence.paper_id,
            "key": evidence.key,
            "address": evidence.address,
            "authors_words": evidence.authors_words,
            "sentence": evidence.sentence,
            "differs": asdict(evidence.differs) if evidence.differs else None,
        }
        for evidence in item.evidence
    ]
    where = {"file": place.file, place.place_kind: item.sentence.place}
    return {"verdict": item.verdict, **where, "sentence": item.sentence.text, "passages": passages}


def as_sarif(checked: CheckedDraft, failing: Sequence[str] = FAILING) -> str:
    """SARIF 2.1.0: an error for each kind that fails, else a note. Pages and paragraphs are no lines there."""
    names = list(KINDS)
    rules = [{"id": kind, "shortDescription": {"text": said}} for kind, said in KINDS.items()]
    results = [
        {
            "ruleId": item.kind,
            "ruleIndex": names.index(item.kind),
            "level": "error" if item.kind in failing else "note",
            "message": {"text": item.message if item.place_kind == "line" else _with_place(item)},
            "locations": [{"physicalLocation": _location(item)}],
        }
        for item in listed(checked, failing)
    ]
    driver = {"name": "papersite check", "version": VERSION, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)


def _with_place(item: DraftFinding) -> str:
    return f"{item.place_kind.capitalize()} {item.place}: {item.message}"


def _location(item: DraftFinding) -> dict[str, object]:
    path = PurePath(item.file)
    address = path.as_uri() if path.is_absolute() else quote(path.as_posix())
    location: dict[str, object] = {"artifactLocation": {"uri": address}}
    return {**location, "region": {"startLine": item.place}} if item.place_kind == "line" else location
