"""Checks claims against the papers cited for them, or against the library: supported, different, or not found."""

import re
from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Struct
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from papercore import limits
from papercore.errors import ToolError
from papercore.http_status import DOCUMENTED_VISIBLE
from papercore.passages.claim_words import ClaimPart, PartKind
from papercore.passages.claims import ClaimFinding, judge_claim
from papercore.retrieval import Filters
from papercore.text import sentences, truncate
from papers.catalogue.lookup import find_paper
from papers.catalogue.schemas import PaperId
from papers.catalogue.tools import get_papers
from papers.passages.schemas import CLEANED, PassageHit, SearchedPapers
from papers.search.passages import WAIT, FoundPassage, find_evidence, hit_of
from papers.search.quotes import is_own_text
from papers.snapshot.served import paper_tool
from papers.texts.named import texts_of

ClaimVerdict = Literal["supported", "differs", "not_found", "no_text"]
# Passages that are compared with a claim.
COMPARED = 8
# A sentence with a smaller share of a claim's words is not shown.
SHOWN_SHARE = 0.4
# Words of a claim that are shown as absent, or as agreeing.
SHOWN_PARTS = 5
# What an answer needs for a passage besides its sentence, and what it keeps for BibTeX.
_PLACE_CHARS, _BIBTEX_CHARS = 260, 1_200
# Signs that the query language reads; in a claim they are punctuation.
_QUERY_SIGNS = re.compile(r"""["“”()\[\]{}:|*~^!\\]|(?<!\w)-|-(?!\w)|\b(?:AND|OR|NOT)\b""")


CitedName = Annotated[str, Field(min_length=1, max_length=limits.PAPER_NAME_CHARS), CLEANED]


class ClaimToCheck(BaseModel):
    """A sentence, and the papers cited for it."""

    model_config = ConfigDict(extra="forbid")

    claim: Annotated[str, Field(min_length=1, max_length=limits.CLAIM_CHARS), CLEANED]
    cited: Annotated[tuple[CitedName, ...], Field(max_length=limits.PAPERS_AT_ONCE)] = ()


Claims = Annotated[
    tuple[
        Annotated[ClaimToCheck, BeforeValidator(lambda item: {"claim": item} if isinstance(item, str) else item)], ...
    ],
    Field(min_length=1, max_length=limits.CLAIMS),
]


class ClaimsBody(BaseModel):
    """The body of a request over REST."""

    claims: Claims
    cited: Annotated[tuple[Annotated[PaperId, DOCUMENTED_VISIBLE], ...], Field(max_length=limits.PAPERS_AT_ONCE)] = ()


class ClaimDifference(BaseModel):
    kind: PartKind
    claim: str = Field(description="As the claim has it.")
    passage: str


class ClaimEvidence(BaseModel):
    """A sentence of a paper that was compared with the claim."""

    address: str
    authors_words: bool
    sentence: str
    agrees: list[str]
    absent: list[str] = Field(description="Of the claim, not in it.")
    differs: ClaimDifference | None


class CheckedClaim(BaseModel):
    verdict: ClaimVerdict
    passages: list[ClaimEvidence]
    other_side: list[ClaimEvidence]
    note: str


class CheckedClaims(BaseModel):
    """The claims in their order, and the entries of the papers that support them or differ."""

    claims: list[CheckedClaim]
    bibtex: str
    more_bibtex: list[str] = Field(description="Papers whose entries get_papers gives.")


class ComparedClaim(Struct, frozen=True):
    """A claim beside the passages that were found for it, sentence by sentence."""

    claim: str
    hits: list[PassageHit]
    sentences: list[str]
    finding: ClaimFinding

    def evidence(self, numbers: Sequence[int], most: int, chars: int) -> list[ClaimEvidence]:
        shown = [at for at in numbers if self.finding.comparisons[at].covered >= SHOWN_SHARE][:most]
        return [self._evidence(at, chars) for at in shown]

    def _evidence(self, at: int, chars: int) -> ClaimEvidence:
        compared = self.finding.comparisons[at]
        said = compared.differs
        return ClaimEvidence(
            address=self.hits[at].address,
            authors_words=self.hits[at].authors_words,
            sentence=truncate(self.sentences[at], chars),
            agrees=_shown(compared.agrees),
            absent=_shown(compared.absent),
            differs=ClaimDifference(kind=said.kind, claim=said.claim, passage=said.passage) if said else None,
        )


