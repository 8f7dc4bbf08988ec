"""Facet values are counted, and values of the same paper are joined in a graph."""

from pathlib import Path

from tests.ingest.library import ATTENTION, build, write_lines, write_summaries


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
    assert built.json(f"summary/{paper_id}.json")["paper_authors"] == authors
