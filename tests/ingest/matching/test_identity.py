"""A rebuilt paper keeps its id, and an old id never leads to another paper."""

from pathlib import Path

from ingest.entries.entry import PaperEntry
from ingest.matching.identity import Key, keys_of, owned_keys, paper_id_of
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


def test_keys_come_strongest_first_and_the_meta_key_is_the_hash_of_its_fingerprint() -> None:
    entry = PaperEntry(
        title="Long Short-Term Memory",
        authors=("Sepp Hochreiter", "Jürgen Schmidhuber"),
        date="1997-11",
        venue="Neural Computation",
        doi="10.1162/x.1",
        arxiv="1706.03762",
        bib_key="hochreiter1997n3",
    )
    keys = keys_of(entry)
    assert [key.text for key in keys] == [
        "doi:10.1162/x.1",
        "arxiv:1706.03762",
        "bib:hochreiter1997n3",
        # As in a snapshot of the format for the same paper.
        "meta:a4d1ca5ecb9f697b2e4c9804ab961c25d70882dc0b566fe3ce80c74806d0470b",
    ]
    assert keys[-1].fingerprint == (
        '{"authors":["jürgen schmidhuber","sepp hochreiter"],"title":"long short term memory",'
        '"venue":"neural computation","year":"1997"}'
    )


def test_the_id_is_made_from_the_key_as_the_format_does() -> None:
    assert paper_id_of("arxiv:1706.03762") == "acbe5881db11f906e180120c8ce2f93a"


def test_papers_without_a_key_of_their_own_get_the_same_ones_in_any_order() -> None:
    shared, bib = Key("meta", "meta:a", "{}"), Key("bib", "bib:b")
    papers = {1: [[bib, shared], [bib]], 2: [[shared]], 3: [[shared]]}
    orders = [[1, 2, 3], [3, 1, 2], [2, 3, 1]]
    found = [owned_keys({number: papers[number] for number in order})[0] for order in orders]
    texts = [sorted(key.text for keys in each.values() for key in keys) for each in found]
    assert texts[0] == texts[1] == texts[2]
    assert len(set(texts[0])) == 4
