"""The same paper from several inputs is one paper, and two papers stay two."""

import json
from pathlib import Path

import pytest

from papers.build.paper_keys import paper_id_of
from tests.papers.build.library import ATTENTION, LSTM, Built, build, write_lines, write_summaries

LSTM_BIB = """@article{hochreiter1997,
  author = {Hochreiter, Sepp and Schmidhuber, J{\\"u}rgen},
  title = {Long Short-Term Memory},
  journal = {Neural Computation},
  year = 1997
}
"""


def papers_of(tmp_path: Path, *papers: dict[str, object]) -> Built:
    """Each paper from a file of its own."""
    files = [write_lines(tmp_path / f"{number}.jsonl", paper) for number, paper in enumerate(papers)]
    return build(tmp_path / "out", *files)


def test_title_author_and_year_join_a_bib_entry_to_its_summary(tmp_path: Path) -> None:
    bib = tmp_path / "library.bib"
    bib.write_text(LSTM_BIB, encoding="utf-8")
    built = build(tmp_path / "out", write_lines(tmp_path / "a.jsonl", LSTM), bib)
    assert (built.report.read, built.report.merged, built.report.papers) == (2, 1, 1)
    doi_id = paper_id_of("doi:10.1162/neco.1997.9.8.1735")
    assert built.rows("SELECT paper_id, bibtex_key FROM paper_bibtex") == [(doi_id, "hochreiter1997")]
    types = built.column("SELECT paper_key_type FROM paper_key_alias ORDER BY rowid")
    assert types == ["doi", "bib", "meta"]


def test_the_first_input_counts_and_lists_are_joined(tmp_path: Path) -> None:
    one: dict[str, object] = {**LSTM, "keywords": ["Memory", "gradients"]}
    two: dict[str, object] = {**LSTM, "venue": "NC", "keywords": ["memory", "recurrence"], "tags": ["classic"]}
    built = papers_of(tmp_path, one, two)
    assert built.column("SELECT venue FROM paper") == ["Neural Computation"]
    assert built.column("SELECT value FROM keyword ORDER BY keyword_id") == ["memory", "gradients", "recurrence"]
    assert built.column("SELECT value FROM tag") == ["classic"]


def test_an_entry_with_two_keys_joins_the_papers_that_had_one_each(tmp_path: Path) -> None:
    doi, arxiv = "10.1000/published", "1706.03762"
    built = papers_of(
        tmp_path,
        {"title": "A Title", "authors": ["A. One"], "doi": doi},
        {"title": "A Title (preprint)", "authors": ["A. One"], "arxiv_id": arxiv},
        {"title": "A Title", "authors": ["A. One"], "doi": doi, "arxiv_id": arxiv},
    )
    assert built.column("SELECT paper_key FROM paper") == [f"doi:{doi}"]
    assert built.report.merged == 2


def test_a_preprints_doi_does_not_keep_it_apart_from_the_published_paper(tmp_path: Path) -> None:
    built = papers_of(
        tmp_path,
        {"title": "A Title", "authors": ["A. One"], "doi": "10.48550/arXiv.1706.03762"},
        {"title": "A Title", "authors": ["A. One"], "doi": "10.1000/published", "arxiv_id": "1706.03762"},
    )
    assert built.rows("SELECT doi, paper_key FROM paper") == [("10.1000/published", "doi:10.1000/published")]


@pytest.mark.parametrize(
    "other",
    [
        {"title": "A Title", "authors": ["A. One"], "year": 2020, "doi": "10.1000/other"},
        {"title": "A Title", "authors": ["B. Two"], "year": 2020},
        {"title": "A Title", "authors": ["A. One"], "year": 2001},
        {"title": "Another Title", "authors": ["A. One"], "year": 2020},
        {"title": "A Title", "year": 2020},
    ],
)
def test_papers_that_differ_in_more_than_spelling_stay_apart(tmp_path: Path, other: dict[str, object]) -> None:
    one = {"title": "A Title", "authors": ["A. One"], "year": 2020, "doi": "10.1000/one"}
    assert papers_of(tmp_path, one, other).report.papers == 2


def test_a_doi_given_to_two_papers_identifies_only_the_first(tmp_path: Path) -> None:
    chapter: dict[str, object] = {"title": "On Whales", "authors": ["Ann Fin"], "doi": "10.1000/volume"}
    other: dict[str, object] = {"title": "Deep Sea Vents Explored", "authors": ["Bo Gill"], "doi": "10.1000/volume"}
    built = papers_of(tmp_path, chapter, other)
    assert built.rows("SELECT title, doi FROM paper ORDER BY rowid") == [
        ("On Whales", "10.1000/volume"),
        ("Deep Sea Vents Explored", None),
    ]
    assert built.report.notes == 1
    assert built.report.skipped == 0


def test_one_bib_key_in_two_libraries_may_mean_two_papers(tmp_path: Path) -> None:
    one: dict[str, object] = {"title": "On Whales", "authors": ["Ann Smith"], "bibkey": "smith2020"}
    other: dict[str, object] = {"title": "Vents", "authors": ["Bo Smith"], "bibkey": "smith2020"}
    built = papers_of(tmp_path, one, other)
    assert built.column("SELECT paper_key_type FROM paper ORDER BY rowid") == ["bib", "meta"]


