"""Finds the paper of the library that a reference cites."""

from collections.abc import Iterator, Sequence

from papercore import limits
from papercore.bibliography.references import Reference, certain_match, possible_beginnings
from papercore.snapshot.fulltext import match_expression
from papers.references.citable import LibraryPaper, library_papers
from papers.snapshot.models import PaperKeyAlias
from papers.snapshot.served import connection

_BY_TITLE = "SELECT paper_id FROM paper_fts WHERE paper_fts MATCH %s LIMIT %s"
_CANDIDATES = 50


def cited_papers(references: Sequence[Reference], citing: str) -> list[LibraryPaper | None]:
    """For each reference the paper that it certainly cites, other than the citing one."""
    candidates = [[*_by_identifier(reference), *_by_title(reference)] for reference in references]
    wanted = {paper_id for ids in candidates for paper_id in ids if paper_id != citing}
    known = {paper.paper_id: paper for paper in library_papers(sorted(wanted))}
    found = []
    for reference, ids in zip(references, candidates, strict=True):
        papers = [known[paper_id] for paper_id in dict.fromkeys(ids) if paper_id in known]
        match = certain_match(reference, [paper.citable for paper in papers])
        found.append(next((paper for paper in papers if paper.citable is match), None))
    return found


def _by_identifier(reference: Reference) -> Iterator[str]:
    keys = [f"doi:{reference.doi}"] if reference.doi else []
    keys += [f"arxiv:{reference.arxiv}"] if reference.arxiv else []
    if keys:
        yield from PaperKeyAlias.objects.filter(paper_key__in=keys).values_list("paper_id", flat=True)


def _by_title(reference: Reference) -> list[str]:
    """Papers whose title begins like one of the places where a title may begin."""
    beginnings = list(possible_beginnings(reference))[: limits.TITLE_STARTS]
    expression = " OR ".join(f"title : ^ {match_expression([words])}" for words in beginnings)
    if not expression:
        return []
    with connection().cursor() as cursor:
        return [row[0] for row in cursor.execute(_BY_TITLE, [expression, _CANDIDATES]).fetchall()]
