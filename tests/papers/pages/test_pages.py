"""The pages of the library, as curl sees them."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from django.template import engines
from django.test import Client

from papers.pages import overview
from papers.pages.charts import year_chart
from papers.search.list_query import ListQuery
from papers.snapshot import served
from papersite.jinja import people
from tests import snapshot as sample
from tests.snapshot import SamplePaper

CSS = "papersite/static/papersite/site.css"
PAGES = [
    "/",
    "/papers/",
    "/papers/?q=transformer&has=source&year_from=2000",
    "/papers/?q=nothing-matches-this",
    "/papers/123/",
    "/papers/123/?cite",
    "/papers/123/?list=q%3Dtransformer&at=1",
    "/papers/123/summary/deep_read/",
    "/papers/123/source/",
    "/papers/123/translation/zh/",
    "/papers/123/bibtex/",
    "/papers/123/side-by-side/",
    "/papers/undated/",
    "/by/author/",
    "/by/author/noam%20shazeer/",
    "/stats/",
    "/basket/",
]


def text(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200, url
    return response.content.decode()


@pytest.mark.parametrize("url", PAGES)
def test_every_page_is_whole_and_holds_nothing_inline(client: Client, url: str) -> None:
    page = text(client, url)
    assert page.count("<h1") == 1
    assert len(re.findall(r"<main ", page)) == 1
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*(\ssrc=|ld\+json))", page)


@pytest.mark.parametrize("url", PAGES)
def test_no_id_stands_twice_on_a_page(client: Client, url: str) -> None:
    found = re.findall(r'\sid="([^"]+)"', text(client, url))
    assert len(found) == len(set(found))


def test_a_title_with_markup_is_text(client: Client) -> None:
    page = text(client, "/papers/789/")
    assert "BERT &amp; &lt;b&gt;Friends&lt;/b&gt;" in page
    assert "<b>Friends" not in page


def test_a_chinese_title_says_its_language(client: Client, own_library: Path) -> None:
    papers = [
        SamplePaper("zh", "注意力机制", []),
        SamplePaper("ja", "めざまし時計", []),
        SamplePaper("en", "Clocks", []),
    ]
    sample.build(own_library.parent, papers)
    served.renew()
    for url in ("/papers/", "/papers/zh/"):
        assert re.search(r'<bdi\s+dir="auto"\s+lang="zh"\s*>注意力机制</bdi>', text(client, url))
    assert re.search(r'<h1><bdi\s+dir="auto"\s+lang="ja"\s*>', text(client, "/papers/ja/"))
    assert re.search(r'<h1><bdi\s+dir="auto"\s*>Clocks', text(client, "/papers/en/"))


def test_nothing_in_a_name_becomes_markup(client: Client, own_library: Path) -> None:
    hostile = "<b>'&\"</b>"
    facts = {"keywords": [hostile], "tags": [hostile], "institutions": [hostile], "venue": hostile}
    sample.build(own_library.parent, [SamplePaper("one", hostile, [hostile, "Bo Li"], **facts)])  # type: ignore[arg-type]  # a plain dict
    page = client.get("/papers/one/").content.decode()
    assert "<b>" not in page
    assert "</b>" not in page
    shown = "&lt;b&gt;&#39;&amp;&#34;&lt;/b&gt;"
    for name in ("citation_title", "citation_author", "citation_keywords"):
        assert f'<meta name="{name}" content="{shown}">' in page
    quoted = "%3Cb%3E%27%26%22%3C%2Fb%3E"
    for category, badge in (
        ("author", ""),
        ("institution", ""),
        ("keyword", 'class="badge" '),
        ("tag", 'class="badge" '),
    ):
        assert f'<a {badge}href="/by/{category}/{quoted}/"><bdi>{shown}</bdi></a>' in page
    authors = page[page.index('<p class="authors">') :].split("</p>")[0]
    assert [part.split("<bdi>")[-1].split("</bdi>")[0] for part in authors.split(",")] == [shown, "Bo Li"]


def test_a_badge_leads_to_the_value_as_it_is_written(client: Client, own_library: Path) -> None:
    sample.build(own_library.parent, [SamplePaper("one", "One", ["Ada Lovelace"], keywords=["C/C++"])])
    page = client.get("/papers/one/").content.decode()
    assert '<a class="badge" href="/by/keyword/C%2FC%2B%2B/"><bdi>C/C++</bdi></a>' in page
    assert '<a href="/by/author/ada%20lovelace/"><bdi>Ada Lovelace</bdi></a>' in page


def test_search_answers_a_typing_reader_with_the_list_alone(client: Client) -> None:
    response = client.get("/papers/?q=transformer", headers={"HX-Request": "true"})
    page = response.content.decode()
    assert "<html" not in page
    assert 'data-announce="2 papers"' in page
    assert "HX-Request" in response["Vary"]


def test_filters_are_links_that_combine_with_the_words(client: Client) -> None:
    page = unescape(text(client, "/papers/?q=transformer&venue=neurips"))
    assert "/papers/?q=transformer&venue=neurips&keyword=self-attention" in page
    assert re.search(r'class="chip" href="/papers/\?q=transformer"', page)


def test_an_empty_list_says_what_to_try(client: Client) -> None:
    page = text(client, "/papers/?q=transformer&tag=classic")
    assert "No papers match" in page
    assert "Without tag: classic (2)" in page


@pytest.mark.parametrize(("url", "code"), [("/papers/?page=0", 400), ("/papers/none/", 404), ("/by/author/x/", 404)])
def test_what_cannot_be_answered_says_why(client: Client, url: str, code: int) -> None:
    assert client.get(url).status_code == code


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("/papers/123/summary/none/", "template_not_available"),
        ("/papers/789/source/", "source_not_available"),
        ("/papers/123/translation/fr/", "translation_not_available"),
        ("/papers/123/pdf/", "source_not_available"),
        ("/papers/none/", "paper_not_found"),
    ],
)
def test_programs_get_the_code_of_the_error(client: Client, url: str, code: str) -> None:
    response = client.get(url, headers={"accept": "application/json"})
    assert (response.status_code, response.json()["error"]) == (404, code)


def test_a_paper_walks_through_the_list_it_came_from(client: Client) -> None:
    page = unescape(text(client, "/papers/123/?list=sort%3Dnewest&at=3"))
    assert "/papers/789/?list=sort%3Dnewest&at=2" in page
    assert "/papers/456/?list=sort%3Dnewest&at=4" in page


@pytest.mark.parametrize("query", ["list=page%3Dx&at=1", "list=q&at=0", "at=x", "at=99999999"])
def test_a_walk_that_makes_no_sense_is_left_out(client: Client, query: str) -> None:
    assert "Papers of the list" not in text(client, f"/papers/123/?{query}")


def test_texts_carry_their_language(client: Client) -> None:
    assert re.search(r'<article\s+class="prose"\s+lang="zh"', text(client, "/papers/123/translation/zh/"))


def test_two_texts_keep_their_anchors_apart(client: Client) -> None:
    page = text(client, "/papers/123/side-by-side/?left=source&right=translation:de")
    assert 'id="a-attention-is-all-you-need"' in page
    assert 'id="b-aufmerksamkeit"' in page


def test_a_side_that_does_not_exist_names_the_choices(client: Client) -> None:
    response = client.get("/papers/123/side-by-side/?left=gold")
    assert response.status_code == 400
    assert "translation:de" in response.content.decode()


def test_a_broken_text_leaves_the_rest_of_the_page(client: Client, own_library: Path) -> None:
    text_file = next((own_library.parent / "static" / "md").iterdir())
    for path in text_file.parent.iterdir():
        path.unlink()
    page = text(client, "/papers/123/source/")
    assert "This text cannot be shown" in page
    assert "About this paper" in page


def test_reference_managers_find_their_tags(client: Client) -> None:
    page = text(client, "/papers/123/")
    assert '<meta name="citation_title" content="Attention Is All You Need">' in page
    assert '<meta name="citation_author" content="Łukasz Kaiser">' in page
    data = re.search(r'ld\+json">\s*(.*?)\s*</script>', page)
    assert data is not None
    assert json.loads(data[1])["@type"] == "ScholarlyArticle"


def test_co_occurring_values_are_shown(client: Client) -> None:
    assert "/by/author/jacob%20devlin/" in text(client, "/by/author/noam%20shazeer/")


def test_a_page_is_not_sent_twice_until_the_library_changes(client: Client, own_library: Path) -> None:
    first = client.get("/papers/123/")
    client.cookies = first.cookies
    settled = client.get("/papers/123/")
    again = client.get("/papers/123/", headers={"if-none-match": settled["ETag"]})
    assert again.status_code == 304
    sample.build(own_library.parent, build_id="another")
    served.served_file().refresh()
    changed = client.get("/papers/123/", headers={"if-none-match": settled["ETag"]})
    assert changed.status_code == 200


def test_theme_and_basket_make_another_page(client: Client) -> None:
    plain = client.get("/papers/")["ETag"]
    client.cookies["theme"] = "dark"
    assert client.get("/papers/")["ETag"] != plain


@pytest.mark.parametrize(("typed", "target"), [("/papers?q=x", "/papers/?q=x"), ("/papers/123", "/papers/123/")])
def test_a_forgotten_slash_is_forgiven(client: Client, typed: str, target: str) -> None:
    assert client.get(typed)["Location"] == target


def test_large_numbers_are_grouped() -> None:
    shown = engines["jinja2"].from_string("{{ 110486|grouped }} {{ 7|grouped }}")
    assert shown.render() == "110,486 7"


def test_a_long_list_links_to_the_pages_around(client: Client, own_library: Path) -> None:
    many = [SamplePaper(f"p{number}", f"Paper {number}", [], year="2020") for number in range(160)]
    sample.build(own_library.parent, many)
    served.renew()
    first, fourth = (client.get(f"/papers/?page={page}").content.decode() for page in (1, 4))
    assert "page=2" in first
    assert "page=5" in fourth


def test_a_search_without_hits_offers_other_years(client: Client) -> None:
    page = client.get("/papers/?q=attention&year_from=1900&year_to=1901").content.decode()
    assert "In any year" in page


def test_a_value_that_occurs_alone_has_no_related_values_and_an_unknown_facet_is_404(
    client: Client, own_library: Path
) -> None:
    assert client.get("/by/nonsense/").status_code == 404
    sample.build(own_library.parent, [SamplePaper("one", "One", [], keywords=["alone"], year="2020", venue="")])
    served.renew()
    assert overview.co_occurring("keyword", "alone") == {}
    assert overview.co_occurring("keyword", "unheard of") == {}


def test_one_text_is_not_shown_beside_itself(client: Client) -> None:
    assert client.get("/papers/undated/side-by-side/")["Location"] == "/papers/undated/"


def test_long_lists_of_names_are_cut_and_charts_need_years() -> None:
    assert people(["a", "b", "c", "d", "e"]) == "a, b, c and 2 others"
    assert year_chart({}, ListQuery().year_urls) is None


@pytest.mark.parametrize("url", ["/", "/stats/", "/papers/", "/by/author/noam%20shazeer/"])
def test_a_chart_says_what_its_bars_are(client: Client, url: str) -> None:
    page = " ".join(text(client, url).split())
    assert re.search(
        r"<figcaption[^>]*> (Papers|Matching papers) per year; a bar leads to its papers </figcaption>", page
    )
    assert re.search(r"<title>2017: 1 paper</title>", page)


def test_a_view_that_a_paper_lacks_is_named_and_not_struck_through(client: Client) -> None:
    page = " ".join(text(client, "/papers/789/").split())
    assert '<span class="off">Source <small>(none)</small></span>' in page
    assert not re.search(r"\.off[^}]*line-through", (Path(sample.__file__).parents[1] / CSS).read_text())


def test_a_venue_that_nobody_knows_is_not_shown(client: Client, own_library: Path) -> None:
    sample.build(own_library.parent, [SamplePaper("one", "One", ["Ana Shore"], venue="unknown")])
    served.renew()
    for url in ("/papers/", "/papers/one/"):
        assert "/by/venue/unknown/" not in text(client, url)
    imprint = text(client, "/papers/one/").partition('<p class="imprint">')[2].partition("</p>")[0]
    assert imprint.split() == ["2020"]
