"""What marks are worth: nDCG@10 of the second round on judged collections, without the papers of the first.

    python -m bench.quality.feedback FOLDER [--model FOLDER]      (default: $PAPERSITE_BENCH_DATA/relevance)

A simulated reader marks the first ten papers of each question by the judgements. The second round is judged on the
others: without feedback, with plain Rocchio on words (the query and the 20 heaviest words of the relevant papers), and
as a search session does it. Goal: at least 30 % above no feedback, and above Rocchio.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from bench.data.papers import CollectionPaper
from bench.quality import judged
from bench.quality.judged import Collection, ndcg, search_ids
from paper_search.models import Paper, SearchConstraints, SearchQuery
from paper_search.sources.library_search import search_library
from paper_search.text import content_words
from paper_search.topics import topics
from papercore import limits

MARKED = 10
ROCCHIO_WORDS, QUERY_REPEATS = 20, 3


@dataclass
class Marked:
    """A question after its first round."""

    question: str
    relevant: list[str]
    irrelevant: list[str]
    unmarked: list[str]


def main() -> None:
    arguments = judged.arguments(__doc__)
    with judged.collections(arguments.data, arguments.model) as collections:
        print(f"{'nDCG@10':12}{'questions':>10}{'none':>8}{'Rocchio':>9}{'session':>9}{'gain':>8}{'on Rocchio':>12}")
        for collection in collections:
            print(measured(collection))


def measured(collection: Collection) -> str:
    papers = {paper.id: paper for paper in collection.papers()}
    rarity = _rarity(list(papers.values()))
    totals = [0.0, 0.0, 0.0]
    questions = 0
    for key, grades in collection.judgements.items():
        first = search_ids(collection.index, collection.questions[key], "hybrid")
        left = {paper_id: grade for paper_id, grade in grades.items() if paper_id not in first[:MARKED]}
        if not left:
            continue
        marked = Marked(
            collection.questions[key],
            [paper_id for paper_id in first[:MARKED] if grades.get(paper_id)],
            [paper_id for paper_id in first[:MARKED] if not grades.get(paper_id)],
            first[MARKED:],
        )
        rankings = (first, _rocchio(collection, papers, rarity, marked), _session(collection, papers, marked))
        questions += 1
        for number, ranking in enumerate(rankings):
            totals[number] += ndcg(left, [paper_id for paper_id in ranking if paper_id not in first[:MARKED]][:10])
    none, rocchio, session = (total / questions for total in totals)
    return (
        f"{collection.name:12}{questions:>10}{none:>8.3f}{rocchio:>9.3f}{session:>9.3f}"
        f"{session / none - 1:>8.1%}{session / rocchio - 1:>12.1%}"
    )


def _session(collection: Collection, papers: Mapping[str, CollectionPaper], marked: Marked) -> list[str]:
    """The library's second round of a search session with these marks."""
    relevant, others = _models(papers, marked.relevant), _models(papers, [*marked.irrelevant, *marked.unmarked])
    filters = SearchConstraints(
        max_results=200,
        more_like=topics(relevant, others, marked.question),
        like_papers=marked.relevant,
        unlike_papers=marked.irrelevant,
    )
    query = SearchQuery(keywords=[marked.question[: limits.KEYWORD_CHARS]], boolean_query="")
    return [found.paper_id for found in search_library(collection.index, query, filters)]


def _rocchio(
    collection: Collection, papers: Mapping[str, CollectionPaper], rarity: Mapping[str, float], marked: Marked
) -> list[str]:
    weights: Counter[str] = Counter()
    for paper_id in marked.relevant:
        found = Counter(content_words(f"{papers[paper_id].title} {papers[paper_id].text}"))
        for word, count in found.items():
            weights[word] += count / found.total() * rarity[word]  # type: ignore[assignment]  # weights are shares
    heaviest = [word for word, _ in weights.most_common(ROCCHIO_WORDS)]
    return search_ids(collection.index, " ".join([marked.question] * QUERY_REPEATS + heaviest), "words")


def _rarity(papers: Sequence[CollectionPaper]) -> dict[str, float]:
    counts = Counter(word for paper in papers for word in set(content_words(f"{paper.title} {paper.text}")))
    return {word: log(1 + len(papers) / count) for word, count in counts.items()}


def _models(papers: Mapping[str, CollectionPaper], ids: Sequence[str]) -> list[Paper]:
    return [Paper(id=paper_id, title=papers[paper_id].title, abstract=papers[paper_id].text) for paper_id in ids]


if __name__ == "__main__":
    main()
