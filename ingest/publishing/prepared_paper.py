"""A paper made ready for the tables: everything that can be computed without them, and so in another process."""

from collections.abc import Set

from msgspec import Struct

from ingest.entries.entry import ABSTRACT_TEMPLATE, BibtexEntry, Summary
from ingest.entries.text import plain_text, preview, spaced_cjk
from ingest.matching.identity import PaperIdentity
from ingest.matching.records import Record
from ingest.publishing.facets import FacetTexts, facet_values
from ingest.publishing.generated_bibtex import generated_bibtex, has_own_key
from ingest.publishing.paper_files import PaperFiles
from papercore.bibliography.citation import unique_key
from papercore.text import one_line


class PreparedPaper(Struct, frozen=True):
    """The rows of one paper. The texts are those of the full-text table, the trigrams those of the other one."""

    identity: PaperIdentity
    columns: dict[str, str | None]
    summaries: list[str]
    translations: list[tuple[str, str]]
    bibtex: BibtexEntry
    # Whether the key of the BibTeX entry is made up, so that it may be another paper's.
    has_made_up_key: bool
    texts: list[str]
    trigrams: tuple[str, str]
    facets: FacetTexts
    # Everything that makes the paper what it is, for the build id.
    content: bytes

    def with_unique_key(self, taken: Set[str]) -> BibtexEntry:
        """The BibTeX entry under a key that no other paper has."""
        old = self.bibtex.key
        key = unique_key(old, taken) if self.has_made_up_key else old
        if key == old:
            return self.bibtex
        return self.bibtex.model_copy(update={"key": key, "raw": self.bibtex.raw.replace(f"{{{old},", f"{{{key},", 1)})


def prepare(identity: PaperIdentity, record: Record, files: PaperFiles) -> PreparedPaper:
    words = {summary.template: _summary_words(summary) for summary in record.summaries}
    provenance, source = record.provenance, files.source.sha256 if files.source else None
    translations = sorted(files.translations.items())
    texts = (
        record.title,
        " ".join(words.values()),
        files.source.words if files.source else "",
        " ".join(text.words for _, text in translations),
        metadata_words(record),
    )
    return PreparedPaper(
        identity=identity,
        columns={
            "paper_id": identity.paper_id,
            "paper_key": identity.key.text,
            "paper_key_type": identity.key.type,
            "doi": record.doi,
            "title": record.title,
            "year": record.year,
            "month": record.month,
            "publication_date": record.date,
            "venue": record.venue,
            "preferred_summary_template": record.preferred_template,
            "summary_preview": preview(words.get(record.preferred_template, "")),
            "source_hash": record.source_hash or source,
            "output_language": provenance.output_language,
            "provider": provenance.provider,
            "model": provenance.model,
            "prompt_template": provenance.prompt_template,
            "extracted_at": provenance.extracted_at,
            "pdf_content_hash": files.pdf,
            "source_md_content_hash": source,
        },
        summaries=[summary.template for summary in record.summaries],
        translations=[(lang, text.sha256) for lang, text in translations],
        bibtex=record.bibtex or generated_bibtex(record, frozenset()),
        has_made_up_key=record.bibtex is None and not has_own_key(record),
        texts=[spaced_cjk(text) for text in texts],
        trigrams=(record.title.lower(), record.venue.lower()),
        facets=facet_values(record, sorted(files.translations)),
        content=_content(identity, record, files),
    )


def metadata_words(record: Record) -> str:
    """The words of the paper's metadata, for the full-text index."""
    words = [
        record.title,
        *record.authors,
        record.venue,
        *record.keywords,
        *record.institutions,
        *record.tags,
        record.year,
        record.doi or "",
        record.arxiv or "",
    ]
    return one_line(" ".join(words))


def _summary_words(summary: Summary) -> str:
    # An abstract is not markdown: its underscores and asterisks are meant literally.
    return one_line(summary.text) if summary.template == ABSTRACT_TEMPLATE else plain_text(summary.text)


def _content(identity: PaperIdentity, record: Record, files: PaperFiles) -> bytes:
    hashes = [files.pdf or "", files.source.sha256 if files.source else ""]
    hashes += [f"{lang}:{text.sha256}" for lang, text in sorted(files.translations.items())]
    keys = [key.text for key in identity.aliases]
    return "\0".join([identity.paper_id, record.model_dump_json(), *hashes, *keys]).encode()
