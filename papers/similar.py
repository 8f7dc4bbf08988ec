"""Papers like one paper."""

from dataclasses import dataclass

from papers import index, spelling, tools
from papers.listing import number
from papers.models import Paper
from papers.snapshot import connection, reading

SHOWN = 5
# Shared keywords and tags say more than a shared venue; a rare one more than a common one.
_SHARED = """
SELECT other.paper_id, sum(1.0 / node.paper_count) AS weight
FROM paper_facet mine
JOIN facet_node node ON node.node_id = mine.node_id AND node.facet_type IN ('keyword', 'tag', 'author')
JOIN paper_facet other ON other.node_id = mine.node_id AND other.paper_id <> mine.paper_id
WHERE mine.paper_id = %s AND node.paper_count BETWEEN 2 AND 2000
GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT %s
"""


@dataclass(frozen=True)
class Similar:
    paper_id: str
    title: str
    authors: list[str]
    year: int | None


@dataclass(frozen=True)
class SimilarPapers:
    """`by` says what they have in common."""

    papers: list[Similar]
    by: str


def papers_like(paper_id: str) -> SimilarPapers:
    """The nearest papers: by words and meaning where there is an index, else by what they share."""
    if index.current() is not None:
        near = tools.get_similar_papers(paper_id, SHOWN).papers
        return SimilarPapers([Similar(one.paper_id, one.title, one.authors, one.year) for one in near], "by meaning")
    with reading(), connection().cursor() as cursor:
        ids = [row[0] for row in cursor.execute(_SHARED, [paper_id, SHOWN]).fetchall()]
        return SimilarPapers(described(ids), "by shared keywords")


def described(ids: list[str]) -> list[Similar]:
    papers = Paper.objects.in_bulk(ids)
    authors = spelling.authors(ids)
    return [
        Similar(paper_id, papers[paper_id].title, authors[paper_id], number(papers[paper_id].year))
        for paper_id in ids
        if paper_id in papers
    ]
