"""What is believed of a PDF's own words about itself."""

from pathlib import Path

from ingest.pdf.description import PdfDescription
from ingest.pdf.reading import read_pdf
from tests.ingest.pdf.made_pdf import BOLD, Fields, Text, paragraph, write_pdf

FIRST_PAGE = [
    Text("Proceedings of the Workshop on Deltas, 2019", 72, 40, 8),
    Text("How Rivers Build Land", 150, 80, 18, BOLD),
    Text("at the Edge of the Sea", 150, 102, 18, BOLD),
    Text("Ana Shore*, Ben van der Bank1 and Chloé O'Dune", 150, 130, 11),
    Text("University of the Coast", 150, 145, 9),
    Text("Abstract", 72, 170, 10, BOLD),
    *paragraph("We measure sand. It moves more than was thought.", 72, 186, 80),
    Text("1 Introduction", 72, 230, 12, BOLD),
    *paragraph("Rivers carry sand to the sea.", 72, 250, 80),
]


def described(path: Path, page: list[Text], fields: Fields | None = None) -> PdfDescription:
    return read_pdf(write_pdf(path, [page], fields)).description


def test_the_first_page_tells_title_authors_year_and_abstract(tmp_path: Path) -> None:
    assert described(tmp_path / "x1.pdf", FIRST_PAGE) == PdfDescription(
        title="How Rivers Build Land at the Edge of the Sea",
        authors=("Ana Shore", "Ben van der Bank", "Chloé O'Dune"),
        year="2019",
        abstract="We measure sand. It moves more than was thought.",
    )


def test_a_field_is_believed_only_if_the_first_page_has_it_and_says_no_more(tmp_path: Path) -> None:
    stated = Fields("HOW RIVERS BUILD LAND AT THE EDGE OF THE SEA", "Ana Shore; Ben van der Bank; Chloé O'Dune")
    believed = described(tmp_path / "a.pdf", FIRST_PAGE, stated)
    assert believed.title == "How Rivers Build Land at the Edge of the Sea"
    assert believed.authors == ("Ana Shore", "Ben van der Bank", "Chloé O'Dune")
    for poor in (Fields("Microsoft Word - final.docx", "Office User"), Fields("How rivers build land", "Ana Shore")):
        fuller = described(tmp_path / "b.pdf", FIRST_PAGE, poor)
        assert fuller.title == "How Rivers Build Land at the Edge of the Sea"
        assert len(fuller.authors) == 3


def test_behind_a_cover_sheet_the_title_stands_over_its_authors(tmp_path: Path) -> None:
    cover = [
        Text("How Rivers Build Land at the Edge of the Sea", 72, 80, 18, BOLD),
        Text("Conference Paper · November 2019", 72, 120, 10),
        Text("Tide Loader", 72, 150, 10),
        Text("Article Downloads", 72, 300, 10),
    ]
    described = read_pdf(write_pdf(tmp_path / "x1.pdf", [cover, FIRST_PAGE])).description
    assert described.authors == ("Ana Shore", "Ben van der Bank", "Chloé O'Dune")


def test_no_author_is_made_of_an_address(tmp_path: Path) -> None:
    address = [
        Text("Palo Alto, California", 150, 157, 11),
        Text("Ben Bank, Marine Office, Paris, France", 150, 169, 11),
    ]
    page = [FIRST_PAGE[1], Text("Ana Shore", 150, 130, 11), FIRST_PAGE[4], *address, Text("Cleo Dune", 150, 181, 11)]
    assert described(tmp_path / "x1.pdf", page).authors == ("Ana Shore", "Ben Bank", "Cleo Dune")


def test_names_are_also_read_off_the_files_list(tmp_path: Path) -> None:
    page = [FIRST_PAGE[1], Text("Ana SU", 150, 130, 11), Text("Ben SHORE", 300, 130, 11)]
    assert described(tmp_path / "x1.pdf", page, Fields(author="Ana Su, Ben Shore")).authors == ("Ana Su", "Ben Shore")


def test_what_a_raised_mark_leads_below_the_names_is_a_workplace(tmp_path: Path) -> None:
    names = [Text("Ana Shore", 150, 130, 11), Text("A", 200, 126, 7), Text(", Ben Bank", 206, 130, 11)]
    workplace = [Text("A", 150, 142, 7), Text("Tide Harbour", 156, 146, 11)]
    page = [FIRST_PAGE[1], *names, *workplace, *FIRST_PAGE[5:]]
    assert described(tmp_path / "x1.pdf", page).authors == ("Ana Shore", "Ben Bank")