def test_two_keys_of_one_library_are_two_papers_even_with_one_title(tmp_path: Path) -> None:
    preface = {"title": "Preface", "year": 2020, "venue": "Proceedings"}
    lines = write_lines(tmp_path / "a.jsonl", {**preface, "bibkey": "a"}, {**preface, "bibkey": "b"})
    assert build(tmp_path / "out", lines).report.papers == 2


def test_words_in_place_of_a_doi_do_not_join_papers(tmp_path: Path) -> None:
    built = papers_of(tmp_path, {"title": "One", "doi": "n/a"}, {"title": "Two", "doi": "n/a"})
    assert built.report.papers == 2


def test_a_rebuild_keeps_the_id_of_a_paper_that_got_a_stronger_key(tmp_path: Path) -> None:
    first = build(tmp_path / "one", write_lines(tmp_path / "a.jsonl", {**LSTM, "doi": ""}))
    second = build(tmp_path / "two", write_lines(tmp_path / "b.jsonl", LSTM), previous=tmp_path / "one")
    assert first.column("SELECT paper_id FROM paper") == second.column("SELECT paper_id FROM paper")
    assert second.column("SELECT paper_key_type FROM paper") == ["doi"]


def test_a_rebuild_keeps_what_the_earlier_one_knew_of_a_paper(tmp_path: Path) -> None:
    known = {**LSTM, "arxiv_id": "1706.99999", "bibkey": "lstm"}
    first = build(tmp_path / "one", write_lines(tmp_path / "a.jsonl", known))
    build(tmp_path / "two", write_lines(tmp_path / "b.jsonl", LSTM), previous=tmp_path / "one")
    only_arxiv = {"title": "LSTM", "authors": ["Someone Else"], "arxiv_id": "1706.99999"}
    third = build(tmp_path / "three", write_lines(tmp_path / "c.jsonl", only_arxiv), previous=tmp_path / "two")
    assert third.column("SELECT paper_id FROM paper") == first.column("SELECT paper_id FROM paper")


def test_a_bib_key_that_went_to_another_paper_does_not_lead_there_by_the_old_id(tmp_path: Path) -> None:
    build(tmp_path / "one", write_lines(tmp_path / "a.jsonl", {"title": "On Whales", "bibkey": "smith"}))
    second = build(
        tmp_path / "two",
        write_lines(tmp_path / "b.jsonl", {"title": "Vents", "bibkey": "smith"}),
        previous=tmp_path / "one",
    )
    assert second.column("SELECT paper_id FROM paper") != [paper_id_of("bib:smith")]


def test_co_occurrence_counts_papers_that_share_two_values(tmp_path: Path) -> None:
    built = build(
        tmp_path / "out",
        write_summaries(tmp_path / "a.json", ATTENTION, {**ATTENTION, "paper_title": "Two", "arxiv_id": ""}),
    )
    edges = built.rows(
        "SELECT e.paper_count FROM facet_edge e JOIN facet_node a ON a.node_id = node_id_a"
        " JOIN facet_node b ON b.node_id = node_id_b WHERE a.value = 'ashish vaswani' AND b.value = 'google brain'"
    )
    assert edges == [(2,)]
    assert built.rows("SELECT paper_count FROM author WHERE value = 'noam shazeer'") == [(2,)]
    assert built.rows("SELECT year, paper_count FROM year_count") == [("2017", 2)]


def test_a_paper_with_hundreds_of_authors_has_them_all_but_few_edges(tmp_path: Path) -> None:
    authors = [f"Author {number}" for number in range(500)]
    built = build(tmp_path / "out", write_lines(tmp_path / "a.jsonl", {"title": "Big", "authors": authors}))
    assert built.column("SELECT count(*) FROM paper_author") == [500]
    assert built.column("SELECT count(*) FROM facet_edge") == [50 * 49 // 2]
    (paper_id,) = built.column("SELECT paper_id FROM paper")
    assert built.json(f"summary/{paper_id}.json")["paper_authors"] == json.loads(json.dumps(authors))


def test_an_entry_that_names_two_papers_does_not_join_them(tmp_path: Path) -> None:
    built = papers_of(
        tmp_path,
        {"title": "First Work", "authors": ["Ann Lee"], "doi": "10.1000/one"},
        {"title": "Second Work", "authors": ["Bo Chen"], "doi": "10.1000/two", "arxiv_id": "2001.00001"},
        {"title": "First Work", "authors": ["Ann Lee", "Bo Chen"], "doi": "10.1000/one", "arxiv_id": "2001.00001"},
    )
    assert built.column("SELECT title FROM paper ORDER BY title") == ["First Work", "Second Work"]


def test_two_keys_of_one_bibliography_are_two_papers_even_with_one_author(tmp_path: Path) -> None:
    entry = "@article{%s, author={Doe, Jane}, title={The Same Title}, year=2020}\n"
    bib = tmp_path / "library.bib"
    bib.write_text(entry % "one" + entry % "two", encoding="utf-8")
    assert build(tmp_path / "out", bib).column("SELECT title FROM paper") == ["The Same Title"] * 2
