"""The manifest of a paper: its assets as the format lists them."""

import re
from pathlib import Path

from ingest.matching.records import Record
from ingest.publishing.paper_files import PaperFiles
from papercore.snapshot.layout import pdf_key, preferred_summary_key, source_key, summary_key, translation_key

_UNSAFE_IN_FILE_NAMES = re.compile(r"[^\w.-]+")


def manifest(paper_id: str, record: Record, files: PaperFiles) -> dict[str, object]:
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
        "images": [_image(name, key) for name, key in files.images.items()],
        "conflicts": [],
    }


_NO_ASSET = {"static_path": None, "zip_path": None, "sha256": None}


def _asset(key: str, file_name: str, sha256: str) -> dict[str, str]:
    return {"static_path": key, "zip_path": file_name, "sha256": sha256}


def _image(name: str, key: str | None) -> dict[str, str | None]:
    return {
        "static_path": name,
        "zip_path": name,
        "sha256": Path(key).stem if key else None,
        "ext": Path(name).suffix.lower().removeprefix("."),
        "status": "available" if key else "missing",
    }


def _file_name(text: str) -> str:
    return _UNSAFE_IN_FILE_NAMES.sub("_", text).strip("_") or "unknown"