def test_capitals_set_wide_apart_are_words(tmp_path: Path) -> None:
    places = (0, 9, 18, 30, 39, 48, 57, 66)
    letters = [Text(letter, 150 + place, 130, 9) for place, letter in zip(places, "ANASHORE", strict=True)]
    assert described(tmp_path / "x1.pdf", [FIRST_PAGE[1], *letters, *FIRST_PAGE[5:]]).authors == ("Ana Shore",)


def test_a_title_does_not_end_in_a_comma(tmp_path: Path) -> None:
    page = [Text("SAND UNDER WATER,", 150, 80), Text("RIVERS, AND SALT", 150, 106), Text("By", 150, 200)]
    assert (
        described(tmp_path / "x1.pdf", [*page, Text("ANA SHORE", 150, 220)]).title
        == "SAND UNDER WATER, RIVERS, AND SALT"
    )


def test_the_largest_type_is_the_title(tmp_path: Path) -> None:
    page = [Text("The Coastal Practice", 72, 80, 27, BOLD), Text("White Paper:", 72, 130, 15, BOLD)]
    page += [Text("How Rivers Build Land", 72, 170, 30, BOLD), *paragraph("Sand moves. " * 60, 72, 250, 80)]
    assert described(tmp_path / "x1.pdf", page).title == "How Rivers Build Land"


def test_an_initial_makes_no_title_of_its_line(tmp_path: Path) -> None:
    text = [Text("T", 60, 212, 27), *paragraph("he rivers of the plain carry sand to the sea. " * 20, 78, 200, 80)]
    assert (
        described(tmp_path / "x1.pdf", [Text("How Rivers Build Land", 150, 80, 14), *text]).title
        == "How Rivers Build Land"
    )


def test_a_journals_name_is_no_title(tmp_path: Path) -> None:
    page = [Text("International Journal of Tides", 150, 40), *FIRST_PAGE[1:]]
    assert described(tmp_path / "x1.pdf", page, Fields("International Journal of Tides")).title.startswith("How Rivers")


def test_the_file_name_of_a_reference_manager_fills_gaps(tmp_path: Path) -> None:
    name = "Shore et al. - 2021 - Sand on the move.pdf"
    description = described(tmp_path / name, paragraph("some words in one size only " * 30, 72, 100, 80))
    assert (description.title, description.year) == ("Sand on the move", "2021")


def test_a_file_without_anything_is_called_by_its_name(tmp_path: Path) -> None:
    assert described(tmp_path / "tide_tables-1890.pdf", []).title == "Tide tables 1890"


def test_the_arxiv_stamp_in_the_margin_is_read_and_not_part_of_the_text(tmp_path: Path) -> None:
    stamp = Text("arXiv:1706.03762v5 [cs.CL] 6 Dec 2017", 30, 600, 14, turned=True)
    pdf = read_pdf(write_pdf(tmp_path / "x2.pdf", [[stamp, *FIRST_PAGE]]))
    assert pdf.description.arxiv == "1706.03762"
    assert "1706" not in pdf.markdown


def test_one_doi_on_the_first_page_is_the_papers_and_two_are_nobodys(tmp_path: Path) -> None:
    first = Text("https://doi.org/10.1000/delta.7", 72, 740, 8)
    assert described(tmp_path / "a.pdf", [*FIRST_PAGE, first]).doi == "10.1000/delta.7"
    cited = Text("see doi:10.1000/other.1", 72, 700, 8)
    assert described(tmp_path / "b.pdf", [*FIRST_PAGE, first, cited]).doi is None


def test_xmp_is_read(tmp_path: Path) -> None:
    xmp = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/">
    <prism:doi>10.1000/Delta.7</prism:doi><prism:publicationDate>2018-03-01</prism:publicationDate>
    </rdf:Description></rdf:RDF></x:xmpmeta>"""
    description = described(tmp_path / "a.pdf", FIRST_PAGE, Fields(xmp=xmp))
    assert (description.doi, description.year) == ("10.1000/delta.7", "2018")
