"""The names of the snapshot format: its files beside each other, and the keys of a paper's assets."""

from pathlib import Path

DATABASE = "paper_snapshot.db"
ASSETS = "static"
INDEX = "index"
# What the text of a paper begins with that was read from pictures of its pages.
OCR_MARK = "<!-- read by OCR -->"
IMAGE_EXTENSIONS = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif"})


def database_in(path: Path) -> Path:
    """The database of a snapshot that is given by its folder or by the file itself."""
    return path / DATABASE if path.is_dir() else path


def assets_beside(database: Path) -> Path:
    return database.parent / ASSETS


def index_beside(database: Path) -> Path:
    return database.parent / INDEX


def preferred_summary_key(paper_id: str) -> str:
    """Every paper has this one; without any summary it holds the bare metadata."""
    return f"summary/{paper_id}.json"


def summary_key(paper_id: str, template: str) -> str:
    return f"summary/{paper_id}/{template}.json"


def manifest_key(paper_id: str) -> str:
    return f"manifest/{paper_id}.json"


def source_key(sha256: str) -> str:
    return f"md/{sha256}.md"


def translation_key(lang: str, sha256: str) -> str:
    return f"md_translate/{lang}/{sha256}.md"


def pdf_key(sha256: str) -> str:
    return f"pdf/{sha256}.pdf"


def image_key(name: str) -> str:
    """An image's name is the hash of its content with the file's extension."""
    return f"images/{name}"
