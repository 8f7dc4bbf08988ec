"""Which parts of a line are taken for persons."""

import pytest

from ingest.pdf.characters import PART, WIDE
from ingest.pdf.names import persons_in


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Ana Shore*, Ben van der Bank1 and Chloé O'Dune", ["Ana Shore", "Ben van der Bank", "Chloé O'Dune"]),
        (f"Ana Shore{PART}, Ben Bank{PART}, and Theo W. Dune{PART}", ["Ana Shore", "Ben Bank", "Theo W. Dune"]),
        (f"Ana Shore{WIDE}Ben Bank", ["Ana Shore", "Ben Bank"]),
        (f"ANA{WIDE}B. SHORE", ["Ana B. Shore"]),
        ("By A. SHORE", ["A. Shore"]),
        ("MILTON W.SHORE, P. M. BANK-DUNE, SENIOR MEMBER, IEEE,", ["Milton W. Shore", "P. M. Bank-Dune"]),
        ("Ana Shore Ben Bank Chloe Dune", ["Ana Shore", "Ben Bank", "Chloe Dune"]),
        ("Shore, Ana Maria; Bank, Ben ; Dune, Chloe W.", ["Ana Maria Shore", "Ben Bank", "Chloe W. Dune"]),
        ("Ana Shore <ana@shore.example>", ["Ana Shore"]),
        ("Ana Maria Shore Bank (ana@shore.example)", ["Ana Maria Shore Bank"]),
        ("Ana Shore, Associate Member, IEEE, and Ben Bank", ["Ana Shore", "Ben Bank"]),
        ("Leith (Casey) Shore*", ["Leith (Casey) Shore"]),
        ("Ana Shore, Delta Research Inc.", ["Ana Shore"]),
        ("Ana Shore and Ben Bank – Tide Systems", ["Ana Shore", "Ben Bank"]),
        ("JJ Bank, Park Soo Park", ["JJ Bank", "Park Soo Park"]),
        ("ANA LI", ["Ana Li"]),
        (f"1{PART}{PART}Ana Shore", ["Ana Shore"]),
        ("2nd Ben Bank", ["Ben Bank"]),
    ],
)
def test_names_are_parted_cleaned_and_turned(line: str, names: list[str]) -> None:
    assert persons_in(line) == names


@pytest.mark.parametrize(
    "line",
    [
        "Princeton University",
        "UC Berkeley",
        "CSU East Bay",
        "Tide Microsystems",
        "Rowing Track",
        "All Rights Reserved",
        "The Free Haven Project",
        "Palo Alto, CA 94303",
        "705 Fifth Ave South",
        "École Normale Supérieure",
        "Citable Link",
        "Departamento de Informática",
        "Ab st r act",
        "Trolltech, a Nokia company",
        "End User Computing Services",
        "A Universal Modular Formalism",
        "November 4, 2004",
        "rliu,rusmin@mit.example",
    ],
)
def test_places_institutions_and_torn_words_are_nobody(line: str) -> None:
    assert persons_in(line) == []
