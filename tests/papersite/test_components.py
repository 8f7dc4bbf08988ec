"""The components of the pages: everything from the library is escaped, and what a paper lacks is left out."""

import re
from collections.abc import Collection, Iterable

import pytest
from django.template import engines
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.test.utils import override_script_prefix
from django.utils.safestring import SafeString

from papers.search.results import ListedPaper, ListedTexts, ShownPassage
from papersite.jinja import marked, marked_words

HOSTILE = "<script>alert('&\"')</script>"


def listed(**changes: object) -> ListedPaper:
    facts: dict[str, object] = {
        "paper_id": "123",
        "title": "A title",
        "marked_title": "A title",
        "year": 2017,
        "venue": "unknown",
        "authors": [],
        "snippet": "",
        "score": 1.0,
        "matched": (),
    }
    return ListedPaper(**{**facts, **changes})  # type: ignore[arg-type]


def component(file: str, name: str, *arguments: object) -> str:
    environment = engines["jinja2"].env  # type: ignore[attr-defined]  # Django's types know its own engine alone
    return str(getattr(environment.get_template(f"components/{file}.html").module, name)(*arguments))


def hit_list(
    papers: Iterable[ListedPaper], basket_ids: Collection[str] = (), query_string: str = "", place: int | None = None
) -> str:
    return "".join(
        component("hit", "hit", paper, basket_ids, query_string, place and place + number)
        for number, paper in enumerate(papers)
    )


def brief_list(papers: Iterable[ListedPaper]) -> str:
    return "".join(component("hit", "brief", paper) for paper in papers)


def test_nothing_that_a_library_holds_becomes_markup() -> None:
    paper = listed(
        title=HOSTILE,
        marked_title=f"[[[{HOSTILE}]]]",
        venue=HOSTILE,
        authors=[HOSTILE],
        snippet=f"{HOSTILE} [[[{HOSTILE}]]]",
        passages=(ShownPassage(f"[[[{HOSTILE}]]]", HOSTILE, 3, f"/{HOSTILE}"),),
        matched=(HOSTILE,),
    )
    assert "<script" not in hit_list([paper], (), HOSTILE, 1)
    assert "<script" not in hit_list([listed(snippet=HOSTILE)], (), "", None)


def test_a_paper_without_facts_has_no_empty_places() -> None:
    html = hit_list([listed(year=None)], (), "", None)
    assert "n.d." in html
    assert "Unknown authors" in html
    assert "·" not in html
    assert 'class="badge"' not in html
    assert 'class="why"' not in html
    assert 'href="/papers/123/"' in html


def test_texts_of_a_paper_are_links_in_a_fixed_order() -> None:
    texts = ListedTexts(2, ["de", "fr", "ja", "zh", "es"], has_source=True, has_bibtex=True, has_pdf=True)
    html = hit_list([listed(texts=texts)], ["123"], "", None)
    labels = ["Summary (2)", "Source", "German", "French", "Japanese", "Chinese", "PDF", "BibTeX", "In basket"]
    found = [match[1].strip() for match in re.finditer(r">([^<>]+)<", html)]
    places = [found.index(label) for label in labels]
    assert places == sorted(places)
    assert "Spanish" not in html


def test_papers_know_their_place_in_the_list() -> None:
    html = hit_list([listed(), listed(paper_id="456")], (), "q=a&b=c", 21)
    assert 'href="/papers/123/?list=q%3Da%26b%3Dc&amp;at=21"' in html
    assert 'href="/papers/456/?list=q%3Da%26b%3Dc&amp;at=22"' in html


def test_passages_take_the_place_of_the_snippet() -> None:
    passage = ShownPassage("the [[[words]]]", "Source", None, "/papers/123/source/?passage=1#p-1")
    html = hit_list([listed(snippet="a snippet", passages=(passage,))], (), "", None)
    assert "a snippet" not in html
    assert "the <mark>words</mark>" in html
    assert ">Source</a>" in html
    assert html.count("/papers/123/source/?passage=1#p-1") == 1  # the title opens the paper


def test_values_are_escaped_unless_they_are_markup() -> None:
    assert marked_words("a [[[<b>]]]") == "a <mark>&lt;b&gt;</mark>"
    assert marked("a [[[<b>]]] <i>") == "a <mark>&lt;b&gt;</mark> &lt;i&gt;"
    assert "<math" in marked("the norm $x^2$ of it, $5 and $6")
    assert component("hit", "titled", "A title", SafeString("<i>x</i>")) == '<bdi dir="auto" ><i>x</i></bdi>'
    assert component("hit", "titled", "<i>") == '<bdi dir="auto" >&lt;i&gt;</bdi>'
    assert component("hit", "titled", "深度学习").startswith('<bdi dir="auto" lang="zh">')


def test_papers_beside_something_else_are_brief() -> None:
    authors = ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Edsger Dijkstra"]
    html = brief_list([listed(authors=authors, year=None), listed(title=HOSTILE, authors=[HOSTILE])])
    assert "<bdi>Ada Lovelace, Grace Hopper and 2 others</bdi> · n.d." in html
    assert html.count('href="/papers/123/"') == 2
    assert "<script" not in html


def test_a_brief_paper_without_authors_has_its_year_alone() -> None:
    assert "<p>2017</p>" in brief_list([listed()])


def test_only_long_places_are_shortened() -> None:
    fits, too_long = "x" * 60, "y" * 61
    passages = tuple(ShownPassage("", place, None, "/papers/123/") for place in (fits, too_long))
    html = hit_list([listed(passages=passages)])
    assert f">{fits}<" in html
    assert f">{'y' * 59}…<" in html


@pytest.mark.parametrize(
    ("path", "current"),
    [("/papers/", 'aria-current="page"'), ("/papers/123/", 'aria-current="true"'), ("/stats/", "")],
)
def test_a_link_of_the_header_says_whether_the_reader_is_there(path: str, current: str) -> None:
    header = render_to_string("_header.html", {"own_search": True}, RequestFactory().get(path))
    link = header[: header.index(">Papers<")].rpartition("<a")[2]
    assert link.split() == ['href="/papers/"', *([current] if current else [])]


@pytest.mark.parametrize("waiting", [0, 1, 12])
def test_the_header_counts_the_searches_that_wait(waiting: int) -> None:
    context = {"with_searches": True, "pending_searches": ["a search"] * waiting}
    header = render_to_string("_header.html", context)
    assert re.findall(r"waiting for a decision: </span>(\d+)</span>", header) == [str(waiting)] * bool(waiting)


def test_links_of_a_site_below_a_path_are_below_it() -> None:
    with override_script_prefix("/library/"):
        assert 'href="/library/stats/"' in render_to_string("_header.html", {}, RequestFactory().get("/"))


@pytest.mark.parametrize("theme", ["auto", "dark", "light"])
def test_the_theme_in_use_is_checked(theme: str) -> None:
    footer = " ".join(render_to_string("_footer.html", {"theme": theme}).split())
    assert f'value="{theme}" checked>' in footer
    assert footer.count("checked") == 1


def test_the_footer_escapes_what_it_is_given() -> None:
    footer = render_to_string("_footer.html", {"library": {"build_id": "<b>", "built_at": "", "papers": 1}})
    assert "&lt;b&gt;" in footer
