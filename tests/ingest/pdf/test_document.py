"""The text of a PDF as its reader would copy it by hand."""

from pathlib import Path

import pytest

from ingest.pdf.characters import Character, text_of
from ingest.pdf.readers import PdfText
from ingest.pdf.reading import read_pdf
from papercore.processes.children import Unanswerable
from tests.ingest.pdf.made_pdf import BOLD, DRAWN, UNMAPPED, Text, paragraph, write_pdf

LEFT = (
    "Rivers carry sand to the sea and lay it down where the water slows. Every flood builds the bank a little higher."
)
RIGHT = (
    "Deltas grow at the mouth of a river. Their channels move from side to side over the centuries and fill the bay."
)


def read(tmp_path: Path, *pages: list[Text]) -> PdfText:
    return read_pdf(write_pdf(tmp_path / "a.pdf", pages))


def in_columns(left: str, right: str, top: float = 150) -> list[Text]:
    """Two columns whose lines the file holds row by row, as some programs write them."""
    columns = zip(paragraph(left, 60, top, 44), paragraph(right, 320, top, 44), strict=False)
    return [line for row in columns for line in row]


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    text = read(tmp_path, in_columns(f"{LEFT} {LEFT} {LEFT}", f"{RIGHT} {RIGHT} {RIGHT}")).markdown
    assert f"{LEFT} {LEFT} {LEFT}" in text
    assert f"{RIGHT} {RIGHT} {RIGHT}" in text
    assert text.index("Rivers") < text.index("Deltas")


def test_a_title_across_both_columns_comes_before_them(tmp_path: Path) -> None:
    title = Text("How rivers build land at the edge of the sea", 120, 80, 18, BOLD)
    text = read(tmp_path, [*in_columns(LEFT * 3, RIGHT * 3), title]).markdown
    assert text.startswith("<!-- page 1 -->\n\n# How rivers build land at the edge of the sea\n\n")


def test_words_broken_at_line_ends_are_joined(tmp_path: Path) -> None:
    lines = [
        "We study the trans-",
        "lation of long texts with a state-of-the-",
        "art model and a self-",
        "made corpus.",
    ]
    lines += ["A self-made corpus is small."]
    text = read(tmp_path, [Text(line, 72, 100 + 12 * row) for row, line in enumerate(lines)]).markdown
    assert "the translation of long texts" in text
    assert "state-of-the-art model" in text
    assert "a self-made corpus." in text


def test_running_heads_and_page_numbers_are_left_out(tmp_path: Path) -> None:
    def page(number: int) -> list[Text]:
        body = paragraph(f"Page {number} says this. {LEFT}", 72, 150, 80)
        return [Text("Journal of Deltas 12", 72, 40), *body, Text(str(number), 300, 760)]

    text = read(tmp_path, *(page(number) for number in range(1, 5))).markdown
    assert "Journal of Deltas" not in text
    assert [line for line in text.split("\n") if line.strip().isdigit()] == []
    assert "Page 3 says this." in text


def test_each_page_is_marked_where_its_first_paragraph_begins(tmp_path: Path) -> None:
    text = read(tmp_path, paragraph(LEFT, 72, 150, 80), paragraph(RIGHT, 72, 150, 80)).markdown
    assert text == f"<!-- page 1 -->\n\n{LEFT}\n\n<!-- page 2 -->\n\n{RIGHT}"


def test_a_paragraph_that_goes_on_over_the_page_stays_one(tmp_path: Path) -> None:
    text = read(tmp_path, paragraph("It begins here and", 72, 150, 80), paragraph("ends on the next page.", 72, 80, 80))
    assert "It begins here and ends on the next page." in text.markdown


def test_headings_are_found_by_their_numbers_size_and_weight(tmp_path: Path) -> None:
    body = [Text("2 Method", 72, 100, 12, BOLD), *paragraph(LEFT, 72, 120, 80)]
    body += [Text("2.1 Sampling of sand", 72, 170, 10, BOLD), *paragraph(RIGHT, 72, 186, 80)]
    text = read(tmp_path, body).markdown
    assert "## 2 Method\n\n" in text
    assert "### 2.1 Sampling of sand\n\n" in text


