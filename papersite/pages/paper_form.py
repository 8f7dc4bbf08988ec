"""The form in which people correct a paper: its fields as they know them, and what they typed."""

from collections.abc import Mapping

from django.http import QueryDict
from msgspec import Struct

from ingest import BuildError
from ingest.matching.corrections import FIELDS, LISTS, Field, Value, corrections_of
from papercore import limits

KINDS = {
    "": "not known",
    "article-journal": "Article in a journal",
    "paper-conference": "Paper at a conference",
    "article": "Preprint or manuscript",
    "book": "Book",
    "chapter": "Chapter of a book",
    "thesis": "Thesis",
    "report": "Report",
    "article-magazine": "Article in a magazine",
    "article-newspaper": "Article in a newspaper",
    "webpage": "Web page",
    "dataset": "Data set",
    "software": "Software",
    "patent": "Patent",
    "speech": "Talk",
}


class FormField(Struct, frozen=True):
    name: Field
    label: str
    hint: str = ""
    rows: int = 1
    is_short: bool = False


FORM: tuple[FormField, ...] = (
    FormField("title", "Title", rows=2),
    FormField("authors", "Authors", "One on each line, as in Ada Lovelace", rows=4),
    FormField("date", "Date", "1978, 1978-08 or 1978-08-21", is_short=True),
    FormField("kind", "Kind", is_short=True),
    FormField("venue", "Journal, conference or book"),
    FormField("volume", "Volume", is_short=True),
    FormField("issue", "Issue", is_short=True),
    FormField("pages", "Pages", is_short=True),
    FormField("publisher", "Publisher, school or institution"),
    FormField("doi", "DOI", "10.1000/182", is_short=True),
    FormField("arxiv", "arXiv id", "1706.03762", is_short=True),
    FormField("key", "Citation key", "What stands in \\cite{…}", is_short=True),
    FormField("abstract", "Abstract", rows=6),
    FormField("keywords", "Keywords", "One on each line", rows=3),
    FormField("tags", "Tags", "One on each line", rows=3),
)
LABELS = {field.name: field.label for field in FORM}


class SentForm(Struct, frozen=True):
    """What was typed, the values that stood there before, and what is wrong with it, by fields."""

    typed: dict[Field, str]
    before: dict[Field, str]
    corrections: dict[Field, Value]
    problems: dict[Field, str]

    @property
    def touched(self) -> dict[Field, str]:
        return {name: text for name, text in self.typed.items() if text != self.before[name]}


def read_form(sent: QueryDict, current: Mapping[Field, str]) -> SentForm:
    """A field that was not sent is as it is."""
    typed = {name: _normal(name, sent.get(name, current[name])) for name in FIELDS}
    before = {name: _normal(name, sent.get(f"before_{name}", current[name])) for name in FIELDS}
    corrections: dict[Field, Value] = {}
    problems: dict[Field, str] = {}
    for name in FIELDS:
        if typed[name] == before[name]:
            continue
        try:
            if len(typed[name]) > limits.FIELD_CHARS:
                raise BuildError(f"This is longer than {limits.FIELD_CHARS:,} characters.")
            if name == "kind" and typed[name] not in KINDS:
                raise BuildError("Choose one of the list.")
            if name == "key" and not typed[name]:
                raise BuildError("A paper needs a key by which it is cited.")
            corrections |= corrections_of({name: typed[name]})
        except BuildError as error:
            problems[name] = str(error)
    return SentForm(typed, before, corrections, problems)


def _normal(name: Field, text: str) -> str:
    """Browsers end lines in their own way; blank lines and blanks around a line say nothing."""
    if name == "abstract":
        return text.replace("\r\n", "\n").strip()
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return "\n".join(lines) if name in LISTS else " ".join(lines)
