"""Whether a long text is found among short ones: the rank of the only paper that has five words together.

    python -m bench.quality.long_texts [PAPERS] [--short 3000] [--long 30]

PAPERS is a .jsonl.gz file, one paper a line (default: $PAPERSITE_BENCH_DATA/acl/papers.jsonl.gz). A long paper is one
with a body of 250,000 characters, made of other papers' abstracts. The baseline is the same index without the score
for words that occur together.
"""

import argparse
import os
import random
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import median

from msgspec.structs import replace

from bench.data.papers import FACETS, read
from bench.quality.judged import search_ids
from papercore.retrieval import Document, Index, IndexFolder, build_index
from papercore.retrieval.basics import analysis
from papercore.retrieval.engines import word_clauses as word_query

BODY_CHARS = 250_000
# Papers that have each of the words, at least; at most ten times as many.
LEAST = 20
WORD = re.compile(r"[a-z]{4,}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", "."))
    parser.add_argument("papers", nargs="?", type=Path, default=data / "acl" / "papers.jsonl.gz")
    parser.add_argument("--short", type=int, default=3_000)
    parser.add_argument("--long", type=int, default=30)
    arguments = parser.parse_args()
    documents, questions = library(arguments.papers, arguments.short, arguments.long)
    with tempfile.TemporaryDirectory() as scratch:
        build_index(Path(scratch), iter(documents), facets=FACETS, build_id="long")
        index = IndexFolder(Path(scratch), None).open("long")
        assert index is not None
        print(
            f"{arguments.short:,} abstracts and {arguments.long} long papers, {len(questions)} questions of five words"
        )
        share = word_query.TOGETHER_SHARE
        for name, word_query.TOGETHER_SHARE in (("without", 0.0), ("as it is", share)):
            found = sorted(ranks(index, questions))
            first = sum(rank == 1 for rank in found) / len(found)
            print(f"{name:10} first {first:.2f}, rank p50 {median(found)}, p90 {found[int(0.9 * len(found))]}")


def library(papers: Path, short: int, long: int) -> tuple[list[Document], dict[str, str]]:
    """Documents, and for the id of each long one five words that it alone has together."""
    chance = random.Random(5)
    found = [document for document in islice(read(papers), 3 * short) if document.text]
    documents, noise = found[:short], [document.text for document in found[short:]]
    for number in range(long):
        body = " ".join(chance.sample(noise, min(len(noise), BODY_CHARS // 700)))[:BODY_CHARS]
        documents[number] = replace(documents[number], body=body)
    terms = {item.id: set(analysis.text_terms(f"{item.title} {item.text} {item.body}")) for item in documents}
    questions = {item.id: five_words(item, list(terms.values()), chance) for item in documents[:long]}
    return documents, {key: words for key, words in questions.items() if words}


def five_words(document: Document, terms: Sequence[set[str]], chance: random.Random) -> str:
    """Words that some other papers have, too, but none all of them; nothing if none are found."""
    words = {word: analysis.text_terms(word) for word in sorted(set(WORD.findall(document.body.lower())))}
    counts = Counter(term for paper in terms for term in paper)
    known = [word for word, stems in words.items() if stems and LEAST <= counts[stems[0]] <= LEAST * 10]
    for _ in range(200):
        chosen = chance.sample(known, 5)
        wanted = {term for word in chosen for term in words[word]}
        if sum(wanted <= paper for paper in terms) == 1:
            return " ".join(chosen)
    return ""


def ranks(index: Index, questions: dict[str, str]) -> list[int]:
    """101 for a paper that is not among the first hundred."""
    found = {key: search_ids(index, words, "hybrid") for key, words in questions.items()}
    return [ids.index(key) + 1 if key in ids else 101 for key, ids in found.items()]


if __name__ == "__main__":
    main()
