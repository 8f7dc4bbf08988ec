"""How good a whole search is: nDCG@10 of the rule-based workflow and of one hybrid query, on judged collections.

    python -m bench.quality.workflow FOLDER [--model FOLDER]      (default: $PAPERSITE_BENCH_DATA/relevance)

The workflow plans several queries, merges and scores; it should never be worse than one query.
"""

import asyncio
import re
from collections import Counter
from dataclasses import dataclass

from bench.data.papers import CollectionPaper
from bench.quality import judged
from bench.quality.judged import Collection, ndcg
from paper_search.domains import DOMAINS
from paper_search.models import Author, RawPaper, SearchConstraints, SearchQuery, SourceFacts
from paper_search.skills.deduplicator import RuleDeduplicator
from paper_search.skills.intent_parser import RuleIntentParser
from paper_search.skills.query_builder import RuleQueryBuilder
from paper_search.skills.relevance_scorer import RuleRelevanceScorer
from paper_search.skills.result_organizer import RuleResultOrganizer
from paper_search.skills.searcher import SourceSearcher
from paper_search.skills.thesaurus import Thesaurus
from paper_search.sources.interface import Library, PaperText
from paper_search.sources.library_search import mentions_request
from paper_search.sources.snapshot import search_index
from paper_search.workflow import SearchWorkflow
from papercore.retrieval import Index, Request


@dataclass
class JudgedSource(Library):
    """A judged collection as a source, searched through its index like the local library."""

    index: Index
    papers: dict[str, CollectionPaper]

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        matches = search_index(self.index, query, filters)
        return [_raw(self.papers[match.paper_id], match.score) for match in matches]

    def keywords(self) -> list[str]:
        counts = Counter(word.lower() for paper in self.papers.values() for word in paper.keywords)
        return [word for word, _ in counts.most_common()]

    def mentions(self, *phrases: str) -> list[PaperText]:
        hits = self.index.search(mentions_request(phrases)).hits
        papers = [self.papers[hit.id] for hit in hits]
        return [PaperText(paper.title, paper.text, tuple(paper.keywords)) for paper in papers]


def main() -> None:
    arguments = judged.arguments(__doc__)
    with judged.collections(arguments.data, arguments.model) as collections:
        print(f"{'nDCG@10':12}{'hybrid':>10}{'workflow':>10}{'ratio':>8}  quoted in reasons, and really there")
        for collection in collections:
            reasons = Counter[bool]()
            hybrid, session = measured(collection, reasons)
            told = f"{reasons.total():>8,}{reasons[True]:>8,}"
            print(f"{collection.name:12}{hybrid:>10.3f}{session:>10.3f}{session / hybrid:>8.3f}{told}")


def measured(collection: Collection, reasons: Counter[bool]) -> tuple[float, float]:
    """nDCG@10 of one hybrid query, and of the workflow."""
    source = JudgedSource(collection.index, {paper.id: paper for paper in collection.papers()})
    thesaurus = Thesaurus(source.keywords, source.mentions)
    asked = [(collection.questions[key], grades) for key, grades in collection.judgements.items()]
    plain = [ndcg(grades, _hybrid(source.index, question)) for question, grades in asked]
    whole = [ndcg(grades, _workflow(source, thesaurus, question, reasons)) for question, grades in asked]
    return sum(plain) / len(plain), sum(whole) / len(whole)


def _hybrid(index: Index, question: str) -> list[str]:
    return [hit.id for hit in index.search(Request(question, limit=10)).hits]


def _workflow(source: JudgedSource, thesaurus: Thesaurus, question: str, reasons: Counter[bool]) -> list[str]:
    found = asyncio.run(workflow(source, thesaurus).run(question)).papers[:10]
    for paper in found:
        for place, said in re.findall(r"(title|abstract) has ((?:“[^”]*”(?:, )?)+)", paper.relevance_reason, re.I):
            text = paper.title if place.lower() == "title" else paper.abstract or ""
            reasons.update(quote in text for quote in re.findall("“([^”]*)”", said))
    return [paper.id for paper in found]


def workflow(source: JudgedSource, thesaurus: Thesaurus) -> SearchWorkflow:
    """A search as the site makes it, with rules alone, over one source."""
    return SearchWorkflow(
        RuleIntentParser(),
        RuleQueryBuilder(["snapshot"], thesaurus),
        SourceSearcher({"snapshot": source}),
        RuleDeduplicator(),
        RuleRelevanceScorer(DOMAINS["general"]),
        RuleResultOrganizer(),
    )


def _raw(paper: CollectionPaper, match: float) -> RawPaper:
    return RawPaper(
        id=paper.id,
        doi=paper.doi or None,
        title=paper.title,
        authors=[Author(name=name) for name in paper.authors],
        abstract=paper.text,
        year=paper.year,
        venue=paper.venue or None,
        source="snapshot",
        facts=SourceFacts(match=match),
    )


if __name__ == "__main__":
    main()
