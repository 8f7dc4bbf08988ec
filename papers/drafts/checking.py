"""Checks a draft against the library: its bibliography, its keys, its quotations and what its sentences claim."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from hashlib import blake2b
from pathlib import Path, PurePath
from textwrap import shorten

from msgspec import Struct
from msgspec.structs import replace

from ingest.drafts.manuscript import CitedAside, Manuscript, ManuscriptSentence, PlaceKind
from ingest.entries.report import NoProgress, TaskProgress
from ingest.reading.bibliography import BibliographyReader
from papercore import limits
from papercore.bibliography.checking import Elsewhere
from papercore.bibliography.references import read_reference
from papercore.text import one_line
from papers import tools
from papers.drafts.claims import UNCITED, CheckedSentence, LibraryTexts, check_cited, check_uncited
from papers.passages.schemas import QuoteToVerify
from papers.references.checking import checked_bibliography
from papers.references.cited import cited_papers
from papers.snapshot.models import PaperBibtex
from papers.snapshot.served import reading

# Of several papers cited at once, the verdict that says most.
_QUOTE_VERDICTS = ("near_miss", "not_authors_words", "elsewhere", "not_found", "not_checked", "found")
# So much of a quotation tells in which sentence it begins.
_QUOTE_BEGINNING = 40
_SHOWN_CHARS = 80


class DraftFinding(Struct, frozen=True):
    """Something to look at: its kind, the file and place, and a sentence. A file without lines has pages or so.

    `about` is the text that it is about, and `sentence` the number of the sentence, if it is about one.
    """

    kind: str
    file: str
    place: int
    message: str
    place_kind: PlaceKind = "line"
    about: str = ""
    sentence: int | None = None

    @property
    def id(self) -> str:
        """The same in every version of a draft in which the text has not changed."""
        return text_hash(f"{self.kind}\n{self.about or self.message}")


class CitedWork(Struct, frozen=True):
    """What a key of the draft means: an entry of a bibliography or a reference, and the paper here if it is known."""

    key: str
    title: str
    paper_id: str | None = None


class CheckedDraft(Struct, frozen=True):
    """Every sentence of the drafts, and what is to be looked at; `notes` are about what could not be read."""

    sentences: tuple[CheckedSentence, ...]
    findings: tuple[DraftFinding, ...]
    notes: tuple[str, ...] = ()

    @property
    def verdicts(self) -> Counter[str]:
        return Counter(item.verdict for item in self.sentences if item.verdict)

    @property
    def hash(self) -> str:
        return text_hash("\n".join(item.sentence.text for item in self.sentences))


def text_hash(text: str) -> str:
    return blake2b(one_line(text).encode(), digest_size=8).hexdigest()


def check_draft(
    drafts: Mapping[str, Manuscript],
    bibliographies: Mapping[str, str | Path],
    progress: TaskProgress | None = None,
    elsewhere: Elsewhere | None = None,
) -> CheckedDraft:
    """Check drafts with the bibliographies given, all by the names of their files."""
    progress = progress or NoProgress()
    sentences: list[CheckedSentence] = []
    notes = [f"{file}: {draft.note}" for file, draft in drafts.items() if draft.note]
    files = [item for item in bibliographies.values() if isinstance(item, Path)]
    with reading(), closing(BibliographyReader(files)) as reader:
        works, findings = _check_entries(bibliographies, reader, progress, elsewhere)
        for file, draft in drafts.items():
            own, of_fields = _check_entries({file: draft.bibtex}, reader, progress, elsewhere)
            findings += [replace(item, place=1, place_kind=draft.place_kind) for item in of_fields]
            meant = _printed_references(draft) | works | own
            missing = "No bibliography given has the key"
            if not meant and (keys := {key for cited in _cited(draft) for key in cited.keys}):
                meant = _works_of_library(keys)
                missing = "No bibliography is given, and no paper here has the key"
                notes.append(f"{file}: no bibliography is given; {len(meant)} of {len(keys)} keys are the library's.")
            checked = list(_check_sentences(draft, meant, progress))
            found = [
                *_undefined_keys(draft, meant, missing),
                *_wrong_quotes(draft, meant),
                *_claims(draft, checked),
            ]
            for item in sorted(found, key=lambda item: item.sentence or 0):
                number = None if item.sentence is None else item.sentence + len(sentences)
                named = str(PurePath(file).parent / item.file) if item.file else file
                findings.append(replace(item, file=named, sentence=number))
            sentences += checked
    return CheckedDraft(tuple(sentences), tuple(findings), tuple(notes))


def _check_entries(
    bibliographies: Mapping[str, str | Path],
    reader: BibliographyReader,
    progress: TaskProgress,
    elsewhere: Elsewhere | None,
) -> tuple[dict[str, CitedWork], list[DraftFinding]]:
    """What each key of the bibliographies means, by file, and the entries that do not agree with the library."""
    works: dict[str, CitedWork] = {}
    findings: list[DraftFinding] = []
    for file, bibliography in bibliographies.items():
        if bibliography:
            checked = checked_bibliography(reader.read(bibliography), elsewhere, progress)
            works |= {entry.key: CitedWork(entry.key, entry.title, entry.paper_id) for entry in checked.entries}
            findings += [
                DraftFinding("unreadable", file, line, "This entry cannot be read.")
                for line in checked.unreadable_lines
            ]
            findings += [
                DraftFinding(entry.verdict, file, entry.line, f"{entry.key}: {entry.note}")
                for entry in checked.entries
                if entry.verdict != "matches"
            ]
    return works, findings


def _printed_references(draft: Manuscript) -> dict[str, CitedWork]:
    """The works of a draft's printed references, by number."""
    references = [read_reference(text) for text in draft.references.values()]
    found = cited_papers(references, "") if references else []
    return {
        number: CitedWork(number, paper.title if paper else text, paper.paper_id if paper else None)
        for (number, text), paper in zip(draft.references.items(), found, strict=True)
    }


