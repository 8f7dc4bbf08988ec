"""Lists of papers as HTML: everything from the library is escaped, and what a paper lacks is left out."""

from django.utils.safestring import SafeString

from papers.pages.hit_list import PLACE_CHARS, brief_list, hit_list, shortened
from papers.pages.markup import filled, filled_rows, marked, marked_words
from papers.search.results import ListedPaper, ListedTexts, ShownPassage

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
    places = [html.index(f">{label}<") for label in labels]
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
    assert html.count("/papers/123/source/?passage=1#p-1") == 2


def test_values_are_escaped_unless_they_are_markup() -> None:
    assert filled("<b>{}</b>", "<i>") == "<b>&lt;i&gt;</b>"
    assert filled("<b>{}</b>", SafeString("<i>")) == "<b><i></b>"
    assert filled_rows("<b>{}</b>", [("'",), (1,)]) == "<b>&#x27;</b><b>1</b>"
    assert marked_words("a [[[<b>]]]") == "a <mark>&lt;b&gt;</mark>"
    assert "<math" in marked("the norm $x^2$ of it, $5 and $6")


def test_papers_beside_something_else_are_brief() -> None:
    authors = ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Edsger Dijkstra"]
    html = brief_list([listed(authors=authors, year=None), listed(title=HOSTILE, authors=[HOSTILE])])
    assert "<bdi>Ada Lovelace, Grace Hopper and 2 others</bdi> · n.d." in html
    assert html.count('href="/papers/123/"') == 2
    assert "<script" not in html


def test_a_brief_paper_without_authors_has_its_year_alone() -> None:
    assert "<p>2017</p>" in brief_list([listed()])


def test_only_long_places_are_shortened() -> None:
    fits, too_long = "x" * PLACE_CHARS, "x" * (PLACE_CHARS + 1)
    assert shortened(fits) == fits
    assert shortened(too_long) == f"{'x' * (PLACE_CHARS - 1)}…"
