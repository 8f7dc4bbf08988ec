"""DOIs and arXiv ids in the forms people write them; what is no identifier is none."""

import pytest

from papercore import limits
from papercore.bibliography.identifiers import (
    arxiv_mentioned_in,
    arxiv_of_doi,
    bare_doi,
    canonical,
    canonical_arxiv,
    canonical_doi,
    paper_key,
    read_identifier,
    read_identifiers,
)
from tests.growth import grows_too_fast


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


WRITTEN = {
    "10.1038/nature14539": "doi:10.1038/nature14539",
    "https://doi.org/10.1145/3292500.3330701": "doi:10.1145/3292500.3330701",
    "10.1002/(SICI)1097-0258(19980815)17:15": "doi:10.1002/(sici)1097-0258(19980815)17:15",
    "https://dl.acm.org/doi/pdf/10.1145/3292500.3330701": "doi:10.1145/3292500.3330701",
    "https://www.biorxiv.org/content/10.1101/2020.01.01.123456v2.full.pdf": "doi:10.1101/2020.01.01.123456",
    "https://link.springer.com/article/10.1007/s10994-021-05946-3#Sec2": "doi:10.1007/s10994-021-05946-3",
    "https://www.frontiersin.org/articles/10.3389/fnins.2019.00095/full": "doi:10.3389/fnins.2019.00095",
    "https://www.nature.com/articles/s41586-021-03819-2": "doi:10.1038/s41586-021-03819-2",
    "https://aclanthology.org/P18-1001/": "doi:10.18653/v1/p18-1001",
    "https://doi.org/10.48550/arXiv.1706.03762": "arxiv:1706.03762",
    "arXiv:2101.00001v2": "arxiv:2101.00001",
    "hep-th/9901001": "arxiv:hep-th/9901001",
    "https://arxiv.org/pdf/1706.03762v5.pdf": "arxiv:1706.03762",
    "https://pubmed.ncbi.nlm.nih.gov/31452104/": "pmid:31452104",
    "https://europepmc.org/article/MED/31452104": "pmid:31452104",
    "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC3531190/": "PMC3531190",
    "https://openalex.org/W2741809807": "W2741809807",
}


@pytest.mark.parametrize("text", WRITTEN)
def test_each_way_to_name_a_paper_is_understood(text: str) -> None:
    assert str(read_identifier(text)) == WRITTEN[text]


@pytest.mark.parametrize(
    "text", ["12345", "hello", "https://example.org/a", "10.1/x", "W123", "", "doi:", "javascript:alert(1)"]
)
def test_anything_else_is_no_identifier(text: str) -> None:
    assert read_identifier(text) is None


def test_a_list_may_have_labels_bullets_comments_and_repetitions() -> None:
    text = (
        "# mine\n1. DOI: 10.1000/abc.\n- PMID: 123; arXiv: 2101.00001\nhttps://doi.org/10.1000/ABC, and 10.1000/def\n"
    )
    found = read_identifiers(text)
    assert [str(identifier) for identifier in found.identifiers] == [
        "doi:10.1000/abc",
        "pmid:123",
        "arxiv:2101.00001",
        "doi:10.1000/def",
    ]
    assert found.unknown == ("and",)
    assert not found.cut


def test_a_long_list_is_cut_and_says_so() -> None:
    found = read_identifiers("\n".join(f"10.1000/{n}" for n in range(limits.IDENTIFIERS + 1)))
    assert (len(found.identifiers), found.cut) == (limits.IDENTIFIERS, True)
    assert not read_identifiers("\n".join(f"10.1000/{n}" for n in range(limits.IDENTIFIERS))).cut


@pytest.mark.parametrize(
    "part", ["10.1000/", "doi: ", "1. ", "arxiv.org/abs/", "https://", "pmc1", "/full", "(", "v1", " \t"]
)
def test_any_text_is_read_in_linear_time(part: str) -> None:
    assert not grows_too_fast(read_identifiers, lambda n: part * n, 3_000)
