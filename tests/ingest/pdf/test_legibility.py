"""Which texts are taken for undecoded or torn."""

import pytest

from ingest.pdf.legibility import is_legible

ENGLISH = "The rivers of the plain carry sand to the sea, and it is moved again by every storm of the year. "


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH * 10,
        "Der Sand wird von den Flüssen in das Meer getragen und dort von der Flut verteilt. " * 10,
        "Joet kuljettavat hiekkaa mereen, missä myrskyt siirtävät sen rannalle uudelleen. " * 10,
        "河流把泥沙带入大海。" * 100,
        "Реки несут песок в море, и каждый шторм переносит его снова. " * 20,
        "Qxz",
    ],
    ids=["English", "German", "Finnish", "Chinese", "Russian", "too short to tell"],
)
def test_a_text_of_some_language_is_legible(text: str) -> None:
    assert is_legible([text])


@pytest.mark.parametrize(
    "text",
    [
        "".join(chr((ord(char) - 97 + 3) % 26 + 97) if char.islower() else char for char in ENGLISH) * 10,
        "jmh\\o ys!hiC jml3c eac`q1{33hhc&la hi8jms!h i2!c`qhioC " * 30,
        " ".join(ENGLISH.replace(" ", "")) * 5,
    ],
    ids=["shifted letters", "undecoded font", "torn letters"],
)
def test_an_undecoded_or_torn_text_is_not(text: str) -> None:
    assert not is_legible([text])
