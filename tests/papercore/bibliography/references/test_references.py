"""References read from texts, and matched to papers: what is not sure is no match."""

import pytest

from papercore import limits
from papercore.bibliography.references import (
    CitablePaper,
    certain_match,
    cites,
    read_reference,
    reference_texts,
    references_in,
)
from tests.growth import grows_too_fast

PAPER = CitablePaper(
    "Error-correcting codes for carrier pigeons",
    1998,
    ("Priya van der Veen", "Karl Müller"),
    frozenset({"10.5555/pigeons"}),
    frozenset({"1001.01234"}),
)
TITLE = "Error-correcting codes for carrier pigeons"


class TestSection:
    @pytest.mark.parametrize(
        "listed",
        [
            "1. First one. 1999.\n2. Second one. 2000.\n",
            "[1] First one. 1999.\n\n[2] Second one. 2000.\n",
            "[1] First one. 1999. [2] Second one. 2000.",
            "- First one. 1999.\n- Second one. 2000.\n",
            "First one. 1999.\n\nSecond one. 2000.\n",
            "First one. 1999.\nSecond one. 2000.\n",
            "\\[Abc+99\\] First one. 1999.\n\n\\[Def00\\] *Second one*. 2000.\n",
        ],
    )
    def test_references_are_found_however_they_are_listed(self, listed: str) -> None:
        text = f"# Title\n\nText of [1].\n\n## References\n\n{listed}\n## Appendix\n\nMore. 2001.\n"
        assert reference_texts(text) == ["First one. 1999.", "Second one. 2000."]

    @pytest.mark.parametrize(
        "heading",
        ["## References", "# 7. REFERENCES", "**References**", "REFERENCES", "## Literaturverzeichnis", "## 参考文献"],
    )
    def test_the_section_has_many_names(self, heading: str) -> None:
        assert reference_texts(f"Text.\n\n{heading}\n\n1. A paper. 1999.\n") == ["A paper. 1999."]

    def test_a_text_without_the_section_has_none(self) -> None:
        assert reference_texts("# Title\n\nReferences are good.\n\n## Results\n\n1. One. 1999.\n") == []

    def test_a_reference_cut_by_a_page_break_is_joined(self) -> None:
        cut = "[1] A. Ames. A long title\n\n<!-- page 9 -->\n\nthat goes on. 1999.\n\n[2] B. Bo. Short. 2000.\n"
        assert reference_texts(f"## References\n\n{cut}") == [
            "A. Ames. A long title that goes on. 1999.",
            "B. Bo. Short. 2000.",
        ]

    def test_links_keep_their_addresses_and_markup_goes(self) -> None:
        text = "## References\n\n1. A. Ames. *On* [Cats](https://doi.org/10.1000/cats). <https://a.example/b>\n"
        assert reference_texts(text) == ["A. Ames. On Cats https://doi.org/10.1000/cats. https://a.example/b"]

    def test_footnotes_are_no_references(self) -> None:
        assert reference_texts("## References\n\n1. One paper. 1999.\n\n[^a]: A note.\n") == ["One paper. 1999."]

    def test_many_references_and_long_ones_are_cut(self) -> None:
        many = "## References\n\n" + "".join(f"{n}. A paper. 1999.\n" for n in range(1, limits.REFERENCES + 50))
        assert len(reference_texts(many)) == limits.REFERENCES
        assert len(reference_texts("## References\n\n1. " + "word " * 9_000)[0]) <= limits.REFERENCE_CHARS


@pytest.mark.parametrize(
    ("text", "title", "year"),
    [
        ("Smith J, Doe K. The sky is blue. Nature. 2019;3(2):1-9.", "The sky is blue", 2019),
        ("Smith, J., & Doe, K. (2019). The sky: A study. J. Skies, 3(2), 1–9.", "The sky: A study", 2019),
        ("J. Smith, “The sky is blue,” IEEE Trans. Skies, vol. 3, pp. 1998–2005, 2019.", "The sky is blue", 2019),
        ("Ada Smith and Bo Li. 2017. Is the sky blue? In Skies, pages 1–9.", "Is the sky blue?", 2017),
        ("J. Smith et al. The sky is blue. ICML 2005.", "The sky is blue", 2005),
        ("Smith, J., Doe, K.D.: The sky is blue. In: Skies, pp. 1–9 (2015)", "The sky is blue", 2015),
        ("张三, 李四. 深度学习研究综述[J]. 计算机学报, 2019, 42(3): 1-20.", "深度学习研究综述", 2019),
        ("A. Einstein, Ann. Phys. 17, 891 (1905).", None, 1905),
        ("Somebody, in press", None, None),
    ],
)
def test_title_and_year_are_read_in_each_style(text: str, title: str | None, year: int | None) -> None:
    read = read_reference(text)
    assert (read.title, read.year) == (title, year)


