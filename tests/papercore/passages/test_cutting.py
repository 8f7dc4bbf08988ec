"""Texts are cut along their structure into passages that keep their numbers and checks."""

import pytest

from papercore.passages import cut
from papercore.passages.cutting import PASSAGE_CHARS, WHOLE_BLOCK_CHARS
from tests.growth import grows_too_fast

PAPER = """\
# A Paper

*Ada Ames et al. A journal.*

## 1 Method

We measure e.g. the weight of cats. It is 4.2 kg on average (cf. Fig. 2). Dogs differ. Dogs are heavier, i.e. 20 kg.

- First item. With two sentences.
- Second item

| a | b |
|---|---|
| 1 | 2 |

Figure 2: Weights. Error bars show one deviation. There are many. Indeed many.

$$
x = 1

y = 2
$$

```python
# not a heading

print("a")
```

### 1.1 Data

From everywhere.

Results
-------

猫的平均体重是四公斤。狗更重！为什么？不知道。
"""


def quotes(text: str) -> list[str]:
    found = cut(text)
    return [found.quote(passage) for passage in found.passages]


def test_blocks_stay_whole_and_paragraphs_are_cut_between_sentences() -> None:
    assert quotes(PAPER) == [
        "*Ada Ames et al. A journal.*",
        "We measure e.g. the weight of cats. It is 4.2 kg on average (cf. Fig. 2).",
        "Dogs differ. Dogs are heavier, i.e. 20 kg.",
        "- First item. With two sentences.",
        "- Second item",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "Figure 2: Weights. Error bars show one deviation. There are many. Indeed many.",
        "$$\nx = 1\n\ny = 2\n$$",
        '```python\n# not a heading\n\nprint("a")\n```',
        "From everywhere.",
        "猫的平均体重是四公斤。狗更重！",
        "为什么？不知道。",
    ]


def test_sections_have_paths_and_hold_those_below_them() -> None:
    found = cut(PAPER)
    assert [section.path for section in found.sections[1:]] == [
        ("A Paper",),
        ("A Paper", "1 Method"),
        ("A Paper", "1 Method", "1.1 Data"),
        ("A Paper", "Results"),
    ]
    assert [found.quote(passage) for passage in found.within(found.sections[4])] == quotes(PAPER)[-2:]
    assert len(found.within(found.sections[2])) == 9


def test_passages_of_one_block_share_its_number_and_line() -> None:
    second, third = cut(PAPER).passages[1:3]
    assert (second.number, third.number) == (2, 3)
    assert (second.block, third.block) == (2, 2)
    assert second.line == third.line == PAPER.splitlines().index("## 1 Method") + 2


def test_a_passage_is_found_by_number_and_check_also_after_the_text_changed() -> None:
    found = cut(PAPER)
    passage = found.passages[9]
    check = found.check(passage)
    assert found.find(10, check) == passage
    longer = cut(PAPER.replace("## 1 Method", "One.\n\nTwo.\n\n## 1 Method"))
    moved = longer.find(10, check)
    assert moved is not None
    assert (moved.number, longer.quote(moved)) == (12, "From everywhere.")
    assert cut("Something else.").find(1, check) is None
    assert found.find(0) is None
    assert found.find(13) is None


def test_equal_passages_are_told_apart_by_their_number() -> None:
    twice = cut("Yes.\n\nNo.\n\nYes.")
    assert twice.check(twice.passages[0]) == twice.check(twice.passages[2])
    assert twice.find(3, twice.check(twice.passages[0])) == twice.passages[2]


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("One.\n\n<!-- page 2 -->\n\nTwo.\n\n<!-- Page: 7 -->\nSeven.", [None, 2, 7]),
        ("One.\n\n\fTwo.\n\n\f\n\nThree.", [None, 2, 3]),
        ("One.\n\nTwo.", [None, None]),
    ],
)
def test_pages_are_known_where_the_text_tells_them(text: str, pages: list[int | None]) -> None:
    assert [passage.page for passage in cut(text).passages] == pages


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_all_line_ends_are_understood(end: str) -> None:
    assert quotes(f"# A{end}{end}One.{end}Two.{end}{end}Three.") == [f"One.{end}Two.", "Three."]


def test_no_passage_is_longer_than_its_limit() -> None:
    text = "word " * 1_000 + "\n\n" + "| a | b |\n" * 2_000 + "\n" + "x" * 10_000 + ". " + "Sentences of words. " * 500
    found = cut(text)
    assert max(p.end - p.start for p in found.passages if p.kind == "text") <= PASSAGE_CHARS
    assert max(p.end - p.start for p in found.passages) <= WHOLE_BLOCK_CHARS
    kept = "".join("".join(found.quote(passage).split()) for passage in found.passages)
    assert kept == "".join(text.split())


@pytest.mark.parametrize("text", ["", " \n", "#", "$$", "```", "---", "<!-- -->", "|", "- ", "\x00", "[](", "\\["])
def test_any_text_can_be_cut(text: str) -> None:
    assert len(cut(text).passages) <= 1


PARTS = [
    "$$\n",
    "```\n",
    "````\n```\n",
    "# a\n",
    "- a\n",
    "| a\n",
    "A. ",
    "。",
    "<!-- ",
    "a\n===\n",
    "[a](b",
    "\\[\n",
    "- ",
]


@pytest.mark.parametrize("part", PARTS)
def test_texts_are_cut_in_linear_time(part: str) -> None:
    assert not grows_too_fast(cut.__wrapped__, lambda size: part * size, 2_000)
