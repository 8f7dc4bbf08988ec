"""Two texts side by side: what says the same stands in one row, whatever was left out, joined or split."""

import random
import time
from itertools import chain

import pytest

from papers.texts.side_by_side import ALIGNED_BLOCKS, AlignedRow, BlockTraits, align, block_traits, joined, rows
from tests.papers.texts.judged_translations import (
    JUDGED,
    WHOLE,
    all_traits,
    changed,
    right_share,
    shortened,
    source_of,
    whole,
)


def heading(*marks: str) -> BlockTraits:
    return BlockTraits("heading", 20, frozenset(marks))


def paragraph(length: int, *marks: str) -> BlockTraits:
    return BlockTraits("text", length, frozenset(marks))


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_translation_stands_beside_its_source_paragraph_by_paragraph(name: str) -> None:
    assert right_share(whole(name), align(all_traits(source_of(name)), all_traits(whole(name).blocks))) == 1


@pytest.mark.parametrize("change", ["removed", "joined", "split"])
def test_paragraphs_that_were_removed_joined_or_split_do_not_shift_the_others(change: str) -> None:
    shares = []
    for name in WHOLE:
        text = changed(whole(name), change, random.Random(7))
        shares.append(right_share(text, align(all_traits(source_of(name)), all_traits(text.blocks))))
    assert sum(shares) / len(shares) > 0.96


def test_shortened_translations_stand_beside_what_they_retell() -> None:
    texts = {name: shortened(name) for name in JUDGED}
    shares = [
        right_share(text, align(all_traits(source_of(name)), all_traits(text.blocks)), exactly=False)
        for name, text in texts.items()
    ]
    assert sum(shares) / len(shares) > 0.85


def test_a_chinese_section_stands_beside_the_section_with_its_formula_and_not_with_its_number() -> None:
    name = "vaswani-2017-attention.zh"
    source, translation = source_of(name), shortened(name).blocks
    found = rows(tuple(source), tuple(translation))
    section = next(row for row in found if "3 多头注意力" in row.right.html)
    assert "3.2 Multi-head attention" in section.left.html


def test_numbers_names_formulas_and_pictures_are_the_same_in_every_language() -> None:
    english = block_traits("<p>Adam took 1.039 s, see <math><mi>x</mi><mo>=</mo><mn>1</mn></math>.</p>")
    german = block_traits("<p>Adam brauchte 1,039 s, siehe <math><mi>x</mi><mo>=</mo><mn>1</mn><mo>,</mo></math></p>")
    assert english.marks & german.marks == {"adam", "1039", "=x=1"}
    assert block_traits('<p><img src="/pictures/a.png" alt="A"></p>').marks == {"/pictures/a.png"}


def test_a_chinese_character_counts_as_three_letters() -> None:
    assert block_traits("<p>注意力</p>").length == block_traits("<p>attention</p>").length


def test_a_paragraph_without_counterpart_joins_its_section_and_a_section_without_one_stays_alone() -> None:
    left = [heading("a"), paragraph(300, "b"), paragraph(50), heading("c"), paragraph(90), heading("d")]
    right = [heading("a"), paragraph(310, "b"), heading("d")]
    assert joined(align(left, right), left, right) == [
        AlignedRow(range(1), range(1)),
        AlignedRow(range(1, 3), range(1, 2)),
        AlignedRow(range(3, 5), range(2, 2)),
        AlignedRow(range(5, 6), range(2, 3)),
    ]


@pytest.mark.parametrize("counts", [(0, 0), (0, 3), (3, 0), (1, 1), (40, 7)])
def test_every_block_is_shown_once_and_in_order(counts: tuple[int, int]) -> None:
    chance = random.Random(sum(counts))
    kinds = ["heading", "text", "text", "formula", "table"]
    left, right = [
        [
            BlockTraits(chance.choice(kinds), chance.randrange(400), frozenset(chance.choices("abcdef", k=2)))
            for _ in range(n)
        ]
        for n in counts
    ]
    for found in (align(left, right), joined(align(left, right), left, right)):
        assert list(chain.from_iterable(row.left for row in found)) == list(range(len(left)))
        assert list(chain.from_iterable(row.right for row in found)) == list(range(len(right)))
        assert all(row.left or row.right for row in found)


def test_texts_of_more_blocks_than_are_compared_end_in_one_row() -> None:
    blocks = tuple(f"<p>{number} words</p>" for number in range(ALIGNED_BLOCKS + 20))
    began = time.process_time()
    found = rows(blocks, blocks)
    assert time.process_time() - began < 5
    assert found[-1].left.html == "".join(blocks[-20:]) == found[-1].right.html
