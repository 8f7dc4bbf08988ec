"""Finds the paper that a caller names: by its id, or by a DOI, an arXiv id or a citation key that only it has."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from papercore import limits
from papercore.bibliography.identifiers import paper_key
from papercore.errors import PageLink, ToolError
from papercore.snapshot.fulltext import match_expression
from papers.catalogue.names import authors_of
from papers.catalogue.schemas import ID_PATTERN
from papers.snapshot.errors import AmbiguousPaper, PaperNotFound
from papers.snapshot.models import Paper, PaperBibtex, PaperKeyAlias, year_number
from papers.snapshot.queries import Kind, links_of_papers, papers_with_ids, ranked_rows
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
