"""How good a whole search is: nDCG@10 of the rule-based workflow beside plain hybrid search, on judged collections.

    python -m bench.workflow FOLDER      (default: $PAPERSITE_BENCH_DATA/relevance)

The workflow reads the question, plans several queries, merges, scores; it should never be worse than one query.
"""

import argparse
import asyncio
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.data import FACETS, Paper
from bench.relevance import _documents, _judgements, _lines, _ndcg, _queries
from paper_search.domains import DOMAINS
from paper_search.models import Author, RawPaper, SearchConstraints, SearchQuery
from paper_search.retrieval import Index, IndexFolder, Request, build_index
from paper_search.skills.deduplicator import RuleDeduplicator
from paper_search.skills.intent_parser import RuleIntentParser
from paper_search.skills.query_builder import RuleQueryBuilder
from paper_search.skills.relevance_scorer import RuleRelevanceScorer
from paper_search.skills.result_organizer import RuleResultOrganizer
from paper_search.skills.searcher import SourceSearcher
from paper_search.skills.thesaurus import Thesaurus
from paper_search.sources.snapshot import indexed
from paper_search.workflow import SearchWorkflow


@dataclass
class Collection:
    """A judged collection as a source: the index of its papers, as the local library has one."""

    index: Index
    papers: dict[str, Paper]
    name: str = "snapshot"

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        matches = indexed(self.index, " ".join(query.keywords), filters)
        return [_raw(self.papers[match.paper_id], match.score) for match in matches]

    def keywords(self) -> list[str]:
        counts = Counter(word.lower() for paper in self.papers.values() for word in paper.keywords)
        return [word for word, _ in counts.most_common()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", "."))
    parser.add_argument("data", nargs="?", type=Path, default=data / "relevance")
    folders = sorted(path.parent for path in parser.parse_args().data.glob("*/qrels.tsv"))
    if not folders:
        sys.exit("No judged collections there: name their folder, or set PAPERSITE_BENCH_DATA.")
    print(f"{'nDCG@10':12}{'hybrid':>10}{'workflow':>10}{'ratio':>8}")
    for folder in folders:
        hybrid, workflow = measured(folder)
        print(f"{folder.name:12}{hybrid:>10.3f}{workflow:>10.3f}{workflow / hybrid:>8.3f}")


def measured(folder: Path) -> tuple[float, float]:
    """nDCG@10 of one hybrid query, and of the workflow."""
    judged, questions = _judgements(folder), _queries(folder)
    with TemporaryDirectory() as scratch:
        path = Path(scratch) / "index"
        build_index(path, _documents(folder), facets=FACETS, build_id="judged")
        index = IndexFolder(path).open("judged")
        if index is None:
            sys.exit("The index was not built.")
        collection = Collection(index, {paper.id: paper for paper in _papers(folder)})
        plain = [_ndcg(grades, _hybrid(index, questions[key])) for key, grades in judged.items()]
        thesaurus = Thesaurus(collection.keywords)
        whole = [_ndcg(grades, _workflow(collection, thesaurus, questions[key])) for key, grades in judged.items()]
    return sum(plain) / len(plain), sum(whole) / len(whole)


def _papers(folder: Path) -> Iterator[Paper]:
    return (Paper.model_validate(line) for line in _lines(folder / "corpus.jsonl"))


def _hybrid(index: Index, question: str) -> list[str]:
    return [hit.id for hit in index.search(Request(question, limit=10)).hits]


def _workflow(collection: Collection, thesaurus: Thesaurus, question: str) -> list[str]:
    workflow = SearchWorkflow(
        RuleIntentParser(),
        RuleQueryBuilder([collection.name], thesaurus),
        SourceSearcher({collection.name: collection}),
        RuleDeduplicator(),
        RuleRelevanceScorer(DOMAINS["general"]),
        RuleResultOrganizer(),
    )
    return [paper.id for paper in asyncio.run(workflow.run(question)).papers[:10]]


def _raw(paper: Paper, match: float) -> RawPaper:
    return RawPaper(
        id=paper.id,
        doi=paper.doi or None,
        title=paper.title,
        authors=[Author(name=name) for name in paper.authors],
        abstract=paper.text,
        year=paper.year,
        venue=paper.venue or None,
        source="snapshot",
        raw_data={"match": match},
    )


if __name__ == "__main__":
    main()
