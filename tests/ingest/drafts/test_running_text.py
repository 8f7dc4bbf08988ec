"""Drafts in Markdown and plain text: pandoc's citations, numbers, authors with years."""

from pathlib import Path

import pytest

from ingest.drafts.manuscript import Manuscript
from ingest.drafts.reading import UnreadableDraft, read_draft

MARKDOWN = """\
---
title: "A draft @nobody"
---

# Memory

Gates keep *errors* from vanishing [see @lstm, pp. 3-4; @gru]. As @vaswani2017 say, "attention is all
you need" [@vaswani2017]. See @fig:one and mail me@example.org.

```python
x = "[@code]"
```

<!-- [@hidden] -->
Last words [-@lstm].
"""
NUMBERED = """\
Gates keep errors from vanishing [1, 3-4]. Attention needs none [2], as in May 2020.

References

[1] S. Hochreiter and J. Schmidhuber. Long short-term memory. Neural Computation, 1997.

[2] A. Vaswani et al. Attention is all you need. NeurIPS, 2017.

[3] K. Cho et al. Learning phrase representations. EMNLP, 2014.
"""
DATED = """\
Gates keep errors from vanishing (Hochreiter and Schmidhuber, 1997). Vaswani et al. (2017) need none.

# References

Hochreiter, S. and Schmidhuber, J. (1997). Long short-term memory. Neural Computation.

Vaswani, A. et al. (2017). Attention is all you need. NeurIPS.
"""


def read(tmp_path: Path, name: str, text: str) -> Manuscript:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read_draft(tmp_path / name)


def test_pandoc_citations_count_and_code_comments_and_cross_references_do_not(tmp_path: Path) -> None:
    draft = read(tmp_path, "draft.md", MARKDOWN)
    assert [(item.claim, item.keys, item.place) for item in draft.sentences] == [
        ("Memory", (), 5),
        ("Gates keep errors from vanishing.", ("lstm", "gru"), 7),
        ('As say, "attention is all you need".', ("vaswani2017",), 7),
        ("See @fig:one and mail me@example.org.", (), 8),
        ("Last words.", ("lstm",), 15),
    ]
    assert [item.quote for item in draft.quotes] == ["attention is all you need"]


@pytest.mark.parametrize(
    "named", ["bibliography: refs.bib", 'bibliography: ["refs.bib"]', "bibliography:\n  - refs.bib\nlang: en"]
)
def test_a_draft_in_markdown_names_its_bibliography_as_pandoc_reads_it(tmp_path: Path, named: str) -> None:
    assert read(tmp_path, "draft.md", f"---\ntitle: A\n{named}\n---\nWords.\n").bibliographies == ("refs.bib",)


def test_numbers_mean_what_the_list_of_references_says(tmp_path: Path) -> None:
    draft = read(tmp_path, "draft.txt", NUMBERED)
    assert [item.keys for item in draft.sentences] == [("1", "3", "4"), ("2",)]
    assert draft.references["2"].startswith("A. Vaswani")


def test_authors_with_years_are_found_in_the_list_of_references(tmp_path: Path) -> None:
    assert [item.keys for item in read(tmp_path, "draft.txt", DATED).sentences] == [("1",), ("2",)]


def test_numbers_without_a_list_cite_nothing(tmp_path: Path) -> None:
    assert not any(item.keys for item in read(tmp_path, "draft.txt", "An interval [1, 3] it is.").sentences)


@pytest.mark.parametrize("name", ["draft.odt", "draft", "draft.tex.gz"])
def test_other_kinds_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnreadableDraft, match=r"only \.bib, \.tex, \.md, \.txt, \.docx, \.pdf can be checked"):
        read_draft(tmp_path / name)


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDraft, match=r"draft\.md cannot be read: "):
        read_draft(tmp_path / "draft.md")


def test_code_formulas_and_intervals_cite_nothing(tmp_path: Path) -> None:
    text = "Write `[@incode]` for it, with $x_{@foo}$ [@real]; it costs $5 and $10 [@lstm].\n"
    assert [item.keys for item in read(tmp_path, "draft.md", text).sentences] == [("real", "lstm")]
    interval = NUMBERED.replace("[2], as", "[2] in [0, 1], as")
    assert [item.keys for item in read(tmp_path, "draft.txt", interval).sentences] == [("1", "3", "4"), ("2",)]


def test_a_quoted_block_is_read_without_its_signs(tmp_path: Path) -> None:
    text = '> "Gates keep errors\n> from vanishing" [@lstm]\n\nIt does.\n'
    draft = read(tmp_path, "draft.md", text)
    assert [(item.claim, item.place) for item in draft.sentences] == [
        ('"Gates keep errors from vanishing"', 1),
        ("It does.", 4),
    ]
    assert [item.quote for item in draft.quotes] == ["Gates keep errors from vanishing"]
