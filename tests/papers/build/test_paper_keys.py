"""Keys and ids are those of the format; what is no identifier is none."""

import pytest

from papers.build.entry import PaperEntry
from papers.build.paper_keys import canonical_arxiv, canonical_doi, keys_of, paper_id_of


@pytest.mark.parametrize(
    "text",
    [
        "10.1109/CVPR.2016.90",
        " https://doi.org/10.1109/cvpr.2016.90 ",
        "http://dx.doi.org/10.1109/CVPR.2016.90",
        "doi: 10.1109/cvpr.2016.90.",
        "DOI:https://doi.org/10.1109%2Fcvpr.2016.90",
        "10.1109/cvpr.2016.90),;",
    ],
)
def test_one_doi_has_one_form(text: str) -> None:
    assert canonical_doi(text) == "10.1109/cvpr.2016.90"


@pytest.mark.parametrize("text", ["", "n/a", "unknown", "10.1109", "https://example.org/10.1109/x", "10.1109/a b"])
def test_what_is_no_doi_is_none(text: str) -> None:
    assert canonical_doi(text) is None


def test_brackets_inside_a_doi_stay() -> None:
    assert canonical_doi("10.1016/S0169-7552(98)00110-X") == "10.1016/s0169-7552(98)00110-x"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("arXiv:1706.03762v5", "1706.03762"),
        ("https://arxiv.org/abs/1706.03762", "1706.03762"),
        ("https://arxiv.org/pdf/1706.03762v2.pdf", "1706.03762"),
        ("hep-th/9901001v1", "hep-th/9901001"),
        ("math.GT/0309136", "math.gt/0309136"),
        ("none", None),
        ("https://example.org/1706.03762", None),
    ],
)
def test_an_arxiv_id_loses_prefix_and_version(text: str, expected: str | None) -> None:
    assert canonical_arxiv(text) == expected


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
