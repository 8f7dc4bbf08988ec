"""The JSON documents of a paper in the asset folder: its summaries, and the manifest that lists its assets."""

import re
from pathlib import Path

import orjson

from ingest.entries.entry import Summary
from ingest.matching.records import Record
from ingest.publishing.assets import PaperFiles
from papercore.snapshot.layout import (
    manifest_key,
    pdf_key,
    preferred_summary_key,
    source_key,
    summary_key,
    translation_key,
)

_UNSAFE_IN_FILE_NAMES = re.compile(r"[^\w.-]+")
_NO_ASSET = {"static_path": None, "zip_path": None, "sha256": None}


def write_documents(root: Path, paper_id: str, record: Record, files: PaperFiles) -> None:
    """The manifest, the preferred summary, and one file for each template."""
    by_template = {summary.template: summary for summary in record.summaries}
    none = Summary(template=record.preferred_template, text="")
    preferred = _summary(paper_id, record, by_template.get(record.preferred_template, none))
    documents = {
        preferred_summary_key(paper_id): {**preferred, "available_templates": sorted(by_template)},
        manifest_key(paper_id): _manifest(paper_id, record, files),
    }
    for summary in record.summaries:
        documents[summary_key(paper_id, summary.template)] = _summary(paper_id, record, summary)
    if record.summaries:
        (root / summary_key(paper_id, "")).parent.mkdir(exist_ok=True)
    for key, document in documents.items():
        # Joined as text: with hundreds of thousands of files, building a Path costs as much as writing.
        with open(f"{root}/{key}", "wb") as file:  # noqa: PTH123
            file.write(orjson.dumps(document, option=orjson.OPT_INDENT_2))


def _summary(paper_id: str, record: Record, summary: Summary) -> dict[str, object]:
    return {
        "paper_id": paper_id,
        "paper_title": record.title,
        "paper_authors": record.authors,
        "publication_date": record.date,
        "publication_venue": record.venue,
        "abstract": record.abstract,
        "keywords": record.keywords,
        "paper_institutions": record.institutions,
        **summary.provenance.model_dump(),
        "template_tag": summary.template,
        "summary": summary.text,
    }


def _manifest(paper_id: str, record: Record, files: PaperFiles) -> dict[str, object]:
    author = record.authors[0] if record.authors else "unknown"
    short, title = _file_name(f"{author[:32]}_{record.year}"), _file_name(record.title[:80])
    pdf, source = files.pdf, files.source
    return {
        "paper_id": paper_id,
        "folder_name": f"{short}_{title}_{paper_id}",
        "folder_name_short": f"{short}_{paper_id}",
        "assets": {
            "pdf": _asset(pdf_key(pdf), f"{short}_{title}.pdf", pdf) if pdf else _NO_ASSET,
            "source_md": _asset(source_key(source.sha256), "source.md", source.sha256) if source else _NO_ASSET,
            "translated_md": [
                {"lang": lang, **_asset(translation_key(lang, text.sha256), f"translated/{lang}.md", text.sha256)}
                for lang, text in sorted(files.translations.items())
            ],
            "summary": {"static_path": preferred_summary_key(paper_id), "zip_path": "summary.json"},
            "summary_templates": [
                {
                    "template_tag": template,
                    "static_path": summary_key(paper_id, template),
                    "zip_path": f"summaries/{template}.json",
                }
                for template in sorted(summary.template for summary in record.summaries)
            ],
        },
        "images": [
            {
                "static_path": name,
                "zip_path": name,
                "sha256": Path(key).stem if key else None,
                "ext": Path(name).suffix.lower().removeprefix("."),
                "status": "available" if key else "missing",
            }
            for name, key in files.images.items()
        ],
        "conflicts": [],
    }


def _asset(key: str, file_name: str, sha256: str) -> dict[str, str]:
    return {"static_path": key, "zip_path": file_name, "sha256": sha256}


def _file_name(text: str) -> str:
    return _UNSAFE_IN_FILE_NAMES.sub("_", text).strip("_") or "unknown"


def asset_keys(paper_id: str, record: Record, files: PaperFiles) -> set[str]:
    """The files of a paper in the asset folder, but for images, which papers share."""
    found = {preferred_summary_key(paper_id), manifest_key(paper_id)}
    found |= {summary_key(paper_id, summary.template) for summary in record.summaries}
    found |= {translation_key(lang, text.sha256) for lang, text in files.translations.items()}
    found |= {source_key(files.source.sha256)} if files.source else set()
    return found | ({pdf_key(files.pdf)} if files.pdf else set())
