"""All hostile files by name. `python -m tests.hostile.corpus FOLDER` writes them."""

import sys
from pathlib import Path

from tests.hostile import binaries, texts

CORPUS = {
    **texts.bib(),
    **texts.tagged(),
    **texts.structured(),
    **binaries.archives(),
    **binaries.pdfs(),
    **binaries.zotero(),
    **binaries.pictures(),
    **binaries.drafts(),
}


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in CORPUS.items():
        (folder / name.replace(": ", "-")).write_bytes(make())
    print(f"{len(CORPUS)} files in {folder}")


if __name__ == "__main__":
    main()
