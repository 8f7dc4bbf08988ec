"""Writes the asset folder: texts, PDFs and images under their hashes, summaries and manifests by paper."""

import hashlib
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from papers.build.entry import Summary
from papers.build.images import ImageFolders, rewrite_images
from papers.build.input_files import Translation
from papers.build.merge import Record
from papers.build.text import clean_text, plain_text

_NAME_CHARS = re.compile(r"[^\w.-]+")
# The largest text that is read: what a server of the format would serve.
TEXT_BYTES = 20_000_000


class AssetError(ValueError):
    """One file cannot be used; the message says why."""


@dataclass(frozen=True)
class TextAsset:
    """A markdown text in the folder: its hash, and its words for the full-text index."""

    sha256: str
    words: str


@dataclass
class PaperFiles:
    """What one paper has in the asset folder."""

    source: TextAsset | None = None
    pdf: str | None = None
    translations: dict[str, TextAsset] = field(default_factory=dict)
    images: dict[str, str | None] = field(default_factory=dict)


class AssetWriter:
    def __init__(self, root: Path, image_roots: list[Path]) -> None:
        self.root = root
        self._image_roots = image_roots
        self._images: dict[Path, str] = {}
        for name in ("summary", "manifest", "md", "md_translate", "pdf", "images"):
            (root / name).mkdir(parents=True)

    def add_source(self, files: PaperFiles, path: Path) -> None:
        files.source = self._text(files, path, "md", [path.parent])

    def add_translation(self, files: PaperFiles, translation: Translation, source: Path | None) -> None:
        beside = [translation.path.parent, *([source.parent] if source else [])]
        asset = self._text(files, translation.path, f"md_translate/{translation.lang}", beside)
        files.translations[translation.lang] = asset

    def add_pdf(self, files: PaperFiles, path: Path) -> None:
        with path.open("rb") as stream:
            files.pdf = hashlib.file_digest(stream, "sha256").hexdigest()
        target = self.root / "pdf" / f"{files.pdf}.pdf"
        if not target.exists():
            shutil.copyfile(path, target)

    def _text(self, files: PaperFiles, path: Path, folder: str, beside: list[Path]) -> TextAsset:
        folders = ImageFolders(beside, self._image_roots)
        markdown = rewrite_images(_read_text(path), lambda name: self._image(files, folders, name))
        content = markdown.encode()
        sha256 = hashlib.sha256(content).hexdigest()
        target = self.root / folder / f"{sha256}.md"
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(content)
        return TextAsset(sha256, plain_text(markdown))

    def _image(self, files: PaperFiles, folders: ImageFolders, name: str) -> str:
        found = folders.find(name)
        if found.path is None:
            files.images[name] = None
            return name
        key = self._images.get(found.path) or self._copy_image(found.path)
        self._images[found.path] = key
        files.images[key] = key
        return key

    def _copy_image(self, path: Path) -> str:
        content = path.read_bytes()
        ending = path.suffix.lower().removeprefix(".")
        key = f"images/{hashlib.sha256(content).hexdigest()}.{ending}"
        (self.root / key).write_bytes(content)
        return key

    def write_summaries(self, paper_id: str, record: Record) -> None:
        """The preferred summary, and one file for each template."""
        by_template = {summary.template: summary for summary in record.summaries}
        none = Summary(template=record.preferred_template, text="")
        preferred = _summary(paper_id, record, by_template.get(record.preferred_template, none))
        whole = {**preferred, "available_templates": sorted(by_template)}
        _write_json(self.root / "summary" / f"{paper_id}.json", whole)
        if record.summaries:
            (self.root / "summary" / paper_id).mkdir()
        for summary in record.summaries:
            path = self.root / "summary" / paper_id / f"{summary.template}.json"
            _write_json(path, _summary(paper_id, record, summary))

    def write_manifest(self, paper_id: str, record: Record, files: PaperFiles) -> None:
        _write_json(self.root / "manifest" / f"{paper_id}.json", manifest(paper_id, record, files))


def _read_text(path: Path) -> str:
    if path.stat().st_size > TEXT_BYTES:
        raise AssetError(f"larger than {TEXT_BYTES:,} bytes")
    try:
        return clean_text(path.read_text(encoding="utf-8-sig")) + "\n"
    except UnicodeDecodeError:
        raise AssetError("not UTF-8") from None


def _write_json(path: Path, value: object) -> None:
    path.write_bytes(orjson.dumps(value, option=orjson.OPT_INDENT_2))


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


def manifest(paper_id: str, record: Record, files: PaperFiles) -> dict[str, object]:
    """The paper's assets as the format lists them."""
    author = record.authors[0] if record.authors else "unknown"
    short, title = _file_name(f"{author[:32]}_{record.year}"), _file_name(record.title[:80])
    translated = sorted(files.translations.items())
    templates = sorted(summary.template for summary in record.summaries)
    return {
        "paper_id": paper_id,
        "folder_name": f"{short}_{title}_{paper_id}",
        "folder_name_short": f"{short}_{paper_id}",
        "assets": {
            "pdf": _asset("pdf", files.pdf, f"{short}_{title}.pdf", ".pdf"),
            "source_md": _asset("md", files.source.sha256 if files.source else None, "source.md"),
            "translated_md": [
                {"lang": lang, **_asset(f"md_translate/{lang}", text.sha256, f"translated/{lang}.md")}
                for lang, text in translated
            ],
            "summary": {"static_path": f"summary/{paper_id}.json", "zip_path": "summary.json"},
            "summary_templates": [
                {
                    "template_tag": template,
                    "static_path": f"summary/{paper_id}/{template}.json",
                    "zip_path": f"summaries/{template}.json",
                }
                for template in templates
            ],
        },
        "images": [_image(name, key) for name, key in files.images.items()],
        "conflicts": [],
    }


def _file_name(text: str) -> str:
    return _NAME_CHARS.sub("_", text).strip("_") or "unknown"


def _asset(folder: str, sha256: str | None, name: str, ending: str = ".md") -> dict[str, str | None]:
    if sha256 is None:
        return {"static_path": None, "zip_path": None, "sha256": None}
    return {"static_path": f"{folder}/{sha256}{ending}", "zip_path": name, "sha256": sha256}


def _image(name: str, key: str | None) -> dict[str, str | None]:
    return {
        "static_path": name,
        "zip_path": name,
        "sha256": Path(key).stem if key else None,
        "ext": Path(name).suffix.lower().removeprefix("."),
        "status": "available" if key else "missing",
    }