def _cited(draft: Manuscript) -> tuple[ManuscriptSentence | CitedAside, ...]:
    return (*draft.sentences, *draft.cited_aside)


def _works_of_library(keys: Collection[str]) -> dict[str, CitedWork]:
    """The papers here whose BibTeX has these keys; a key of several papers is none."""
    with_key = PaperBibtex.objects.filter(bibtex_key__in=list(keys)[: limits.BIBLIOGRAPHY_ENTRIES])
    found = list(with_key.values_list("bibtex_key", "paper_id", "paper__title"))
    counted = Counter(key for key, _, _ in found)
    return {key: CitedWork(key, title, paper_id) for key, paper_id, title in found if key and counted[key] == 1}


def _check_sentences(
    draft: Manuscript, works: Mapping[str, CitedWork], progress: TaskProgress
) -> Iterator[CheckedSentence]:
    library = LibraryTexts({work.paper_id: key for key, work in works.items() if work.paper_id})
    cited_nearby: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    for sentence in draft.sentences:
        cited_nearby[sentence.file, sentence.paragraph].update(_papers_of(sentence.keys, works))
    for sentence in progress.track("Sentences", draft.sentences, len(draft.sentences)):
        if sentence.keys:
            yield check_cited(sentence, _papers_of(sentence.keys, works), library)
        else:
            nearby = frozenset(cited_nearby[sentence.file, sentence.paragraph])
            yield check_uncited(sentence, nearby, library)


def _papers_of(keys: Sequence[str], works: Mapping[str, CitedWork]) -> list[str]:
    found = (work.paper_id for key in keys if (work := works.get(key)))
    return list(dict.fromkeys(paper_id for paper_id in found if paper_id))


def _undefined_keys(draft: Manuscript, works: Mapping[str, CitedWork], missing: str) -> Iterator[DraftFinding]:
    for number, cited in enumerate(_cited(draft)):
        sentence = number if number < len(draft.sentences) else None
        for key in cited.keys:
            if key not in works:
                is_number = key.isdecimal() and draft.references
                message = f"The list of references has no number {key}." if is_number else f"{missing} {key}."
                yield DraftFinding(
                    "undefined_key", cited.file, cited.place, message, draft.place_kind, sentence=sentence
                )


def _wrong_quotes(draft: Manuscript, works: Mapping[str, CitedWork]) -> Iterator[DraftFinding]:
    for item in draft.quotes:
        asked = [QuoteToVerify(quote=item.quote, where=paper_id) for paper_id in _papers_of(item.keys, works)]
        verified = tools.verify_quotes(tuple(asked[: limits.QUOTES])).quotes if asked else []
        if not verified or any(found.found for found in verified):
            continue
        best = min(verified, key=lambda found: _QUOTE_VERDICTS.index(found.verdict))
        problem = best.problem or "Not found in the text that the library has."
        beginning = item.quote[:_QUOTE_BEGINNING]
        begins_in = [
            number
            for number, sentence in enumerate(draft.sentences)
            if sentence.file == item.file and sentence.place <= item.place and beginning in sentence.text
        ]
        yield DraftFinding(
            best.verdict,
            item.file,
            item.place,
            f"“{shorten(item.quote, _SHOWN_CHARS, placeholder=' …')}”: {problem}",
            draft.place_kind,
            about=item.quote,
            sentence=begins_in[-1] if begins_in else None,
        )


def _claims(draft: Manuscript, checked: Sequence[CheckedSentence]) -> Iterator[DraftFinding]:
    for number, item in enumerate(checked):
        if item.verdict:
            sentence = item.sentence
            yield DraftFinding(
                item.verdict if item.verdict in UNCITED else f"claim_{item.verdict}",
                sentence.file,
                sentence.place,
                _claim_message(item),
                draft.place_kind,
                about=sentence.text,
                sentence=number,
            )


def _claim_message(item: CheckedSentence) -> str:
    best = item.evidence[0] if item.evidence else None
    said = f"“{shorten(item.sentence.text, _SHOWN_CHARS, placeholder=' …')}”: "
    if item.verdict == "uncited" and best:
        return f"{said}{best.key} says it: “{best.title}”."
    if item.verdict == "may_bear" and best:
        return f"{said}{best.key} may bear on it: “{best.title}” ({best.address})."
    if item.verdict == "differs" and best and best.differs:
        return f"{said}“{best.differs.claim}”, {best.key} has “{best.differs.passage}” ({best.address})."
    if item.verdict == "supported" and best:
        return f"{said}{best.key} says it ({best.address})."
    return said + (item.note or "Not found in the text that the library has.")
