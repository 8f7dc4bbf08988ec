"""The texts of a paper by name (`abstract`, `summary:simple`, `source`, `translation:de`): which exist, reading one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from papercore.errors import ToolError
from papercore.snapshot.assets import AssetStore, source_key, summary_key, translation_key
from papers.snapshot.assets import SummaryDocument, parse_summary, preferred_document, read_text
from papers.snapshot.errors import (
    SourceNotAvailable,
    SummaryNotAvailable,
    TemplateNotAvailable,
    TextNotAvailable,
    TranslationNotAvailable,
)
from papers.snapshot.models import Paper
from papers.snapshot.queries import Queryable, links_of_papers, translation_hashes
from papers.snapshot.served import connection

ABSTRACT, SOURCE, SUMMARY, TRANSLATION = "abstract", "source", "summary:", "translation:"


class NamedText(Struct, frozen=True):
    """A text of a paper; `language` is None where nobody says which."""

    paper: Paper
    name: str
    text: str
    language: str | None


class PaperTexts(Struct, frozen=True, dict=True):
    """The texts that a paper has, each in an asset of its own; the abstract is in the document of its summary."""

    paper: Paper
    # In alphabetical order.
    templates: Sequence[str]
    # By language, the hash of its content.
    translations: Mapping[str, str]
    # None: the store that is served.
    store: AssetStore | None = None

    @cached_property
    def document(self) -> SummaryDocument:
        return preferred_document(self.paper, self.store)

    @property
    def names(self) -> list[str]:
        """Every text, in the one order that lists, pages and the index have: what is read first, first."""
        return [
            *([ABSTRACT] if self.document.abstract else []),
            *(SUMMARY + name for name in in_order(self.templates, self.paper.preferred_summary_template)),
            *([SOURCE] if self.paper.source_md_content_hash else []),
            *(TRANSLATION + lang for lang in self.translations),
        ]

    @property
    def fullest_first(self) -> list[str]:
        """The same for those who look for something: the source, then summaries, abstract and translations."""
        kinds = (SOURCE, SUMMARY, ABSTRACT, TRANSLATION)
        return [name for kind in kinds for name in self.names if name.startswith(kind)]

    def read(self, name: str) -> NamedText:
        if name == SOURCE:
            return NamedText(self.paper, name, self.source(), None)
        if name.startswith(SUMMARY):
            summary = parse_summary(self.summary(name.removeprefix(SUMMARY))).summary
            return NamedText(self.paper, name, summary, self.paper.output_language)
        if name.startswith(TRANSLATION):
            lang = name.removeprefix(TRANSLATION)
            return NamedText(self.paper, name, self.translation(lang), lang)
        abstract = self.document.abstract if name == ABSTRACT else None
        if not abstract:
            raise TextNotAvailable(
                f"Paper {self.paper.paper_id} has no such text. It has: {', '.join(self.fullest_first) or 'none'}.",
                paper_id=self.paper.paper_id,
            )
        return NamedText(self.paper, name, abstract, self.paper.output_language)

    def find(self, name: str) -> NamedText | None:
        """The same; None where its asset cannot be read."""
        try:
            return self.read(name)
        except ToolError:
            return None

    def readable(self) -> Iterator[NamedText]:
        """All of them, the one that says most first; one whose asset cannot be read is left out."""
        for name in self.fullest_first:
            if text := self.find(name):
                yield text

    def summary(self, template: str) -> str:
        """A summary's document as stored, once it has been parsed without error."""
        if not self.templates:
            raise SummaryNotAvailable(
                f"Paper {self.paper.paper_id} has no summary; try get_paper_source.", paper_id=self.paper.paper_id
            )
        if template not in self.templates:
            raise TemplateNotAvailable(
                f"Paper {self.paper.paper_id} has no summary by that template. Available: {', '.join(self.templates)}.",
                paper_id=self.paper.paper_id,
                template=template,
                available_summary_templates=list(self.templates),
            )
        text = self._asset(summary_key(self.paper.paper_id, template), template=template)
        try:
            parse_summary(text)
        except ToolError as error:
            error.details |= {"paper_id": self.paper.paper_id, "template": template}
            raise
        return text

    def source(self) -> str:
        if not self.paper.source_md_content_hash:
            raise SourceNotAvailable(
                f"The source text of paper {self.paper.paper_id} is not available in this library.",
                paper_id=self.paper.paper_id,
            )
        return self._asset(source_key(self.paper.source_md_content_hash))

    def translation(self, lang: str) -> str:
        code = lang.lower()
        if code not in self.translations:
            available = ", ".join(self.translations) or "none"
            raise TranslationNotAvailable(
                f"Paper {self.paper.paper_id} has no such translation. Available: {available}.",
                paper_id=self.paper.paper_id,
                lang=code,
                available_translations=list(self.translations),
            )
        return self._asset(translation_key(code, self.translations[code]), lang=code)

    def _asset(self, key: str, **details: str) -> str:
        try:
            return read_text(key, self.store)
        except ToolError as error:
            error.details |= {"paper_id": self.paper.paper_id, **details}
            raise


def in_order(templates: Iterable[str], preferred: str | None) -> list[str]:
    """The summaries of a paper by their templates, the preferred one first."""
    return sorted(templates, key=lambda name: (name != preferred, name))


def texts_of(paper: Paper) -> PaperTexts:
    return texts_of_papers([paper])[paper.paper_id]


def source_of(paper: Paper) -> str:
    return PaperTexts(paper, (), {}).source()


def texts_of_papers(
    papers: Iterable[Paper], snapshot: Queryable | None = None, store: AssetStore | None = None
) -> dict[str, PaperTexts]:
    """By paper, in two statements: of the snapshot and the store that are served, or of others."""
    by_id = {paper.paper_id: paper for paper in papers}
    links = links_of_papers(snapshot or connection(), list(by_id), ["template"])
    hashes = translation_hashes(snapshot or connection(), by_id)
    return {
        paper_id: PaperTexts(paper, links[paper_id]["template"], hashes.get(paper_id, {}), store)
        for paper_id, paper in by_id.items()
    }
