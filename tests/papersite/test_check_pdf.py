"""`papersite check` on a PDF: [1] means what its list of references says."""

from pathlib import Path

from tests.ingest.pdf.made_pdf import BOLD, Text, paragraph, write_pdf
from tests.papersite.test_check import checked

SAID = (
    "The first thing to know about writing is how long it takes, and nobody believes it before the end. They say “All "
    "work and no joy makes a long paper” [1]. Nobody knows why that is so, although some have asked [3]."
)


def test_a_pdf_is_checked_by_its_list_of_references(tmp_path: Path) -> None:
    references = [
        Text("References", top=240, size=13, font=BOLD),
        Text("[1] S. Hochreiter and J. Schmidhuber. Long Short-Term Memory. Neural Computation, 1997.", top=264),
        Text("[2] A. Vaswani et al. Attention Is All You Need. NeurIPS, 2017.", top=276),
    ]
    title = Text("On the length of papers", top=72, size=18, font=BOLD)
    path = write_pdf(tmp_path / "draft.pdf", [[title, *paragraph(SAID, 72, 120, 80), *references]])
    code, said = checked(path)
    assert code == 1
    assert f"{path}:page 1: near_miss: " in said
    assert f"{path}:page 1: undefined_key: The list of references has no number 3." in said
