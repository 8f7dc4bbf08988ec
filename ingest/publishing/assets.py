"""Writes the asset folder: texts, PDFs and images under their hashes, summaries and manifests by paper."""

import hashlib
import shutil
from pathlib import Path

import orjson

from ingest.entries.entry import Summary
from ingest.entries.text import plain_text
from ingest.input_files import Translation
from ingest.matching.records import Record
from ingest.publishing.documents import manifest
from ingest.publishing.images import ImageFolders, rewrite_images
from ingest.publishing.paper_files import PaperFiles, TextAsset
from papercore import limits
from papercore.snapshot.layout import (
    image_key,
    manifest_key,
    pdf_key,
    preferred_summary_key,
    source_key,
    summary_key,
    translation_key,
)
from papercore.text import clean_text


class AssetError(ValueError):
    """One file cannot be used; the message says why."""


class AssetWriter:
    def __init__(self, root: Path, image_roots: list[Path]) -> None:
        self.root = root
        self._image_roots = image_roots
        self._image_keys: dict[Path, str] = {}
        for name in ("summary", "manifest", "md", "md_translate", "pdf", "images"):
            (root / name).mkdir(parents=True)

    def add_source(self, files: PaperFiles, path: Path) -> None:
        markdown = self._markdown(files, path, [path.parent])
        files.source = _text_asset(markdown)
        self._write(source_key(files.source.sha256), markdown.encode())

    def add_translation(self, files: PaperFiles, translation: Translation, source: Path | None) -> None:
        """Images are looked for beside the translation, then beside the source."""
        folders = [translation.path.parent, *([source.parent] if source else [])]
        markdown = self._markdown(files, translation.path, folders)
        asset = files.translations[translation.lang] = _text_asset(markdown)
        self._write(translation_key(translation.lang, asset.sha256), markdown.encode())

    def add_pdf(self, files: PaperFiles, path: Path) -> None:
        with path.open("rb") as stream:
            files.pdf = hashlib.file_digest(stream, "sha256").hexdigest()
        target = self.root / pdf_key(files.pdf)
        if not target.exists():
            shutil.copyfile(path, target)

    def _markdown(self, files: PaperFiles, path: Path, image_folders: list[Path]) -> str:
        """The text with its images stored, and its links pointing to them."""
        folders = ImageFolders(image_folders, self._image_roots)
        return rewrite_images(_read_text(path), lambda name: self._add_image(files, folders, name))

    def _add_image(self, files: PaperFiles, folders: ImageFolders, name: str) -> str:
        path = folders.find(name)
        if path is None:
            files.images[name] = None
            return name
        if path not in self._image_keys:
            content = path.read_bytes()
            key = image_key(hashlib.sha256(content).hexdigest() + path.suffix.lower())
            self._write(key, content)
            self._image_keys[path] = key
        key = self._image_keys[path]
        files.images[key] = key
        return key

    def _write(self, key: str, content: bytes) -> None:
        target = self.root / key
        if key.count("/") > 1:
            target.parent.mkdir(exist_ok=True)
        target.write_bytes(content)


def write_documents(root: Path, paper_id: str, record: Record, files: PaperFiles) -> None:
    """The manifest, the preferred summary, and one file for each template."""
    by_template = {summary.template: summary for summary in record.summaries}
    none = Summary(template=record.preferred_template, text="")
    preferred = _summary(paper_id, record, by_template.get(record.preferred_template, none))
    documents = {
        preferred_summary_key(paper_id): {**preferred, "available_templates": sorted(by_template)},
        manifest_key(paper_id): manifest(paper_id, record, files),
    }
    for summary in record.summaries:
        documents[summary_key(paper_id, summary.template)] = _summary(paper_id, record, summary)
    if record.summaries:
        (root / summary_key(paper_id, "")).parent.mkdir(exist_ok=True)
    for key, document in documents.items():
        # Joined as text: with hundreds of thousands of files, building a Path costs as much as writing.
        with open(f"{root}/{key}", "wb") as file:  # noqa: PTH123
            file.write(orjson.dumps(document, option=orjson.OPT_INDENT_2))


def _read_text(path: Path) -> str:
    if path.stat().st_size > limits.ASSET_BYTES:
        raise AssetError(f"larger than {limits.ASSET_BYTES:,} bytes")
    try:
        return clean_text(path.read_text(encoding="utf-8-sig")) + "\n"
    except UnicodeDecodeError:
        raise AssetError("not UTF-8") from None


def _text_asset(markdown: str) -> TextAsset:
    return TextAsset(hashlib.sha256(markdown.encode()).hexdigest(), plain_text(markdown))


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
