"""Names of authors in any order."""

import pytest

from ingest.author_names import natural_name, surname


@pytest.mark.parametrize(
    ("name", "natural", "last"),
    [
        ("Knuth, Donald E.", "Donald E. Knuth", "knuth"),
        ("King, Jr., Martin Luther", "Martin Luther King Jr.", "king"),
        ("King, Martin Luther, Jr.", "Martin Luther King Jr.", "king"),
        ("Jürgen Schmidhuber", "Jürgen Schmidhuber", "schmidhuber"),
        ("Veličković, Petar", "Petar Veličković", "velickovic"),
        ("李明", "李明", "李明"),
        (" , ", "", ""),
    ],
)
def test_given_names_come_first_and_names_compare_by_surname(name: str, natural: str, last: str) -> None:
    assert natural_name(name) == natural
    assert surname(name) == last
