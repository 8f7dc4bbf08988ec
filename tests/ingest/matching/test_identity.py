"""A rebuilt paper keeps its id, and an old id never leads to another paper."""

from pathlib import Path

from ingest.matching.keys import paper_id_of
from tests.ingest.library import LSTM, build, write_lines


def test_a_rebuild_keeps_the_id_of_a_paper_that_got_a_stronger_key(tmp_path: Path) -> None:
    first = build(tmp_path / "one", write_lines(tmp_path / "a.jsonl", {**LSTM, "doi": ""}))
    second = build(tmp_path / "two", write_lines(tmp_path / "b.jsonl", LSTM), previous=tmp_path / "one")
    assert first.column("SELECT paper_id FROM paper") == second.column("SELECT paper_id FROM paper")
    assert second.column("SELECT paper_key_type FROM paper") == ["doi"]


def test_a_rebuild_keeps_the_keys_of_the_earlier_snapshot(tmp_path: Path) -> None:
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
