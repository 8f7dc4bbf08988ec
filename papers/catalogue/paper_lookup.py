"""Finds the paper that a caller names: by its id, or by a DOI, an arXiv id or a citation key that only it has."""

from papercore import limits
from papercore.bibliography.identifiers import paper_key
from papers.catalogue.mistyped_ids import papers_named_like
from papers.catalogue.paper_rows import paper_with_id
from papers.snapshot.errors import AmbiguousPaper, PaperNotFound
from papers.snapshot.models import Paper, PaperBibtex, PaperKeyAlias
from papers.snapshot.served import reading


def find_paper(name: str) -> Paper:
    """An id counts before any other name."""
    with reading():
        if paper := paper_with_id(name):
            return paper
        found = list(Paper.objects.filter(pk__in=_ids_by_other_name(name)).order_by("pk"))
    if len(found) > 1:
        raise AmbiguousPaper(name, [paper.paper_id for paper in found])
    if not found:
        raise PaperNotFound(name, find_similar=papers_named_like)
    return found[0]


def _ids_by_other_name(name: str) -> list[str]:
    text = name.strip()
    if key := paper_key(text):
        found = list(PaperKeyAlias.objects.filter(paper_key=key).values_list("paper_id", flat=True))
        if found:
            return found
    # The aliases hold each key once, and keys of earlier entries: the entries themselves say who has it now.
    cited = PaperBibtex.objects.filter(bibtex_key=text).values_list("paper_id", flat=True)
    by_alias = PaperKeyAlias.objects.filter(paper_key=f"bib:{text}").values_list("paper_id", flat=True)
    return list(cited[: limits.PAGE_SIZE]) or list(by_alias)
