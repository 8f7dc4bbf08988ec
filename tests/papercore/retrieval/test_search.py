"""Searching the small collection: words, phrases, fields, filters, facets, order, CJK, accents."""

from itertools import combinations
from pathlib import Path

import pytest

from papercore.retrieval import DocumentNotFound, Filters, Index, Request
from tests.papercore.retrieval.collection import PAPERS, build, found, ids, paper


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("attention", "attention"),
        ("self-attention transformers", "attention"),
        ("Jürgen", "lstm"),
        ("Jurgen Schmidhuber", "lstm"),
        ("JÜRGEN", "lstm"),
        ("Ju\u0308rgen", "lstm"),
        ('"vegetable soup"', "soup"),
        ("author:hochreiter", "lstm"),
        ('author:"ada smith" airbags', "cars"),
        ("title:residual", "resnet"),
        ("venue:cvpr", "resnet"),
        ("10.1162/neco.1997.9.8.1735", "lstm"),
        ("https://doi.org/10.1162/NECO.1997.9.8.1735", "lstm"),
        ("arXiv:1706.03762", "attention"),
        ("1706.03762v2", "attention"),
        ("深度学习", "chinese"),
        ("图像识别", "chinese"),
        ("学", "chinese"),
        ("习", "chinese"),
        ("bert", "chinese"),
        ("BERT模型", "chinese"),
        ("王小明", "chinese"),
        ("zucchini", "soup"),
        ("trans* attention", "attention"),
        ("The Who", "who"),
        ("networks year:1990..1999", "lstm"),
        ("seat belts AND airbags", "cars"),
    ],
)
def test_the_right_paper_is_first(index: Index, text: str, first: str) -> None:
    assert found(index, text)[:1] == [first]


def test_a_phrase_needs_its_words_side_by_side(index: Index) -> None:
    assert found(index, '"soup vegetable"') == []
    assert found(index, "soup vegetable")[:1] == ["soup"]


def test_stop_words_inside_a_phrase_keep_their_place(index: Index) -> None:
    assert found(index, '"end of cooking"') == ["soup"]
    assert found(index, '"end cooking"') == []


def test_excluded_words_are_not_found(index: Index) -> None:
    assert "lstm" in found(index, "networks")
    assert "lstm" not in found(index, "networks -recurrent")
    assert "lstm" not in found(index, "networks NOT author:hochreiter")


def test_only_exclusions_leave_everything_else(index: Index) -> None:
    assert set(found(index, "-networks")) == {"cars", "soup", "chinese", "who"}


def test_an_empty_query_lists_everything(index: Index) -> None:
    results = index.search(Request("", sort="year"))
    assert results.total == len(PAPERS)
    assert ids(results)[:2] == ["soup", "chinese"]


def test_a_hit_by_meaning_shares_no_word_and_shows_its_best_sentence(index: Index) -> None:
    results = index.search(Request("motor accident", mode="meaning"))
    hit = results.hits[0]
    assert hit.id == "cars"
    assert hit.matched[-1] == "meaning"
    assert hit.snippet in PAPERS[3].text


def test_hybrid_finds_what_words_alone_do_not(index: Index) -> None:
    assert found(index, "motor accident", mode="words") == []
    assert found(index, "motor accident", mode="hybrid")[0] == "cars"


def test_a_known_title_is_looked_up_by_words(index: Index) -> None:
    results = index.search(Request("attention is all you need"))
    assert results.mode == "words"
    assert ids(results)[0] == "attention"


def test_snippets_mark_the_sought_words(index: Index) -> None:
    hit = index.search(Request("airbag")).hits[0]
    assert "[[[airbags]]]" in hit.snippet
    assert hit.matched == ("text",)


def test_a_hit_says_where_it_matched(index: Index) -> None:
    hit = index.search(Request("smith soup zucchini", mode="words")).hits[0]
    assert hit.matched == ("title", "author", "body")
    assert hit.payload == b"soup"


def test_chinese_snippets_mark_the_run(index: Index) -> None:
    hit = index.search(Request("深度学习")).hits[0]
    assert "[[[深度学习]]]" in hit.snippet


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(values=(("author", "ADA SMITH"),)), {"cars", "soup"}),
        (Filters(values=(("author", "jurgen schmidhuber"),)), {"lstm"}),
        (Filters(values=(("author", "Ada Smith"), ("venue", "kitchen notes"))), {"soup"}),
        (Filters(year_from=2019), {"cars", "soup", "chinese"}),
        (Filters(year_to=2016), {"lstm", "resnet"}),
        (Filters(year_from=2016, year_to=2017), {"attention", "resnet"}),
        (Filters(values=(("author", "nobody"),)), set()),
        (Filters(values=(("author", "smith"),)), {"cars", "soup"}),
        (Filters(values=(("venue", "notes"),)), {"soup"}),
        (Filters(year_from=2019, without=(("author", "ada smith"),)), {"chinese"}),
    ],
)
def test_filters_keep_what_they_name(index: Index, filters: Filters, expected: set[str]) -> None:
    assert set(found(index, "", filters=filters)) == expected


