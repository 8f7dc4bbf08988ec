"""Sample questions, strategies, papers and collections."""

import asyncio

from paper_search.models import (
    Author,
    Paper,
    PaperCollection,
    ParsedIntent,
    RawPaper,
    SearchMetadata,
    SearchQuery,
    SearchStrategy,
)
from paper_search.skills.intent_parser import RuleIntentParser


def parse(question: str) -> ParsedIntent:
    return asyncio.run(RuleIntentParser(this_year=2026).parse(question))


def strategy(*words: str) -> SearchStrategy:
    keywords = list(words) or ["graphs"]
    return SearchStrategy(
        queries=[SearchQuery(keywords=keywords, boolean_query=" AND ".join(keywords))], sources=["snapshot"]
    )


def raw_paper(title: str = "Attention is all you need", **fields: object) -> RawPaper:
    return RawPaper.model_validate({"title": title, **fields})


def paper(title: str = "Graphs", *names: str, **fields: object) -> Paper:
    data = {"id": "p1", "title": title, "authors": [Author(name=name) for name in names], **fields}
    return Paper.model_validate(data)


def collection(*papers: Paper) -> PaperCollection:
    metadata = SearchMetadata(query="graphs", search_strategy=strategy(), total_found=len(papers))
    return PaperCollection(metadata=metadata, papers=list(papers))
