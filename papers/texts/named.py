"""The texts of a paper by name (`abstract`, `summary:simple`, `source`, `translation:de`): which exist, reading one."""

from msgspec import Struct

from papers.catalogue.metadata import preferred_document, templates_of
from papers.snapshot.errors import (
    SourceNotAvailable,
    SummaryNotAvailable,
    TemplateNotAvailable,
    TextNotAvailable,
    TranslationNotAvailable,
)
from papers.snapshot.models import Paper, PaperTranslation
from papers.texts import stored

ABSTRACT, SOURCE, SUMMARY, TRANSLATION = "abstract", "source", "summary:", "translation:"


class NamedText(Struct, frozen=True):
    """A text of a paper; `language` is None where nobody says which."""

    paper: Paper
    name: str
    text: str
    language: str | None


def names_of(paper: Paper) -> list[str]:
    """The texts of a paper, the one that says most first."""
    templates = sorted(templates_of(paper), key=lambda name: name != paper.preferred_summary_template)
    return [
        *([SOURCE] if paper.source_md_content_hash else []),
        *(SUMMARY + template for template in templates),
        *([ABSTRACT] if preferred_document(paper).abstract else []),
        *(TRANSLATION + lang for lang in sorted(_translations(paper))),
    ]


def read_named(paper: Paper, name: str | None = None) -> NamedText:
    """One text of a paper; without a name the one that says most."""
    if name is None:
        name = next(iter(names_of(paper)), ABSTRACT)
    if name == SOURCE:
        return NamedText(paper, name, source_of(paper), None)
    if name.startswith(SUMMARY):
        summary = stored.parse_summary(summary_of(paper, name.removeprefix(SUMMARY))).summary
        return NamedText(paper, name, summary, paper.output_language)
    if name.startswith(TRANSLATION):
        lang = name.removeprefix(TRANSLATION)
        return NamedText(paper, name, translation_of(paper, lang), lang)
    abstract = preferred_document(paper).abstract if name == ABSTRACT else None
    if not abstract:
        raise TextNotAvailable(
            f"Paper {paper.paper_id} has no such text. It has: {', '.join(names_of(paper)) or 'none'}.",
            paper_id=paper.paper_id,
        )
    return NamedText(paper, name, abstract, paper.output_language)


def summary_of(paper: Paper, template: str) -> str:
    """A summary's document as stored."""
    available = templates_of(paper)
    if not available:
        raise SummaryNotAvailable(
            f"Paper {paper.paper_id} has no summary; try get_paper_source.", paper_id=paper.paper_id
        )
    if template not in available:
        raise TemplateNotAvailable(
            f"Paper {paper.paper_id} has no summary by that template. Available: {', '.join(available)}.",
            paper_id=paper.paper_id,
            template=template,
            available_summary_templates=available,
        )
    return stored.summary_text(paper.paper_id, template)


def source_of(paper: Paper) -> str:
    if not paper.source_md_content_hash:
        raise SourceNotAvailable(
            f"The source text of paper {paper.paper_id} is not available in this library.", paper_id=paper.paper_id
        )
    return stored.source_text(paper)


def translation_of(paper: Paper, lang: str) -> str:
    hashes = _translations(paper)
    code = lang.lower()
    if code not in hashes:
        raise TranslationNotAvailable(
            f"Paper {paper.paper_id} has no such translation. Available: {', '.join(sorted(hashes)) or 'none'}.",
            paper_id=paper.paper_id,
            lang=code,
            available_translations=sorted(hashes),
        )
    return stored.translation_text(paper.paper_id, code, hashes[code])


def _translations(paper: Paper) -> dict[str, str]:
    return dict(PaperTranslation.objects.filter(paper=paper).values_list("lang", "md_content_hash"))
