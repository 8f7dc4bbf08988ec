"""Finds the paper that a caller names, by its id or a name that only it has, and gives its address in the site."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from urllib.parse import quote, urlencode

from django.urls import reverse

from papercore import limits
from papercore.bibliography.identifiers import paper_key
from papercore.errors import PageLink, ToolError
from papercore.snapshot.fulltext import match_expression
from papers.catalogue.names import authors_of
from papers.catalogue.schemas import ID_PATTERN
from papers.snapshot.errors import AmbiguousPaper, PaperNotFound
from papers.snapshot.models import Paper, PaperBibtex, PaperKeyAlias
from papers.snapshot.queries import Kind, links_of_papers, papers_with_ids, ranked_rows, year_number
from papers.snapshot.served import connection, reading

SUGGESTED_PAPERS = 3
# Of a mistyped id, so many words are looked up, in so many papers that have one of them.
SUGGESTING_WORDS, SUGGESTED_FROM = 12, 20
# How much two spellings of a word must share, from 0 to 1.
SAME_WORD = 0.8
_NAMES: tuple[Kind, ...] = ("title", "author", "venue", "keyword", "tag")


def find_paper(name: str) -> Paper:
    """An id counts before any other name."""
    with reading():
        if paper := papers_with_ids(connection(), [name]).get(name):
            return paper
        found = list(Paper.objects.filter(pk__in=_ids_by_other_name(name.strip())).order_by("pk"))
    if len(found) > 1:
        raise AmbiguousPaper(name, [paper.paper_id for paper in found])
    if not found:
        raise PaperNotFound(name, find_similar=papers_named_like)
    return found[0]


def _ids_by_other_name(name: str) -> list[str]:
    if key := paper_key(name):
        found = list(PaperKeyAlias.objects.filter(paper_key=key).values_list("paper_id", flat=True))
        if found:
            return found
    # The aliases hold each key once, and keys of earlier entries: the entries themselves say who has it now.
    cited = PaperBibtex.objects.filter(bibtex_key=name).values_list("paper_id", flat=True)
    by_alias = PaperKeyAlias.objects.filter(paper_key=f"bib:{name}").values_list("paper_id", flat=True)
    return list(cited[: limits.PAGE_SIZE]) or list(by_alias)


def papers_named_like(paper_id: str) -> Sequence[PageLink]:
    """The papers that a mistyped id may have meant: their names hold every word of it, but for a typing mistake."""
    words = re.findall(r"[a-z]{3,}", paper_id.lower())[:SUGGESTING_WORDS]
    try:
        with reading():
            return _papers_with_names(words) if words else ()
    except ToolError:
        return ()


def _papers_with_names(words: Sequence[str]) -> list[PageLink]:
    rows = ranked_rows(connection(), match_expression(words), SUGGESTED_FROM)
    papers = papers_with_ids(connection(), [row.paper_id for row in rows])
    links = links_of_papers(connection(), list(papers), _NAMES)

    def has_all_words(paper_id: str) -> bool:
        names = " ".join([paper_id, *(value for kind in _NAMES for value in links[paper_id][kind])])
        vocabulary = re.findall(r"[^\W\d_]{3,}", names.lower())
        return all(get_close_matches(word, vocabulary, n=1, cutoff=SAME_WORD) for word in words)

    # One whose id does not have the form of an id has no page.
    found = [paper for paper in papers.values() if re.match(ID_PATTERN, paper.paper_id) and has_all_words(paper.pk)]
    found = found[:SUGGESTED_PAPERS]
    authors = authors_of([paper.paper_id for paper in found])
    return [
        PageLink(
            title=paper.title,
            id=paper.paper_id,
            route="paper",
            arguments={"paper_id": paper.paper_id},
            note=f"{', '.join(authors[paper.paper_id])} · {year_number(paper.year) or 'n.d.'}",
        )
        for paper in found
    ]


def paper_url(paper_id: str, view: str = "paper", part: str = "") -> str:
    """The address of a paper, or of one of its views; `part` names the translation or summary.

    An id that no route takes makes a link that leads nowhere, and not an error: a snapshot may hold any id.
    """
    ending = "" if view == "paper" else f"{view}/{quote(part)}/" if part else f"{view}/"
    return f"{reverse('search')}{quote(paper_id, safe=':')}/{ending}"


def value_url(category: str, value: str) -> str:
    """A slash in the value is quoted, so that it stays one part of the address."""
    return f"{reverse('values', args=[category])}{quote(value, safe='')}/"


def in_list(address: str, query_string: str, position: int | None) -> str:
    """The address of a paper, or of a place in it, that leads on to its neighbours in a list, where it is in one."""
    if not position:
        return address
    page, _, anchor = address.partition("#")
    parameters = urlencode({**({"list": query_string} if query_string else {}), "at": position})
    return f"{page}{'&' if '?' in page else '?'}{parameters}{'#' if anchor else ''}{anchor}"
