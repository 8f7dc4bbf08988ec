"""Papers and lists for programs: the same address with an ending."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import rispy
from bibtexparser.entrypoint import parse_string
from django.test import Client
from pytest_django import Settings

from papers.snapshot import served
from tests import snapshot as sample

ATOM = "{http://www.w3.org/2005/Atom}"


def body(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200, url
    return response.content.decode()


def test_a_paper_as_json_is_its_metadata(client: Client) -> None:
    paper = json.loads(body(client, "/papers/123.json"))
    assert paper["authors"] == ["Ashish Vaswani", "Noam Shazeer", "Łukasz Kaiser"]
    assert paper["doi"] == "10.5555/3295222.3295349"


def test_a_paper_as_markdown_has_its_summary(client: Client) -> None:
    assert "The transformer needs attention alone." in body(client, "/papers/123.md")


def test_stored_bibtex_is_given_as_it_is(client: Client) -> None:
    assert body(client, "/papers/123.bib").startswith("@inproceedings{vaswani2017attention,\n  title = {Attention Is")


def test_bibtex_that_is_not_stored_is_made_from_the_metadata(client: Client) -> None:
    library = parse_string(body(client, "/papers/789.bib"))
    assert library.entries[0]["title"] == r"BERT \& <b>Friends</b>: 100\% of \_All\_ Transformers"


def test_ris_and_csl_name_the_authors(client: Client) -> None:
    assert rispy.loads(body(client, "/papers/456.ris"))[0]["authors"][0] == "Hochreiter, Sepp"
    assert json.loads(body(client, "/papers/456.csl"))[0]["author"][0]["family"] == "Hochreiter"


def test_a_list_as_json_has_its_facets_and_leads_on(client: Client) -> None:
    listed = json.loads(body(client, "/papers.json?q=transformer"))
    assert listed["total"] == 2
    assert listed["facets"]["venue"] == {"naacl": 1, "neurips": 1}
    assert listed["next"] is None


@pytest.mark.usefixtures("alike")
def test_a_list_has_no_papers_that_only_share_a_word(client: Client) -> None:
    """Whoever asks for a title wants its entry, not those of other papers."""
    title = "q=Attention+in+long+sentences,+part+3"
    listed = json.loads(body(client, f"/papers.json?{title}"))
    assert [paper["paper_id"] for paper in listed["papers"]] == ["p3"]
    assert (listed["total"], listed["beyond"], listed["next"]) == (1, 4, None)
    assert len(parse_string(body(client, f"/papers.bib?{title}")).entries) == 1
    assert body(client, f"/papers.atom?{title}").count("<entry>") == 1


def test_a_stored_entry_with_unbalanced_braces_is_replaced_and_the_page_says_so(
    client: Client, own_library: Path
) -> None:
    sample.change(own_library, "UPDATE paper_bibtex SET bibtex_raw = replace(bibtex_raw, '},', ',')")
    text = body(client, "/papers/123.bib")
    assert text.startswith("% The BibTeX entry stored with this paper has unbalanced braces")
    assert parse_string(text).entries[0].key == "vaswani2017attention"
    listed = parse_string(body(client, "/papers.bib"))
    assert (len(listed.entries), listed.failed_blocks) == (5, [])
    assert "has unbalanced braces" in body(client, "/papers/123/bibtex/")
    assert "has unbalanced braces" in body(client, "/papers/123/?cite=1")


def test_a_list_as_bibtex_has_every_paper_under_its_own_key(client: Client) -> None:
    library = parse_string(body(client, "/papers.bib"))
    assert len({entry.key for entry in library.entries}) == 5


def test_a_list_as_csv_has_no_formulas(client: Client) -> None:
    rows = list(csv.reader(io.StringIO(body(client, "/papers.csv"))))
    assert rows[0][:2] == ["paper_id", "title"]
    assert len(rows) == 6


def test_a_list_as_feed(client: Client) -> None:
    feed = ET.fromstring(body(client, "/papers.atom?q=transformer"))
    assert [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")].count(
        "Attention Is All You Need"
    ) == 1


def test_control_characters_do_not_break_a_feed(client: Client) -> None:
    assert ET.fromstring(body(client, "/papers.atom?q=a%0Bb")).findtext(f"{ATOM}title") == "Papers: a b"


def test_browsers_learn_how_to_search(client: Client) -> None:
    assert "/papers/?q={searchTerms}" in body(client, "/opensearch.xml")


def test_crawlers_find_the_papers(client: Client) -> None:
    assert "<loc>http://testserver/sitemap-1.txt</loc>" in body(client, "/sitemap.xml")
    assert "http://testserver/papers/123/" in body(client, "/sitemap-1.txt")
    assert client.get("/sitemap-2.txt").status_code == 404


def test_a_large_library_has_several_files_for_crawlers(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = body(client, "/sitemap-1.txt").splitlines()
    monkeypatch.setattr("papers.pages.files.SITEMAP_PAPERS", 2)
    files = re.findall(r"<loc>http://testserver(.*?)</loc>", body(client, "/sitemap.xml"))
    assert len(files) == 3
    assert [line for file in files for line in body(client, file).splitlines()] == whole


@pytest.mark.parametrize("name", ["none.png", "x.html", "..%2Fsecret.png", "x.exe"])
def test_only_pictures_of_the_library_are_served(client: Client, name: str) -> None:
    assert client.get(f"/assets/images/{name}").status_code == 404


def test_in_place_of_a_missing_picture_there_is_one_that_says_so(client: Client) -> None:
    response = client.get(f"/assets/images/{'ab' * 32}.png")
    assert response.status_code == 404
    assert response["Content-Type"] == "image/svg+xml"
    assert "not in the library" in response.content.decode()
    assert "immutable" not in response.get("Cache-Control", "")


def test_a_picture_whose_store_is_silent_is_out_of_reach_not_missing(client: Client, settings: Settings) -> None:
    settings.ASSETS = "http://127.0.0.1:9"
    assert client.get(f"/assets/images/{'ab' * 32}.png").status_code == 503


@pytest.mark.parametrize("page", ["/papers/123/paper.pdf", "/papers/123/pdf/", "/papers/123/", "/sitemap.xml"])
def test_without_a_snapshot_a_page_says_that_the_library_cannot_be_read(
    client: Client, settings: Settings, tmp_path: Path, page: str
) -> None:
    settings.SNAPSHOT = tmp_path / "gone.db"
    served.renew()
    response = client.get(page)
    assert response.status_code == 503
    assert "The paper library cannot be read" in response.content.decode()


def test_a_paper_with_a_pdf_shows_and_gives_it(client: Client, own_library: Path) -> None:
    sample.change(own_library, f"UPDATE paper SET pdf_content_hash = '{'ab' * 32}' WHERE paper_id = '123'")
    served.renew()
    file = own_library.parent / "static" / "pdf" / f"{'ab' * 32}.pdf"
    file.parent.mkdir()
    file.write_bytes(b"%PDF-1.4")
    assert client.get("/papers/123/pdf/").status_code == 200
    assert client.get("/papers/123/paper.pdf").getvalue() == b"%PDF-1.4"
    assert "/papers/123/paper.pdf" in client.get("/papers/123/").content.decode()
    assert client.get("/papers/456/paper.pdf").status_code == 404


def test_a_list_comes_in_every_form(client: Client) -> None:
    client.post("/basket/toggle/", {"toggle": "123"})
    assert "TY  - " in client.get("/basket/papers.ris").content.decode()
    assert "Attention Is All You Need" in client.get("/basket/papers.md").content.decode()
    assert client.get("/basket/papers.doc").status_code == 400