def test_facets_count_over_all_hits_not_over_the_page(index: Index) -> None:
    results = index.search(Request("", limit=1, facets=("author", "year")))
    counts = {count.value: count.count for count in results.facets["author"]}
    assert counts["Ada Smith"] == 2
    assert results.facets["author"][0].value == "Ada Smith"
    assert {count.value for count in results.facets["year"]} == {str(paper.year) for paper in PAPERS if paper.year}


def test_a_facet_that_the_index_does_not_have_counts_nothing_and_keeps_nothing(index: Index) -> None:
    assert index.search(Request("soup", facets=("colour",))).facets == {"colour": ()}
    assert found(index, "soup", filters=Filters(values=(("colour", "red"),))) == []


def test_hits_can_be_sorted_by_year_and_title(index: Index) -> None:
    by_year = found(index, "networks recurrent", sort="year", mode="words")
    assert by_year == ["attention", "resnet", "lstm", "undated"]
    assert found(index, "networks recurrent", sort="oldest", mode="words") == by_year[2::-1] + by_year[3:]
    by_title = found(index, "", sort="title")
    assert by_title[:3] == ["attention", "cars", "resnet"]


def test_an_unfinished_word_is_completed(index: Index) -> None:
    assert found(index, "schmidhu*")[:1] == ["lstm"]
    assert found(index, "recogn*", mode="words") == ["resnet"]
    assert index.search(Request("schmidhu", mode="words", as_typed=True)).hits == ()


def test_similar_papers_do_not_include_the_paper_itself(index: Index) -> None:
    similar = [hit.id for hit in index.similar("lstm", 3)]
    assert "lstm" not in similar
    assert similar[0] in {"attention", "resnet", "undated"}


def test_similar_to_an_unknown_document_is_said_so(index: Index) -> None:
    with pytest.raises(DocumentNotFound):
        index.similar("nothing", 3)


def test_suggestions_complete_titles_and_values(index: Index) -> None:
    suggested = index.suggest("ju", ("title", "author", "venue", "keyword"), 5)
    assert [(item.kind, item.value) for item in suggested] == [("author", "Jürgen Schmidhuber")]
    assert [item.value for item in index.suggest("ada", ("author",), 5)] == ["Ada Smith"]
    assert index.suggest("ada", ("author",), 5)[0].count == 2
    assert [item.value for item in index.suggest("long sho", ("title",), 5)] == ["Long Short-Term Memory"]
    assert [item.value for item in index.suggest("计算", ("venue",), 5)] == ["计算机学报"]
    assert index.suggest("", ("title",), 5) == []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ('title:"deep residual"', "resnet"),
        ("title:resid*", "resnet"),
        ("author:hochr*", "lstm"),
        ("zucchini OR airbags", "soup"),
        ("title:the", "who"),
    ],
)
def test_fields_take_phrases_and_beginnings_too(index: Index, text: str, first: str) -> None:
    assert first in found(index, text)


@pytest.mark.parametrize("text", ["-attention", "NOT attention", "networks -attention"])
def test_what_is_excluded_is_not_found(index: Index, text: str) -> None:
    assert "attention" not in found(index, text)


def test_the_only_paper_with_all_words_is_first_however_long_its_text_is(tmp_path: Path) -> None:
    words = ("sediment", "estuary", "dredging", "turbidity", "salinity")
    abstracts = [
        paper(f"short{number}", f"Field notes {number}", f"We study {first} and {second} and little else.")
        for number, (first, second) in enumerate(combinations(words, 2))
    ]
    others = [paper(f"other{number}", f"On topic{number}", f"All about topic{number}.") for number in range(300)]
    filler = " ".join(f"word{number % 5000}" for number in range(35_000))
    long = paper("long", "A handbook of the coast", body=f"{filler} {' '.join(words)} {filler}")
    index = build(tmp_path, [*abstracts, *others, long])
    assert found(index, "turbidity sediment dredging salinity estuary")[0] == "long"
