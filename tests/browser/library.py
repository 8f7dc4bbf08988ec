"""A small library with everything that a page can show, and one in which every field is hostile."""

import base64
import json
import sqlite3
from dataclasses import replace
from pathlib import Path

from ingest.entries.report import NoProgress
from papercore.snapshot.assets import FolderStore
from papers.library import index_build
from tests import snapshot as sample
from tests.snapshot import PAPERS, SamplePaper

PICTURE = "a" * 64 + ".png"
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj "
PDF += b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"

RICH = f"""# A text with everything

A formula $E = mc^2$ in a line, and one by itself:

$$\\begin{{aligned}} a &= b \\\\ c &= \\frac{{1}}{{\\sqrt{{d}}}} \\end{{aligned}}$$

## A table

| layer | cost |
|-------|-----:|
| one   | $O(n^2)$ |

|       | $d_k$ |
|-------|------:|
| first |    64 |

## Code and a diagram

```python
def attention(q, k, v):
    return softmax(q @ k.T) @ v
```

```mermaid
graph LR
  A[Query] --> B[Scores]
```

## A picture

![A black dot](images/{PICTURE})

A note.[^1]

[^1]: It is small.
"""
SECTIONS = "\n\n".join(f"## Section {n}\n\n" + "Each paragraph says one thing. " * 30 for n in range(1, 9))
MANY = [
    SamplePaper(
        f"many-{n}",
        f"Paper {n} on networks that learn",
        ["Ada Lovelace", f"Author {n}"],
        year=str(1990 + n),
        venue="Proceedings of Many",
        keywords=["networks", f"topic {n % 4}"],
        summaries={"simple": f"Networks learn, says paper {n}."},
    )
    for n in range(30)
]
FULL = replace(
    PAPERS[0], source=RICH + SECTIONS, translations={"de": RICH + SECTIONS, "zh": "# 注意力\n\n注意力机制。"}
)

HOSTILE = (
    '"><script>window.hacked=1</script>'
    "<img src=x onerror=window.hacked=1>"
    "<svg onload=window.hacked=1></svg>"
    "</title></textarea></style><style>body{display:none}</style>"
    "{{7*7}}${7*7}"
    "\u202etxet desrever\u2066"
    "javascript:window.hacked=1"
)
HOSTILE_TEXT = (
    HOSTILE
    + "\n\n[link](javascript:window.hacked=1) ![x](https://outside.example/x.png) <iframe src=//outside.example>"
    + "\n\n$\\href{javascript:window.hacked=1}{x}\\text{</math><img src=x onerror=window.hacked=1>}$"
    + "\n\n```mermaid\n%%{init: {'securityLevel':'loose','theme':'base'}}%%\ngraph TD\n"
    + "A[\"<img src=x onerror='parent.hacked=1;top.hacked=1'>\"] --> B\nclick A call alert()\n"
    + 'click B "javascript:parent.hacked=1"\n```\n\n'
    + "<table><tr><td onclick=window.hacked=1 style=position:fixed;inset:0>x</td></tr></table>\n\n"
    + "x" * 2_000
)


def build(folder: Path) -> Path:
    database = sample.build(folder, [FULL, *PAPERS[1:], *MANY])
    _add_files(database, FULL.paper_id)
    index_build.build(database, FolderStore(str(folder / "static")), NoProgress())
    return database


def build_hostile(folder: Path) -> Path:
    papers = [
        SamplePaper(
            f"bad-{n}",
            HOSTILE + str(n),
            [HOSTILE + str(n)],
            venue=HOSTILE,
            keywords=[HOSTILE],
            tags=[HOSTILE],
            institutions=[HOSTILE],
            doi=f"10.1/{HOSTILE}{n}",
            summaries={"simple": HOSTILE_TEXT},
            source=HOSTILE_TEXT + str(n),
            translations={"de": HOSTILE_TEXT + str(n)},
            bibtex="@article{key," + HOSTILE.replace(",", "") + "}",
        )
        for n in range(3)
    ]
    database = sample.build(folder, papers)
    with sqlite3.connect(database) as rows:
        rows.execute("UPDATE paper SET provider = ?, model = ?, output_language = 'en'", (HOSTILE, HOSTILE))
    rows.close()
    _add_files(database, "bad-0")
    index_build.build(database, FolderStore(str(folder / "static")), NoProgress())
    return database


def _add_files(database: Path, paper_id: str) -> None:
    """A PDF and a picture, which the test snapshot's builder does not write."""
    static = database.parent / "static"
    for path, body in ((static / "pdf" / f"{'b' * 64}.pdf", PDF), (static / "images" / PICTURE, PNG)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    with sqlite3.connect(database) as rows:
        rows.execute("UPDATE paper SET pdf_content_hash = ? WHERE paper_id = ?", ("b" * 64, paper_id))
    rows.close()


def described(violations: list[dict[str, object]]) -> str:
    """What axe found, short enough to read."""
    short = [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in violations]  # type: ignore[attr-defined]
    return json.dumps(short, indent=1)
