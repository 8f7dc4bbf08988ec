"""Which year of a first page is the paper's own."""

from pathlib import Path

import pytest

from ingest.pdf.reading import read_pdf
from tests.ingest.pdf.made_pdf import BOLD, Text, paragraph, write_pdf

BODY = paragraph(
    "In 1999 the rivers of the plain were measured by many, and again in the summer of 2001. " * 12, 72, 250, 80
)
TITLE, AUTHOR = Text("How Rivers Build Land", 150, 120, 18, BOLD), Text("Ana Shore", 150, 150, 11)


def year_of(tmp_path: Path, *texts: Text) -> str:
    return read_pdf(write_pdf(tmp_path / "x.pdf", [[TITLE, AUTHOR, *texts, *BODY]])).description.year


@pytest.mark.parametrize(
    ("line", "year"),
    [
        (Text("OOPS Messenger 4,4 (Oct. 1993), 2-27.", 72, 50), "1993"),
        (Text("Computing Surveys, Vol 17 n. 4, pp 471-522, December 1985", 72, 50), "1985"),
        (Text("Theory of Tides 321 (2004) 5-12", 72, 50), "2004"),
        (Text("Higher Tides, 13, 11–49, 2000", 72, 50), "2000"),
        (Text("June 19, 2008", 150, 180), "2008"),
        (Text("Janvier 2011", 150, 180), "2011"),
        (Text("(Draft of October 7, 2013)", 150, 180), "2013"),
        (Text("0-7695-2985-2/07 $25.00 © 2007 IEEE", 72, 760, 8), "2007"),
        (Text("ACM 978-1-4503-3834-9/15/10", 72, 760, 8), "2015"),
        (Text("Published in the Proceedings of TIDES 2012", 72, 760, 8), "2012"),
        (Text("2008/6/16", 500, 760, 7), "2008"),
        (Text("2014 Research Paper Competition", 150, 770), "2014"),
        (Text("2013 TIDES Annual Technical Conference (TIDES ’13) 213", 72, 760, 9), "2013"),
        (Text("Northern Symposium on Tides 2011", 150, 180), "2011"),
        (Text("arXiv:math/0405482v2 [math.CO] 12 Sep 2016", 30, 600, 14, turned=True), "2016"),
    ],
)
def test_a_printed_year_is_the_papers(tmp_path: Path, line: Text, year: str) -> None:
    assert year_of(tmp_path, line) == year


def test_a_meeting_is_told_over_two_lines(tmp_path: Path) -> None:
    foot = [Text("Proceedings of the 20th Conference", 72, 740, 8), Text("Santiago, Chile, 1994", 72, 750, 8)]
    assert year_of(tmp_path, *foot) == "1994"


@pytest.mark.parametrize(
    "line",
    [
        Text("A proof of 1999 and of the year 2001", 72, 250),
        Text("Downloaded from tides.example on: Aug 15, 2016", 72, 20, 8),
        Text("1 Shore, A., On Tides, Journal of Tides, July 1948, p. 623", 72, 720, 8),
        Text("5. “Tide tables.” The Coast, 19 June 2019, tides.example", 72, 720, 8),
        Text("prizewinner, and the 2010 ACM Prize in Computing.", 72, 402, 8),
        Text("2010 Mathematics Subject Classification. Primary 14T05", 72, 720, 8),
        Text("Received 15 August 2002", 150, 180, 8),
    ],
)
def test_another_year_is_not(tmp_path: Path, line: Text) -> None:
    assert year_of(tmp_path, line) == ""
