"""Citations: keys, and items whose form no reader of a format checks."""

import pytest

from papercore.bibliography.citation import Citation, bibtex_key, csl_item, csv_table, unique_key
from papercore.bibliography.fields import parse_name


@pytest.mark.scenario("search-product / Export as BibTeX / Key from author, year and title")
@pytest.mark.parametrize(
    ("name", "year", "title", "key"),
    [
        ("Li Wang", "2023", "Perovskite solar cells", "wang_2023_perovskite"),
        ("Gödel, Kurt", "1931", "Über formal", "godel_1931_uber"),
        ("Søren Ørsted Jr.", "", "3D-Druck", "orsted_nd_3d"),
        ("", "", "", "unknown_nd_untitled"),
        ("王力", "2020", "量子 dots", "unknown_2020_dots"),
    ],
)
def test_keys_are_author_year_and_first_word(name: str, year: str, title: str, key: str) -> None:
    assert bibtex_key(Citation(title=title, authors=(parse_name(name),) if name else (), year=year)) == key


def test_a_key_that_is_taken_gets_the_first_free_suffix() -> None:
    assert unique_key("x", set()) == "x"
    assert unique_key("x", {"x", "x_a"}) == "x_b"


def test_a_csl_item_has_names_and_year() -> None:
    cited = Citation("Graphs", (parse_name("Li Wang"), parse_name("OpenAI")), "2020", "Proceedings of X", "10.1/x")
    assert csl_item(cited, "k") == {
        "id": "k",
        "type": "paper-conference",
        "title": "Graphs",
        "author": [{"family": "Wang", "given": "Li"}, {"literal": "OpenAI"}],
        "issued": {"date-parts": [[2020]]},
        "container-title": "Proceedings of X",
        "DOI": "10.1/x",
    }


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)"])
def test_a_cell_that_a_spreadsheet_would_run_becomes_text(cell: str) -> None:
    assert csv_table(["title"], [[cell]]).splitlines()[1].strip('"') == f"'{cell}"
