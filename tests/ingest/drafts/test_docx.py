"""A draft of Word: citations in the fields of Zotero and of Word itself, footnotes aside, damaged files."""

import json
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from docx import Document
from docx.oxml.ns import qn
from docx.oxml.parser import OxmlElement
from docx.text.paragraph import Paragraph

from ingest.drafts.reading import UnreadableDraft, read_draft

ITEM = {
    "id": 7,
    "citation-key": "hochreiter1997",
    "type": "article-journal",
    "title": "Long Short-Term Memory",
    "author": [{"family": "Hochreiter", "given": "Sepp"}, {"family": "Schmidhuber", "given": "Jürgen"}],
    "issued": {"date-parts": [["1997", 11]]},
    "container-title": "Neural Computation",
}
ZOTERO = "ADDIN ZOTERO_ITEM CSL_CITATION " + json.dumps({"citationItems": [{"id": 7, "itemData": ITEM}]})


def add_field(paragraph: Paragraph, code: str, shown: str) -> None:
    """As Word writes it: begin, code, separate, what is shown, end."""
    for kind in ("begin", "separate", "end"):
        mark = OxmlElement("w:fldChar")
        mark.set(qn("w:fldCharType"), kind)
        paragraph.add_run()._r.append(mark)
        if kind == "begin":
            instruction = OxmlElement("w:instrText")
            instruction.text = code
            paragraph.add_run()._r.append(instruction)
        elif kind == "separate":
            paragraph.add_run(shown)


@pytest.fixture
def draft_path(tmp_path: Path) -> Path:
    document = Document()
    document.add_heading("Memory", level=1)
    paragraph = document.add_paragraph("Gates keep “errors from vanishing” ")
    add_field(paragraph, ZOTERO, "(Hochreiter & Schmidhuber, 1997)")
    paragraph.add_run(". It is widely used.")
    other = document.add_paragraph("Attention needs none ")
    simple = OxmlElement("w:fldSimple")
    simple.set(qn("w:instr"), "CITATION Vas17 \\l 1033 ")
    other._p.append(simple)
    other.add_run(".")
    add_field(document.add_paragraph(), "ADDIN ZOTERO_BIBL {} CSL_BIBLIOGRAPHY", "Hochreiter, S. Long ...")
    document.save(str(tmp_path / "draft.docx"))
    return tmp_path / "draft.docx"


def test_fields_are_citations_of_their_sentence_and_paragraph(draft_path: Path) -> None:
    draft = read_draft(draft_path)
    assert [(item.claim, item.keys, item.place) for item in draft.sentences] == [
        ("Memory", (), 1),
        ("Gates keep “errors from vanishing”.", ("hochreiter1997",), 2),
        ("It is widely used.", (), 2),
        ("Attention needs none.", ("Vas17",), 3),
    ]
    assert draft.place_kind == "paragraph"
    assert [(item.quote, item.keys) for item in draft.quotes] == [("errors from vanishing", ("hochreiter1997",))]


def test_what_a_field_holds_is_an_entry_of_a_bibliography(draft_path: Path) -> None:
    assert read_draft(draft_path).bibtex == (
        "@article{hochreiter1997, title = {Long Short-Term Memory}, "
        "author = {Hochreiter, Sepp and Schmidhuber, Jürgen}, year = {1997}, journal = {Neural Computation}}"
    )


def test_a_draft_without_fields_is_read_by_its_list_of_references(tmp_path: Path) -> None:
    document = Document()
    document.add_paragraph("Gates keep errors from vanishing [1]. So do others (Vaswani et al., 2017).")
    document.add_heading("References", level=1)
    document.add_paragraph("[1] S. Hochreiter and J. Schmidhuber. Long short-term memory. Neural Computation, 1997.")
    document.add_paragraph("[2] A. Vaswani et al. Attention is all you need. NeurIPS, 2017.")
    document.save(str(tmp_path / "draft.docx"))
    draft = read_draft(tmp_path / "draft.docx")
    assert [item.keys for item in draft.sentences if item.keys] == [("1",), ("2",)]
    assert list(draft.references) == ["1", "2"]


def test_beside_fields_what_is_cited_by_hand_is_read_by_the_list_of_references(draft_path: Path) -> None:
    document = Document(str(draft_path))
    document.add_paragraph("Vaccines work (Polack ").add_run("et al., 2020), as does a net (Hochreiter, 1997).")
    document.add_heading("References", level=1)
    document.add_paragraph("Polack, F. P. et al. (2020). Safety and Efficacy of the BNT162b2 mRNA Covid-19 Vaccine.")
    document.add_paragraph("Hochreiter, S. (1997). Long short-term memory. Neural Computation.")
    document.save(str(draft_path))
    draft = read_draft(draft_path)
    assert [item.keys for item in draft.sentences if item.keys] == [("hochreiter1997",), ("Vas17",), ("1", "2")]
    assert draft.sentences[-1].claim == "Vaccines work, as does a net."


def test_damaged_files_are_refused_in_a_sentence(tmp_path: Path, draft_path: Path) -> None:
    content = draft_path.read_bytes()
    broken = {"empty": b"", "text": b"no zip", "half": content[: len(content) // 2], "head": content[:60]}
    for name, data in broken.items():
        path = tmp_path / f"{name}.docx"
        path.write_bytes(data)
        with pytest.raises(UnreadableDraft, match="it is damaged, or no Word document"):
            read_draft(path)


def test_a_document_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.docx"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * 201_000_000)
    with pytest.raises(UnreadableDraft, match="more than 200 MB"):
        read_draft(path)
