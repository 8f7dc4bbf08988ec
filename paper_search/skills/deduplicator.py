"""Merges records of the same paper, found by DOI, arXiv id, or title and year, and keeps the richest fields."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from paper_search.models import Author, Paper, RawPaper
from paper_search.text import normal_title
from papercore.bibliography.citation import slug_words
from papercore.bibliography.fields import parse_name
from papercore.bibliography.identifiers import arxiv_mentioned_in, bare_doi

# Prefixes under which preprint servers register DOIs: arXiv, bioRxiv, ChemRxiv, SSRN, and others.
_PREPRINT_DOIS = ("10.48550/", "10.1101/", "10.26434/", "10.2139/", "10.21203/", "10.31234/", "10.20944/", "10.31219/")
_PREPRINT_VENUES = ("arxiv", "biorxiv", "medrxiv", "chemrxiv", "ssrn", "research square", "corr", "preprints")
# A preprint appears up to this many years before its published version.
PREPRINT_YEARS = 3
# Shorter titles ("Editorial", "Introduction") are shared by different papers.
TITLE_CHARS = 20


def arxiv_id(paper: RawPaper | Paper) -> str:
    """The paper's arXiv id without version, wherever it is written."""
    given = paper.facts.arxiv_id if isinstance(paper, RawPaper) else None
    if given:
        return re.sub(r"v\d+$", "", given.lower())
    return arxiv_mentioned_in(f"{paper.doi or ''} {paper.full_text_url or ''}") or ""


def paper_keys(paper: RawPaper | Paper) -> set[str]:
    """Names under which the same paper may appear again."""
    names = (("doi", bare_doi(paper.doi or "")), ("arxiv", arxiv_id(paper)), ("id", paper.id))
    return {f"{kind}:{value}" for kind, value in names if value}


def is_preprint(paper: RawPaper | Paper) -> bool:
    doi, venue = bare_doi(paper.doi or ""), (paper.venue or "").lower()
    if doi:
        return doi.startswith(_PREPRINT_DOIS)
    return venue.startswith(_PREPRINT_VENUES) or (not venue and bool(arxiv_id(paper)))


class RuleDeduplicator:
    """Keeps the order in which papers were first seen."""

    async def deduplicate(self, papers: list[RawPaper]) -> list[RawPaper]:
        clustering = _Clustering()
        for paper in papers:
            clustering.add(paper)
        return [merge(cluster.papers) for cluster in clustering.clusters]


@dataclass
class _Cluster:
    papers: list[RawPaper] = field(default_factory=list)


@dataclass
class _Clustering:
    clusters: list[_Cluster] = field(default_factory=list)
    by_key: dict[str, _Cluster] = field(default_factory=dict)
    by_title: dict[str, list[_Cluster]] = field(default_factory=dict)

    def add(self, paper: RawPaper) -> None:
        """Put the paper into the cluster it belongs to; clusters that it connects become one."""
        same_title = self.by_title.setdefault(normal_title(paper.title), [])
        matching = [self.by_key[key] for key in sorted(paper_keys(paper)) if key in self.by_key]
        matching += [cluster for cluster in same_title if all(same_work(paper, other) for other in cluster.papers)]
        if not matching:
            matching = [_Cluster()]
            self.clusters += matching
        cluster = matching[0]
        for other in matching[1:]:
            if other is not cluster and any(known is other for known in self.clusters):
                cluster.papers += other.papers
                for clusters in (self.clusters, *self.by_title.values()):
                    clusters[:] = [known for known in clusters if known is not other]
        cluster.papers.append(paper)
        for member in cluster.papers:
            self.by_key.update(dict.fromkeys(paper_keys(member), cluster))
        if not any(other is cluster for other in same_title):
            same_title.append(cluster)


def same_work(first: RawPaper, second: RawPaper) -> bool:
    """Whether two records with the same title are one work: DOIs, years or authors may speak against it."""
    dois = {bare_doi(first.doi or ""), bare_doi(second.doi or "")} - {""}
    preprint = is_preprint(first) or is_preprint(second)
    if len(dois) == 2 and not preprint:
        return False
    if first.year and second.year and abs(first.year - second.year) > (PREPRINT_YEARS if preprint else 1):
        return False
    names = _family_names(first.authors), _family_names(second.authors)
    if all(names):
        return bool(names[0] & names[1])
    # Sources mostly deduplicate their own records, so two of one source need more than a title in common.
    return not set(_sources([first])) & set(_sources([second])) and len(normal_title(first.title)) >= TITLE_CHARS


def merge(papers: list[RawPaper]) -> RawPaper:
    """One record with the richest value of each field; DOI and venue are the published version's."""
    if len(papers) == 1:
        return papers[0]
    ranked = sorted(papers, key=lambda paper: (is_preprint(paper), not paper.doi, not paper.venue))
    best = ranked[0].model_copy(deep=True)
    best.id = papers[0].id
    best.abstract = max((paper.abstract or "" for paper in papers), key=len) or None
    # A whole list of authors beats a part of one; more are better; of the same number, full names beat initials.
    best.authors = max(
        ranked,
        key=lambda paper: (
            bool(paper.authors),
            not paper.facts.partial_authors,
            len(paper.authors),
            sum(len(author.name) for author in paper.authors),
        ),
    ).authors
    best.citation_count = max(paper.citation_count for paper in papers)
    for name in ("doi", "year", "venue", "snippet", "full_text_url"):
        values = (getattr(paper, name) for paper in ranked)
        setattr(best, name, next((value for value in values if value), None))
    # The entry of a preprint would cite another venue and year.
    alike = [paper for paper in ranked if is_preprint(paper) == is_preprint(ranked[0])]
    best.bibtex = next((paper.bibtex for paper in alike if paper.bibtex), None)
    best.source = ", ".join(_sources(papers))
    for paper in reversed(papers):
        best.raw_data |= paper.raw_data
        linked = {name: [*getattr(best.facts, name), *getattr(paper.facts, name)] for name in ("cites", "cited_by")}
        known = paper.facts.model_dump(exclude_defaults=True)
        best.facts = best.facts.model_copy(update=known | {name: sorted({*ids}) for name, ids in linked.items()})
    best.facts.match = max((paper.facts.match for paper in papers if paper.facts.match is not None), default=None)
    return best


def _family_names(authors: Iterable[Author]) -> set[str]:
    return {"".join(slug_words(parse_name(author.name).family)) for author in authors} - {""}


def _sources(papers: list[RawPaper]) -> list[str]:
    return list(dict.fromkeys(name for paper in papers for name in paper.source.split(", ") if name))
