"""Keys and ids are those of the format."""

from ingest.entries.entry import PaperEntry
from ingest.matching.keys import keys_of, paper_id_of


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
