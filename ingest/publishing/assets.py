"""A paper's files in the asset folder: texts, PDFs and images under their hashes, and the documents about them."""

import hashlib
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

import orjson
from msgspec import Struct

from ingest.entries.entry import Summary
from ingest.entries.text import plain_text
from ingest.matching.records import Record
from papercore import limits
from papercore.snapshot.assets import (
    IMAGE_EXTENSIONS,
    image_key,
    manifest_key,
    pdf_key,
    preferred_summary_key,
    source_key,
    summary_key,
    translation_key,
)
from papercore.text import clean_text

# Captions and attributes are bounded: without an end they would be searched for from every start.
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_INLINE = re.compile(r"(!\[[^\]]{0,1000}\]\(\s*<?)([^)\s<>]+)")
_HTML = re.compile(r"(<img\b[^<>]{0,1000}?\bsrc\s*=\s*[\"'])([^\"']+)", re.IGNORECASE)
_NOT_A_FILE = re.compile(r"[a-z][a-z0-9+.-]*:|//|#", re.IGNORECASE)
_UNSAFE_IN_FILE_NAMES = re.compile(r"[^\w.-]+")
_NO_ASSET = {"static_path": None, "zip_path": None, "sha256": None}


class TextAsset(Struct, frozen=True):
    """A markdown text: the hash it is stored under, and its words for the full-text index."""

    sha256: str
    words: str


@dataclass
class PaperFiles:
    """`images` maps the name that a text uses to the image's key; to None where the file is missing.

    `has_markdown`: the source was written as such, so that the text of a PDF does not replace it.
    """

    source: TextAsset | None = None
    pdf: str | None = None
    translations: dict[str, TextAsset] = field(default_factory=dict)
    images: dict[str, str | None] = field(default_factory=dict)
    has_markdown: bool = field(default=False, compare=False)


class ImageFolders(Struct, frozen=True):
    """The folders in which a text's images are looked for; only files below `roots` are used."""

    folders: Sequence[Path]
    roots: Sequence[Path]

    def find(self, name: str) -> Path | None:
        """The file that a text calls by this name."""
        relative = unquote(name.split("?")[0].split("#")[0])
        for path in (folder / relative for folder in self.folders):
            if path.suffix.lower() in IMAGE_EXTENSIONS and "\0" not in str(path):
                real = path.resolve()
                inside = any(real.is_relative_to(root.resolve()) for root in self.roots)
                if inside and real.is_file() and real.stat().st_size <= limits.ASSET_BYTES:
                    return path
        return None


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

    def add_translation(self, files: PaperFiles, lang: str, path: Path, source: Path | None) -> None:
        """Images are looked for beside the translation, then beside the source."""
        markdown = self._markdown(files, path, [path.parent, *([source.parent] if source else [])])
        asset = files.translations[lang] = _text_asset(markdown)
        self._write(translation_key(lang, asset.sha256), markdown.encode())

    def add_pdf(self, files: PaperFiles, path: Path) -> None:
        with path.open("rb") as stream:
            files.pdf = hashlib.file_digest(stream, "sha256").hexdigest()
        target = self.root / pdf_key(files.pdf)
        if not target.exists():
            shutil.copyfile(path, target)

    def _markdown(self, files: PaperFiles, path: Path, image_folders: list[Path]) -> str:
        """The text with its images stored, and its links pointing to them."""
        if path.stat().st_size > limits.ASSET_BYTES:
            raise AssetError(f"larger than {limits.ASSET_BYTES:,} bytes")
        try:
            markdown = clean_text(path.read_text(encoding="utf-8-sig")) + "\n"
        except UnicodeDecodeError:
            raise AssetError("not UTF-8") from None
        folders = ImageFolders(image_folders, self._image_roots)
        return rewrite_images(markdown, lambda name: self._add_image(files, folders, name))

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


def _text_asset(markdown: str) -> TextAsset:
    return TextAsset(hashlib.sha256(markdown.encode()).hexdigest(), plain_text(markdown))


def rewrite_images(markdown: str, replace: Callable[[str], str]) -> str:
    """The text with each local image's target replaced; code blocks and remote images stay as they are."""

    def replaced(match: re.Match[str]) -> str:
        target = match[2]
        return match[1] + (target if _NOT_A_FILE.match(target) else replace(target))

    lines, fence = [], ""
    for line in markdown.split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and line.strip() == mark[1]:
            fence = ""
        lines.append(line if fence or mark else _HTML.sub(replaced, _INLINE.sub(replaced, line)))
    return "\n".join(lines)


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


def asset_keys(paper_id: str, record: Record, files: PaperFiles) -> set[str]:
    """The files of a paper in the asset folder, but for images, which papers share."""
    found = {preferred_summary_key(paper_id), manifest_key(paper_id)}
    found |= {summary_key(paper_id, summary.template) for summary in record.summaries}
    found |= {translation_key(lang, text.sha256) for lang, text in files.translations.items()}
    found |= {source_key(files.source.sha256)} if files.source else set()
    return found | ({pdf_key(files.pdf)} if files.pdf else set())


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
        **({"reading_editions": list(record.reading_editions)} if record.reading_editions else {}),
    }


def _asset(key: str, file_name: str, sha256: str) -> dict[str, str]:
    return {"static_path": key, "zip_path": file_name, "sha256": sha256}


def _file_name(text: str) -> str:
    return _UNSAFE_IN_FILE_NAMES.sub("_", text).strip("_") or "unknown"