def test_identifiers_are_read_without_what_follows_them() -> None:
    read = read_reference("Smith J. Sky. 2019 (https://doi.org/10.1002/(SICI)1097(199803)5:2<1::AID-X>3.0.CO;2-A).")
    assert read.doi == "10.1002/(sici)1097(199803)5:2"
    read = read_reference("Smith J. Sky. arXiv preprint arXiv:2001.01234v3, doi:10.48550/arXiv.2001.01234.")
    assert (read.doi, read.arxiv) == ("10.48550/arxiv.2001.01234", "2001.01234")


@pytest.mark.parametrize(
    "text",
    [
        f"van der Veen P, Müller K. {TITLE}. Nature. 1998;3:1-9.",
        f"P. van der Veen, “{TITLE},” Nature, 1998.",
        f"van der Veen, P.: {TITLE.upper()}. Nature 3 (1998)",
        "P. van der Veen. Errorcorrecting codes for carrier pigeons. 1999.",
        "P. van der Veen, Nature 3, 1 (1998). doi:10.5555/PIGEONS",
        "Pigeons again, arXiv:1001.01234v2",
        f"P. van der Veen. {TITLE}, in Proc. Birds. 1998.",
    ],
)
def test_a_paper_is_cited_in_any_style(text: str) -> None:
    assert cites(read_reference(text), PAPER)


@pytest.mark.parametrize(
    "text",
    [
        f"van der Veen P. {TITLE}: a survey. Nature. 1998.",
        f"van der Veen P. {TITLE} and other birds. Nature. 1998.",
        f"van der Veen P. Towards {TITLE.lower()}. Nature. 1998.",
        f"van der Veen P. {TITLE}. Part II. Nature. 1998.",
        f"van der Veen P. {TITLE}, crows and owls. Nature. 1998.",
        f"van der Veen P. Comment on “{TITLE}”. Nature. 1998.",
        f"van der Veen P. A chapter. In: {TITLE}. Press 1998.",
        f"Smith J. {TITLE}. Nature. 1998.",
        f"van der Veen P. {TITLE}. Nature. 2004.",
        f"van der Veen P. {TITLE}. Nature. 1998. doi:10.5555/another",
        f"van der Veen P. {TITLE}. arXiv:1501.00001, 1998.",
        "Smith J, Doe K. The colour of rust on forty garden gates. Nature. 1998. doi:10.5555/pigeons",
    ],
)
def test_what_is_not_surely_the_paper_is_no_match(text: str) -> None:
    assert not cites(read_reference(text), PAPER)


def test_of_two_papers_with_one_title_the_one_of_its_year_is_meant_or_none() -> None:
    reference = read_reference("A. Ames. On the weight of small birds. 1998.")
    early, late = (CitablePaper("On the weight of small birds", year, ("Ada Ames",)) for year in (1997, 1998))
    assert certain_match(reference, [early, late]) is late
    assert certain_match(reference, [late, CitablePaper("On the weight of small birds", 1998, ("Al Ames",))]) is None


@pytest.mark.parametrize(
    "part",
    [
        "[1] ",
        "1. ",
        "- a\n",
        "a. ",
        "\n\n",
        "A. B, ",
        '"',
        "“a” ",
        "10.1000/",
        "arXiv:",
        "(1999) ",
        "*",
        "[a](b) ",
        "<",
        "## References\n\n",
    ],
)
def test_any_text_is_read_in_linear_time(part: str) -> None:
    assert not grows_too_fast(references_in, lambda n: "## References\n\n" + part * n, 2_000)
