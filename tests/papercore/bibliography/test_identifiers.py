"""DOIs and arXiv ids in the forms people write them; what is no identifier is none."""

import pytest

from papercore.bibliography.identifiers import (
    arxiv_mentioned_in,
    arxiv_of_doi,
    bare_doi,
    canonical,
    canonical_arxiv,
    canonical_doi,
    paper_key,
)


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


@pytest.mark.parametrize("text", ["10.1/A", "doi.org/10.1/a", "https://doi.org/10.1/a.", "doi: 10.1/a"])
def test_a_malformed_doi_still_has_a_bare_form(text: str) -> None:
    assert bare_doi(text) == "10.1/a"
    assert canonical_doi(text) is None


def test_either_kind_has_a_canonical_form() -> None:
    assert canonical("arXiv:1706.03762v2") == "1706.03762"
    assert canonical("https://doi.org/10.1162/NECO.1997") == "10.1162/neco.1997"
    assert canonical("attention") is None


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("https://doi.org/10.1162/NECO.1997.", "doi:10.1162/neco.1997"),
        ("arxiv: 1706.03762v2", "arxiv:1706.03762"),
        ("https://www.arxiv.org/abs/hep-th/9901001", "arxiv:hep-th/9901001"),
        ("about 1706.03762", None),
    ],
)
def test_a_text_that_is_an_identifier_and_nothing_else_names_a_paper(text: str, key: str | None) -> None:
    assert paper_key(text) == key


@pytest.mark.parametrize(
    ("doi", "number"), [("10.48550/arxiv.1706.03762", "1706.03762"), ("10.48550/zzz", None), (None, None)]
)
def test_a_doi_of_arxiv_holds_the_number(doi: str | None, number: str | None) -> None:
    assert arxiv_of_doi(doi) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("10.48550/arXiv.1706.03762", "1706.03762"),
        ("see http://arxiv.org/abs/math.GT/0309136v2", "math.gt/0309136"),
        ("room 1706.03762", None),
    ],
)
def test_an_arxiv_id_is_found_where_a_text_names_it(text: str, number: str | None) -> None:
    assert arxiv_mentioned_in(text) == number
