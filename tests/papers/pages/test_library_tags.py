"""Tags that write lists of links: names are escaped, and their addresses quoted."""

from papers.templatetags.library_tags import author_links, meta_tags, value_badges

HOSTILE = "<b>'&\"</b>"


def test_authors_are_links_between_commas() -> None:
    assert author_links(["Ada", "Bo Li"]) == (
        '<a href="/by/author/ada/"><bdi>Ada</bdi></a>,\n<a href="/by/author/bo%20li/"><bdi>Bo Li</bdi></a>'
    )


def test_a_badge_leads_to_the_value_as_it_is_written() -> None:
    assert value_badges("keyword", ["C/C++"]) == (
        '<a class="badge" href="/by/keyword/C%2FC%2B%2B/"><bdi>C/C++</bdi></a>\n'
    )


def test_nothing_in_a_name_becomes_markup() -> None:
    for html in (author_links([HOSTILE]), value_badges("tag", [HOSTILE]), meta_tags([("citation_title", HOSTILE)])):
        assert "<b>" not in html
        assert "&lt;b&gt;" in html
        assert '"</b>' not in html
