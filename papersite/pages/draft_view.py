"""What the page of a checked draft shows: its sentences with their findings, filtered, with what was decided."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from papers.drafts.checking import CheckedDraft, DraftFinding, text_hash
from papers.drafts.claims import UNCITED, CheckedSentence
from papers.drafts.report import COUNTED, KINDS
from searches.draft_decisions import EarlierDecisions

# The name of each kind, and how much it matters. Those that are nothing to look at come last.
NAMES = {
    "claim_differs": ("Differs", "bad"),
    "near_miss": ("Quotation differs", "bad"),
    "elsewhere": ("Quotation from elsewhere", "bad"),
    "not_authors_words": ("Not the authors' words", "bad"),
    "undefined_key": ("Unknown key", "bad"),
    "differs": ("Entry differs", "bad"),
    "mixed": ("Entry mixes two works", "bad"),
    "retracted": ("Retracted", "bad"),
    "uncited": ("Uncited: a paper says it", "info"),
    "preprint_of": ("Published since", "warn"),
    "duplicate": ("Entry twice", "warn"),
    "unreadable": ("Entry cannot be read", "warn"),
    "not_found": ("Quotation not found", "warn"),
    "not_checked": ("Quotation not checked", "warn"),
    "may_bear": ("Uncited: a paper may bear on it", ""),
    "claim_not_found": ("Not found", ""),
    "claim_no_text": ("No text here", ""),
    "unknown_here": ("Work unknown here", ""),
    "claim_supported": ("Supported", "good"),
}
# What is known of the work or the sentence, and needs no decision.
QUIET = (*COUNTED, "unknown_here")


class ShownFinding(Struct, frozen=True):
    finding: DraftFinding
    decision: str
    is_new: bool

    @property
    def name(self) -> str:
        return NAMES[self.finding.kind][0]

    @property
    def tone(self) -> str:
        return NAMES[self.finding.kind][1]

    @property
    def meaning(self) -> str:
        return KINDS[self.finding.kind]

    @property
    def is_claim(self) -> bool:
        """Its passages say more than a message."""
        return self.offers_papers or self.finding.kind.startswith("claim_")

    @property
    def offers_papers(self) -> bool:
        return self.finding.kind in UNCITED

    @property
    def is_open(self) -> bool:
        return self.finding.kind not in QUIET and not self.decision


class DraftRow(Struct, frozen=True):
    """A sentence with its findings. `opens`: it is the first of its paragraph; `file`: the first of another file."""

    item: CheckedSentence
    findings: list[ShownFinding]
    is_new: bool
    opens: bool
    file: str


class FilterLink(Struct, frozen=True):
    value: str
    name: str
    count: int


class DraftView(Struct, frozen=True):
    rows: list[DraftRow]
    entries: list[ShownFinding]
    filters: list[FilterLink]
    show: str
    has_earlier: bool


def draft_view(checked: CheckedDraft, earlier: EarlierDecisions, show: str) -> DraftView:
    """`show`: all, open, changed, or a kind; nothing for what is best to begin with."""
    new = [
        bool(earlier.sentences) and text_hash(item.sentence.text) not in earlier.sentences for item in checked.sentences
    ]
    findings = [
        ShownFinding(
            item,
            earlier.decisions.get(item.id, ""),
            new[item.sentence] if item.sentence is not None else item.id not in earlier.decisions,
        )
        for item in checked.findings
    ]
    has_earlier = bool(earlier.sentences)
    filters = _filters(findings, has_earlier, any(new))
    known = [link.value for link in filters]
    chosen = show if show in known else "changed" if has_earlier else "all"
    by_sentence: defaultdict[int, list[ShownFinding]] = defaultdict(list)
    for item in findings:
        if item.finding.sentence is not None:
            by_sentence[item.finding.sentence].append(item)
    entries = [item for item in findings if item.finding.sentence is None]
    rows = [
        row
        for number, row in enumerate(_rows(checked, by_sentence, new))
        if chosen == "all" or any(_is_shown(item, chosen) for item in by_sentence[number])
    ]
    kept = [item for item in entries if chosen == "all" or _is_shown(item, chosen)]
    return DraftView(rows, kept, filters, chosen, has_earlier)


def _is_shown(item: ShownFinding, show: str) -> bool:
    if show == "changed":
        return item.is_new and item.is_open
    return item.is_open if show == "open" else item.finding.kind == show


def _filters(findings: Sequence[ShownFinding], has_earlier: bool, has_new: bool) -> list[FilterLink]:
    counts = Counter(item.finding.kind for item in findings)
    links = [FilterLink("all", "Whole draft", 0)]
    if has_earlier:
        links.append(FilterLink("changed", "Changed", sum(_is_shown(item, "changed") for item in findings)))
    links.append(FilterLink("open", "To look at", sum(item.is_open for item in findings)))
    return [*links, *(FilterLink(kind, NAMES[kind][0], counts[kind]) for kind in NAMES if counts[kind])]


def _rows(checked: CheckedDraft, by_sentence: dict[int, list[ShownFinding]], new: Sequence[bool]) -> list[DraftRow]:
    places = [None, *((item.sentence.file, item.sentence.paragraph) for item in checked.sentences)]
    files = [place[0] if place else None for place in places]
    return [
        DraftRow(item, by_sentence[number], new[number], before != place, (place or ("",))[0] if moved else "")
        for number, (item, (before, place), moved) in enumerate(
            zip(checked.sentences, pairwise(places), (a != b for a, b in pairwise(files)), strict=True)
        )
    ]
