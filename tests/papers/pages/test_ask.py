"""The page that answers a question with passages."""

import re
from io import StringIO
from pathlib import Path

import pytest
from django.test import Client

from papersite.command.commands import call_command
from tests.snapshot import SamplePaper, build


def asked(client: Client, question: str) -> str:
    response = client.get("/ask/", {"q": question})
    assert response.status_code == 200
    return response.content.decode()


def test_a_question_finds_passages_with_a_link_that_opens_the_text_there(client: Client) -> None:
    page = asked(client, "what does the transformer rely on?")
    links = re.findall(r'href="(/papers/[^"]+\?passage=\d+-[0-9a-f]{6}#[^"]+)"', page)
    assert links
    text = client.get(links[0].partition("#")[0])
    assert text.status_code == 200
    anchor = links[0].partition("#")[2]
    assert f'id="{anchor}"' in text.content.decode()


def test_the_words_of_the_question_are_marked_and_the_quotation_can_be_copied(client: Client) -> None:
    page = asked(client, "transformer")
    assert re.search(r"<mark>[Tt]ransformer", page)
    assert re.search(r'<pre class="vh" aria-hidden="true">“[^<]+” \([^<]+\)</pre>', page)
    assert "data-copy" in page


def test_a_question_that_nothing_answers_gets_no_evidence(client: Client) -> None:
    page = asked(client, "zyzzyva quokka habitats")
    assert "Nothing here answers this" in page
    assert "<blockquote" not in page


def test_without_a_question_there_is_only_the_form(client: Client) -> None:
    for question in ("", "   ", "\u200b"):
        page = client.get("/ask/", {"q": question}).content.decode()
        assert 'name="q"' in page
        assert "Nothing here answers this" not in page


def test_markup_in_a_question_is_text(client: Client) -> None:
    assert "<script>alert" not in asked(client, "<script>alert(1)</script>")


@pytest.mark.parametrize("question", ["a" * 501, "a" * 100_000])
def test_a_question_that_is_too_long_is_said(client: Client, question: str) -> None:
    response = client.get("/ask/", {"q": question})
    assert response.status_code == 400
    assert "500" in response.content.decode()


def test_evidence_is_a_way_to_see_a_search_with_its_filters(client: Client) -> None:
    listed = client.get("/papers/", {"q": "transformer memory", "year_to": "2000"}).content.decode()
    evidence = re.search(r'href="(/ask/\?[^"]+)"', listed)
    assert evidence
    page = client.get(evidence[1].replace("&amp;", "&")).content.decode()
    assert set(re.findall(r'href="/papers/([^/"]+)/[^"]*\?passage=', page)) == {"456"}
    assert 'name="year_to" value="2000"' in page
    assert 'href="/ask/?q=transformer+memory"' in page


def test_both_ways_to_see_a_search_say_which_one_is_shown(client: Client) -> None:
    for path, shown in (("/papers/", "Papers"), ("/ask/", "Evidence")):
        page = client.get(path, {"q": "transformer"}).content.decode()
        ways = re.search(r'aria-label="Ways to see this search">(.*?)</nav>', page, re.DOTALL)
        assert ways
        assert re.findall(r'href="([^"]+)" aria-current="page">(\w+)', ways[1]) == [(f"{path}?q=transformer", shown)]


def test_a_passage_below_no_heading_is_said_to_be_in_its_text(client: Client, own_library: Path) -> None:
    build(own_library.parent, [SamplePaper("p1", "Owls", ["Ada Ames"], source="Owls hunt by ear in the dark.")])
    assert re.search(r">\s*Open in Authors&#39; text\s*</a>", asked(client, "owls hunt by ear"))


def test_a_title_opens_the_paper_and_a_passage_the_full_text_there(client: Client, own_library: Path) -> None:
    call_command("build_index", own_library.parent, stdout=StringIO(), stderr=StringIO())
    listed = client.get("/papers/", {"q": "no play makes"}).content.decode()
    assert re.search(r'<h3>\s*<a href="/papers/456/(?:\?list=[^"]+)?"', listed)
    passage = re.search(r'<a class="badge" href="(/papers/456/source/\?passage=[^"]+#p-\d+)"', listed)
    assert passage
    text = client.get(passage[1].partition("#")[0]).content.decode()
    assert f'id="{passage[1].partition("#")[2]}"' in text


def test_a_hit_in_a_summary_opens_there_and_leads_on_to_its_neighbours(client: Client, own_library: Path) -> None:
    call_command("build_index", own_library.parent, stdout=StringIO(), stderr=StringIO())
    listed = client.get("/papers/", {"q": "memory cell"}).content.decode()
    passage = re.search(r'<a class="badge" href="(/papers/456/summary/simple/\?passage=[^"]+)"', listed)
    assert passage
    address, _, anchor = passage[1].replace("&amp;", "&").partition("#")
    assert address.endswith("&list=q%3Dmemory%2Bcell&at=1")
    assert f'id="{anchor}"' in client.get(address).content.decode()


def test_a_common_word_of_a_question_is_no_evidence(client: Client, own_library: Path) -> None:
    build(own_library.parent, [SamplePaper(f"p{n}", f"Paper {n}", [], source="A good method.") for n in range(30)])
    call_command("build_index", own_library.parent, stdout=StringIO(), stderr=StringIO())
    assert "Nothing here answers this" in asked(client, "is coffee good?")
    assert "<blockquote" in asked(client, "good method")


def test_what_shares_a_word_by_chance_is_left_out(client: Client, own_library: Path) -> None:
    papers = [
        SamplePaper("p1", "Owls", [], source="Owls hunt voles in the dark by ear."),
        SamplePaper("p2", "Rooms", [], source="A dark room is easy to sleep in."),
    ]
    build(own_library.parent, papers)
    page = asked(client, "how do owls hunt voles in the dark by ear?")
    assert "Owls</mark> <mark>hunt" in page
    assert "easy to sleep" not in page
