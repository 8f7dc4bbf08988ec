"""References in citation styles: the seven that come with the site, and files of strangers."""

import pytest

from papercore.errors import InvalidInput
from papercore.processes.children import Unanswerable
from papers import tools
from papers.catalogue.citing import cite
from papers.catalogue.style_files import STYLES, style_file
from papers.catalogue.styled import as_markdown, as_text, styled

LSTM = {
    "type": "article-journal",
    "title": "Long Short-Term Memory",
    "author": [{"family": "Hochreiter", "given": "Sepp"}, {"family": "Schmidhuber", "given": "Jürgen"}],
    "issued": {"date-parts": [[1997, 11]]},
    "container-title": "Neural Computation",
    "volume": "9",
    "issue": "8",
    "page": "1735-1780",
    "DOI": "10.1162/neco.1997.9.8.1735",
}
WANG = {
    "type": "article-journal",
    "title": "The “deep” & the <learned> in a*b",
    "author": [{"family": "王", "given": "小明"}],
    "issued": {"date-parts": [[2020]]},
    "container-title": "中文信息学报",
}
# As the styles' own guides, and other processors of CSL, have it.
EXPECTED = {
    "apa": (
        "(Hochreiter & Schmidhuber, 1997, p. 5)",
        "Hochreiter, S., & Schmidhuber, J. (1997). Long Short-Term Memory. Neural Computation, 9(8), 1735–1780."
        " https://doi.org/10.1162/neco.1997.9.8.1735",
    ),
    "mla": (
        "(Hochreiter and Schmidhuber 5)",
        "Hochreiter, Sepp, and Jürgen Schmidhuber. “Long Short-Term Memory.” Neural Computation, vol. 9, no. 8,"
        " Nov. 1997, pp. 1735–80, https://doi.org/10.1162/neco.1997.9.8.1735.",
    ),
    "chicago": (
        "(Hochreiter and Schmidhuber 1997, 5)",
        "Hochreiter, Sepp, and Jürgen Schmidhuber. 1997. “Long Short-Term Memory.” Neural Computation 9 (8): 1735–80."
        " https://doi.org/10.1162/neco.1997.9.8.1735.",
    ),
    "ieee": (
        "[1, p. 5]",
        "[1] S. Hochreiter and J. Schmidhuber, “Long Short-Term Memory,” Neural Computation, vol. 9, no. 8,"
        " pp. 1735–1780, Nov. 1997, doi: 10.1162/neco.1997.9.8.1735.",
    ),
    "nature": (
        "¹ (p. 5)",
        "1. Hochreiter, S. & Schmidhuber, J. Long Short-Term Memory. Neural Computation 9, 1735–1780 (1997).",
    ),
    "harvard": (
        "(Hochreiter and Schmidhuber, 1997, p. 5)",
        "Hochreiter, S. and Schmidhuber, J. (1997) “Long Short-Term Memory,” Neural Computation, 9(8), pp. 1735–1780."
        " Available at: https://doi.org/10.1162/neco.1997.9.8.1735.",
    ),
    "vancouver": (
        "(1, p. 5)",
        "1. Hochreiter S, Schmidhuber J. Long Short-Term Memory. Neural Computation. 1997 Nov;9(8):1735–80."
        " doi:10.1162/neco.1997.9.8.1735",
    ),
}


@pytest.mark.parametrize("style", STYLES)
def test_each_style_has_type_volume_issue_pages_and_page_of_the_quote(style: str) -> None:
    found = styled(style_file(style), [LSTM], "5")
    assert (as_text(found.in_text[0]), as_text(found.bibliography[0])) == EXPECTED[style]


@pytest.mark.parametrize("style", ["mla", "vancouver"])
def test_a_range_whose_last_page_is_longer_is_written_out(style: str) -> None:
    (entry,) = styled(style_file(style), [{**LSTM, "page": "5-32"}]).bibliography
    assert "5–32" in entry