@pytest.mark.parametrize(
    "line",
    [
        "T = A(S, k)",
        "let merge = match xs, ys with",
        "• Easy to learn",
        "Since the river and the",
        "Fig 1. Matrix of all flows",
        "Overheads. Each of the transactions",
    ],
)
def test_formulas_code_items_and_cut_sentences_are_no_headings(tmp_path: Path, line: str) -> None:
    texts = [*paragraph(LEFT, 72, 150, 80), Text(line, 72, 300, 10, BOLD), *paragraph(RIGHT, 72, 330, 80)]
    assert "#" not in read(tmp_path, [Text("On Rivers", 72, 100, 18), *texts]).markdown.replace("# On Rivers", "")


def test_a_running_head_is_left_out_on_pages_with_wide_margins(tmp_path: Path) -> None:
    pages = [[Text("ANA SHORE", 250, 110, 9), *paragraph(f"{LEFT} {RIGHT}" * 3, 72, 140, 80)] for _ in range(4)]
    assert "ANA SHORE" not in read(tmp_path, *pages).markdown


def test_references_are_kept_apart(tmp_path: Path) -> None:
    body = [*paragraph(LEFT, 72, 100, 80), Text("References", 72, 150, 12, BOLD)]
    body += [Text("[1] A. Shore. Sand on the move.", 72, 170), Text("Journal of Deltas, 1999.", 84, 182)]
    body += [Text("[2] B. Bank. Floods. 2003.", 72, 194)]
    text = read(tmp_path, body).markdown
    assert (
        "## References\n\n[1] A. Shore. Sand on the move. Journal of Deltas, 1999.\n\n[2] B. Bank. Floods. 2003."
        in text
    )


def test_text_is_never_taken_for_markup(tmp_path: Path) -> None:
    odd = "Costs are $5 and $6 for a*b*c, see [x](y) and <b>; # is no heading"
    text = read(tmp_path, [Text(odd, 72, 100)]).markdown
    assert text.endswith(r"Costs are \$5 and \$6 for a\*b\*c, see [x] (y) and \<b\>; \# is no heading")


def test_a_scan_has_no_text(tmp_path: Path) -> None:
    pdf = read(tmp_path, [], [])
    assert (pdf.pages, pdf.markdown) == (2, "")


def test_a_font_that_does_not_tell_its_characters_gives_no_text_and_hides_none(tmp_path: Path) -> None:
    unknown = Text("".join(map(chr, range(14, 31))) * 3, 72, 300, font=UNMAPPED)
    assert read(tmp_path, [unknown]).markdown == ""
    assert read(tmp_path, [*paragraph(LEFT, 72, 100, 80), unknown]).markdown.endswith("a little higher.")


def test_drawn_glyphs_make_words_whatever_size_their_font_says(tmp_path: Path) -> None:
    drawn = Text("Rivers de\x0cne the land", 72, 100, 0.24, DRAWN)
    assert read(tmp_path, [drawn]).markdown.endswith("Rivers define the land")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 a zip", b"%PDF-1.7\n1 0 obj <<", b"%PDF-1.4" + b"\x00" * 3000])
def test_what_is_no_pdf_is_said(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(content)
    with pytest.raises(Unanswerable, match="damaged, or no PDF"):
        read_pdf(path)


def test_a_file_that_lost_its_end_is_damaged(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [paragraph(LEFT, 72, 100, 80)] * 3)
    path.write_bytes(path.read_bytes()[:-400])
    with pytest.raises(Unanswerable, match="damaged"):
        read_pdf(path)


def test_an_encrypted_file_is_said_to_be_so(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [[Text("secret")]], encrypted=True)
    with pytest.raises(Unanswerable, match="encrypted"):
        read_pdf(path)


@pytest.mark.parametrize(("after_space", "text"), [(True, "f B"), (False, "fB")])
def test_a_space_that_the_file_states_may_be_narrow(after_space: bool, text: str) -> None:
    before = Character("f", 0, 5.2, 0, 12, False, True)
    assert text_of([before, Character("B", 6.9, 14.9, 0, 12, False, True, after_space=after_space)]) == text
