"""Collections for tests."""

from paper_search.models import Author, Paper, PaperCollection, SearchMetadata, SearchQuery, SearchStrategy


def strategy(*words: str) -> SearchStrategy:
    keywords = list(words) or ["graphs"]
    return SearchStrategy(
        queries=[SearchQuery(keywords=keywords, boolean_query=" AND ".join(keywords))], sources=["snapshot"]
    )


def collection(*papers: Paper) -> PaperCollection:
    metadata = SearchMetadata(query="graphs", search_strategy=strategy(), total_found=len(papers))
    return PaperCollection(metadata=metadata, papers=list(papers))


def paper(title: str = "Graphs", *names: str, **fields: object) -> Paper:
    data = {"id": "p1", "title": title, "authors": [Author(name=name) for name in names], **fields}
    return Paper.model_validate(data)