@paper_tool
def check_claims(claims: Claims, cited: SearchedPapers = ()) -> CheckedClaims:
    """Check sentences against the papers cited for them, else against the library.

    Call it last, with your own sentences; `cited` is for those that name no paper. Verdicts: supported; differs (in
    number, year, negation, direction); not_found in the text we have: not “false”; no_text.
    """
    checked, used = [], []
    for item in claims:
        names = item.cited or cited
        ids, problems = _texts_cited(names)
        if names and not ids:
            checked.append(CheckedClaim(verdict="no_text", passages=[], other_side=[], note=" ".join(problems)))
            continue
        compared = compare_claim(item.claim, ids)
        checked.append(_checked(compared, problems, len(claims)))
        if compared.finding.finding != "not_found":
            used += [compared.hits[at].paper_id for at in compared.finding.best[:1]]
    answer = CheckedClaims(claims=checked, bibtex="", more_bibtex=[])
    return _with_bibtex(answer, list(dict.fromkeys(used)))


def _texts_cited(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """The papers of these names that have a text of their own, and what is to be said of the others."""
    ids, problems = [], []
    for name in names:
        try:
            paper = find_paper(name)
        except ToolError as error:
            problems.append(error.message)
            continue
        if any(is_own_text(text) for text in texts_of(paper).readable()):
            ids.append(paper.paper_id)
        else:
            problems.append(f"The library has no text of {paper.paper_id}, or only a summary.")
    return ids, problems


def compare_claim(claim: str, paper_ids: Sequence[str]) -> ComparedClaim:
    """Compare a claim with the best passages of these papers, or of the library, in the papers' own texts."""
    return compare_passages(claim, find_for_claim(claim, paper_ids, COMPARED))


def find_for_claim(claim: str, paper_ids: Sequence[str], most: int) -> list[FoundPassage]:
    """The best passages; of papers that are cited, whichever of them they are from."""
    words = _QUERY_SIGNS.sub(lambda sign: sign[0].lower() if sign[0].isalpha() else " ", claim)
    wait = 0.0 if paper_ids else WAIT
    return find_evidence(
        " ".join(words.split())[: limits.QUERY_CHARS], Filters(), paper_ids, most, wait=wait, as_typed=True
    ).own


def compare_passages(claim: str, found: Sequence[FoundPassage]) -> ComparedClaim:
    pairs = [(hit, sentence) for hit in map(hit_of, found) for sentence in row_sentences(hit.quote)]
    texts = [sentence for _, sentence in pairs]
    return ComparedClaim(claim, [hit for hit, _ in pairs], texts, judge_claim(claim, texts))


def row_sentences(quote: str) -> list[str]:
    """The sentences of a passage; each row of a table says its own, with the heads of its cells."""
    return [sentence for line in quote.splitlines() for sentence in sentences(line)]


def _checked(compared: ComparedClaim, problems: Sequence[str], claims: int) -> CheckedClaim:
    """What fits: of few claims three passages each, of many the best."""
    most = 3 if claims <= 3 else 1
    room = (limits.CLAIMS_ANSWER_CHARS - _BIBTEX_CHARS) // claims
    chars = max(100, min(600, room // most - _PLACE_CHARS))
    finding = compared.finding
    note = not_found_note(finding) if finding.finding == "not_found" else ""
    against = finding.other_side if claims <= 3 or finding.finding == "supported" else ()
    return CheckedClaim(
        verdict=finding.finding,
        passages=compared.evidence(finding.best, most, chars),
        other_side=compared.evidence(against, 1, chars // 2),
        note=" ".join([note, *problems]).strip(),
    )


def not_found_note(finding: ClaimFinding) -> str:
    if finding.has_words:
        return "Its words are in the text we have, but not plainly said of the same things: read the passage."
    return "Not found in the text we have."


def _shown(parts: Sequence[ClaimPart]) -> list[str]:
    """As the claim has them; a negation that only the passage has, as there."""
    said = dict.fromkeys(part.claim or f"{part.passage} (in the passage)" for part in parts)
    return [truncate(word, 30) for word in said][:SHOWN_PARTS]


def _with_bibtex(answer: CheckedClaims, paper_ids: Sequence[str]) -> CheckedClaims:
    """With as many entries as an answer has room for."""
    room = limits.CLAIMS_ANSWER_CHARS - len(answer.model_dump_json())
    entries: list[str] = []
    left = []
    for paper_id in paper_ids:
        entry = get_papers((paper_id,), bibtex=True).bibtex or ""
        # Line ends and quotation marks are two characters each in JSON.
        room -= len(entry) + entry.count("\n") + entry.count('"') + 4
        if room > 0:
            entries.append(entry)
        else:
            left.append(paper_id)
            room += len(entry)
    return answer.model_copy(update={"bibtex": "\n\n".join(entries), "more_bibtex": left})