@pytest.mark.parametrize(("style", "end"), [("nature", "(1997)."), ("vancouver", "https://doi.org/10.1162/Neco.1997")])
def test_a_doi_is_written_once(style: str, end: str) -> None:
    kept = {name: value for name, value in LSTM.items() if name not in ("volume", "issue", "page")}
    work = {**kept, "DOI": "10.1162/Neco.1997", "URL": "https://doi.org/10.1162/Neco.1997"}
    if style == "vancouver":
        work["type"] = "paper-conference"
    (entry,) = styled(style_file(style), [work]).bibliography
    assert (entry.lower().count("10.1162/neco.1997"), entry.endswith(end)) == (1, True)


@pytest.mark.parametrize("style", STYLES)
def test_a_chinese_name_stays_whole_and_signs_stay_signs(style: str) -> None:
    found = styled(style_file(style), [WANG])
    (entry,) = found.bibliography
    assert "王小明" in entry
    assert "小明." not in entry.replace("王小明.", "")
    assert "&lt;" in entry.lower()
    assert "learned> in a" in as_text(entry).lower()
    assert "\\<" in as_markdown(entry)
    assert "a\\*b" in as_markdown(entry).lower()


def test_works_cited_alike_get_letters_in_the_order_of_the_bibliography() -> None:
    second = LSTM | {"title": "Another memory"}
    found = styled(style_file("apa"), [LSTM, second])
    assert [as_text(text) for text in found.in_text] == [
        "(Hochreiter & Schmidhuber, 1997b)",
        "(Hochreiter & Schmidhuber, 1997a)",
    ]
    assert "(1997a). Another" in as_text(found.bibliography[0])


def test_a_style_without_years_tells_works_apart_by_title_only_where_it_must() -> None:
    second = LSTM | {"title": "Another memory"}
    texts = [as_text(text) for text in styled(style_file("mla"), [LSTM, second, WANG]).in_text]
    assert "Another Memory" in texts[1]
    assert texts[2] == "(王小明)"


def test_a_paper_of_the_library_is_cited_from_its_record() -> None:
    cited = tools.cite_papers(("123", "no-such-paper"), style="ieee")
    assert [paper.paper_id for paper in cited.papers] == ["123"]
    assert cited.bibliography[0].startswith("[1] ")
    assert cited.not_found[0].paper_id == "no-such-paper"


def test_a_style_file_of_a_stranger_is_read_in_a_process_of_its_own() -> None:
    style = style_file("nature").decode()
    paper = tools.get_paper_metadata("123")
    assert cite([paper], "apa", csl=style) == cite([paper], "nature")


@pytest.mark.parametrize(
    "style",
    [
        "owls",
        "<style/>",
        "<html xmlns='http://www.w3.org/1999/xhtml'><body/></html>",
        '<!DOCTYPE style [<!ENTITY a "owls">]><style xmlns="http://purl.org/net/xbiblio/csl">&a;</style>',
        '<style xmlns="http://purl.org/net/xbiblio/csl"><citation/><bibliography/></style>',
    ],
)
def test_what_is_no_style_is_refused_with_a_sentence(style: str) -> None:
    with pytest.raises(InvalidInput, match="cannot be used: "):
        cite([tools.get_paper_metadata("123")], "apa", csl=style)


def test_a_style_that_turns_in_circles_is_refused() -> None:
    macros = '<macro name="a"><text macro="b"/></macro><macro name="b"><text macro="a"/></macro>'
    layout = '<layout><text macro="a"/></layout>'
    style = (
        f'<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">{macros}'
        f"<citation>{layout}</citation><bibliography>{layout}</bibliography></style>"
    )
    with pytest.raises(InvalidInput):
        cite([tools.get_paper_metadata("123")], "apa", csl=style)


def test_a_style_cannot_bring_tags_of_its_own() -> None:
    style = style_file("nature").decode().replace('prefix=" ("', 'prefix=" &lt;script&gt;("')
    found = styled(style.encode(), [LSTM])
    assert "<script" not in "".join((*found.in_text, *found.bibliography))


def test_entities_are_refused_before_they_are_read() -> None:
    bomb = '<!DOCTYPE s [<!ENTITY a "aaaa">' + "".join(f'<!ENTITY a{n} "{"&a;" * 50}">' for n in range(30)) + "]><s/>"
    with pytest.raises(Unanswerable, match="entities"):
        styled(bomb.encode(), [LSTM])
