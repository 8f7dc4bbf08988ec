"""What a library of bibliographies gives back: citations that carry the papers' whole records."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connections
from django.test import Client
from pytest_django import Settings

from papers import tools
from papers.snapshot import served
from tests.ingest.library import build, write_lines, write_summaries

RIS = """TY  - JOUR
AU  - Pérez Marc, Gonzalo
AU  - King, Martin Luther, Jr.
AU  - World Health Organization
ED  - Itor, Ed
TI  - Trials: What They Show
T2  - Journal of Trials
T3  - A Series
PY  - 2012
DA  - 2012/04/05
VL  - 379
IS  - 9823
SP  - 1393
EP  - 1402
PB  - Press & Sons
CY  - Lima
SN  - 0140-6736
LA  - es
UR  - https://example.org/trials?a_b=1
N1  - Retold 100%
AB  - The abstract.
KW  - mRNA Vaccines
KW  - DNA
ER  -
"""
BIB = """@book{volume2020,
  title = {Volume},
  subtitle = {With \\LaTeX{} in it},
  editor = {Itor, Ed},
  publisher = {Press \\& Sons},
  volume = {7},
  language = {german},
  note = {Retold},
  year = {2020}
}
"""
CSL = {
    "type": "article-magazine",
    "title": "A Magazine Piece",
    "author": [
        {"family": "Maaten", "given": "Laurens", "non-dropping-particle": "van der"},
        {"literal": "The Team"},
    ],
    "editor": [{"family": "Itor", "given": "Ed", "suffix": "Jr."}],
    "issued": {"date-parts": [[2015, 5]]},
    "container-title": "The Magazine",
    "volume": "3",
    "issue": "2",
    "page": "12-20",
    "publisher": "Press",
    "language": "en-GB",
    "note": "Retold",
    "URL": "https://example.org/piece",
    "keyword": "Machine Learning, DNA",
}
OWN = {
    "paper_title": "Summarised Here",
    "paper_authors": ["Ann One"],
    "publication_date": "2020",
    "abstract": "What this site says of it.",
    "summary": "## Summary\n\nWhat this site says of it. And more.",
}


@pytest.fixture
def site(tmp_path: Path, settings: Settings, client: Client) -> Iterator[Client]:
    """A site that serves a library made of one bibliography of each kind."""
    (tmp_path / "a.ris").write_text(RIS, encoding="utf-8")
    (tmp_path / "b.bib").write_text(BIB, encoding="utf-8")
    (tmp_path / "c.json").write_text(json.dumps([CSL]), encoding="utf-8")
    inputs = [tmp_path / name for name in ("a.ris", "b.bib", "c.json")]
    inputs += [write_summaries(tmp_path / "d.json", OWN), write_lines(tmp_path / "e.jsonl", {"title": "Bare"})]
    built = build(tmp_path / "library", *inputs)
    settings.SNAPSHOT, settings.ASSETS = built.out / "paper_snapshot.db", str(built.out / "static")
    served.renew()
    yield client
    connections["snapshot"].close()


def paper_id(title: str) -> str:
    return next(paper.paper_id for paper in tools.filter_papers(limit=100).papers if paper.title.startswith(title))


def body(site: Client, title: str, suffix: str) -> str:
    return site.get(f"/papers/{paper_id(title)}.{suffix}").content.decode()


def test_a_ris_record_is_given_back_line_by_line(site: Client) -> None:
    assert sorted(map(str.strip, body(site, "Trials", "ris").splitlines())) == sorted(RIS.splitlines())


def test_a_bibtex_entry_is_given_back_as_it_was_written(site: Client) -> None:
    assert body(site, "Volume", "bib") == BIB


def test_a_csl_item_is_given_back_with_every_field(site: Client) -> None:
    (item,) = json.loads(body(site, "A Magazine", "csl"))
    assert {name: value for name, value in item.items() if name != "id"} == CSL


def test_a_volume_is_exported_with_its_editor_publisher_language_and_note(site: Client) -> None:
    record = body(site, "Volume", "ris").split("\r\n")
    assert "TI  - Volume: With LaTeX in it" in record
    assert {"TY  - BOOK", "ED  - Itor, Ed", "PB  - Press & Sons", "VL  - 7", "LA  - german", "N1  - Retold"} <= {
        *record
    }
    assert not [line for line in record if line.startswith(("AU", "T2", "UR"))]


def test_every_paper_that_is_built_has_bibtex(site: Client) -> None:
    papers = tools.filter_papers(limit=100).papers
    entries = [tools.get_paper_bibtex(paper.paper_id) for paper in papers]
    assert len({entry.bibtex_key for entry in entries}) == len(papers) == 5
    assert "author = {Pérez Marc, Gonzalo and King, Jr., Martin Luther and {World Health Organization}}" in (
        tools.get_paper_bibtex(paper_id("Trials")).bibtex_raw
    )


def test_keywords_keep_their_case(site: Client) -> None:
    assert tools.get_paper_metadata(paper_id("Trials")).keywords == ["mRNA Vaccines", "DNA"]


@pytest.mark.parametrize("suffix", ["ris", "csl", "bib"])
def test_no_export_has_an_address_of_this_site(site: Client, suffix: str) -> None:
    for title in ("Trials", "Volume", "A Magazine", "Summarised", "Bare"):
        assert "testserver" not in body(site, title, suffix)


def test_a_summary_of_this_site_is_not_exported_as_abstract(site: Client) -> None:
    assert "What this site says" not in body(site, "Summarised", "ris")
    assert "What this site says" not in body(site, "Summarised", "csl")
    assert "AB  - The abstract." in body(site, "Trials", "ris")


def test_a_page_tells_programs_the_whole_record(site: Client) -> None:
    page = site.get(f"/papers/{paper_id('Trials')}/").content.decode()
    tags = dict(re.findall(r'<meta name="(citation_\w+)" content="([^"]*)">', page))
    assert tags["citation_editor"] == "Ed Itor"
    assert (tags["citation_volume"], tags["citation_issue"]) == ("379", "9823")
    assert (tags["citation_firstpage"], tags["citation_lastpage"]) == ("1393", "1402")
    assert (tags["citation_publication_date"], tags["citation_language"]) == ("2012/04/05", "es")
    assert tags["citation_publisher"] == "Press &amp; Sons"
    found = re.search(r'<script type="application/ld\+json"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert found is not None
    linked = json.loads(found[1])
    assert (linked["volumeNumber"], linked["issueNumber"], linked["pagination"]) == ("379", "9823", "1393-1402")
    assert linked["publisher"]["name"] == "Press & Sons"
    assert (linked["datePublished"], linked["inLanguage"]) == ("2012-04-05", "es")


def test_the_reference_names_volume_and_pages(site: Client) -> None:
    page = site.get(f"/papers/{paper_id('Trials')}/").content.decode()
    assert "Pérez Marc, G., King, M. L., Jr., World Health Organization (2012)." in page
    assert "Journal of Trials, 379(9823), 1393-1402." in page
