"""The same paper from several inputs is one paper, and two papers stay two."""

from pathlib import Path

import pytest

from ingest.matching.identity import paper_id_of
from tests.ingest.library import LSTM, Built, build, write_lines

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
    assert built.column("SELECT paper_key_type FROM paper ORDER BY 1") == ["bib", "meta"]


def test_two_keys_of_one_library_are_two_papers_even_with_one_title(tmp_path: Path) -> None:
    preface = {"title": "Preface", "year": 2020, "venue": "Proceedings"}
    lines = write_lines(tmp_path / "a.jsonl", {**preface, "bibkey": "a"}, {**preface, "bibkey": "b"})
    assert build(tmp_path / "out", lines).report.papers == 2


def test_words_in_place_of_a_doi_do_not_join_papers(tmp_path: Path) -> None:
    built = papers_of(tmp_path, {"title": "One", "doi": "n/a"}, {"title": "Two", "doi": "n/a"})
    assert built.report.papers == 2


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
