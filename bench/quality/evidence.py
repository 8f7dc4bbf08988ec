"""How good the passages are that a search finds: claims, and the sentences that support or contradict them.

    python -m bench.quality.evidence FOLDER [--tuning] [--model MODEL]      (default: $PAPERSITE_BENCH_DATA/evidence)

The folder holds corpus.jsonl.gz (`_id`, `title`, `sentences`) and claims.jsonl (`id`, `claim`, `evidence`). A passage
is right if it holds one of the sentences named. Claims with an odd id are reported; with --tuning the others.
"""

import argparse
import gzip
import json
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from papercore.passages.cutting import PASSAGE_SENTENCES
from papercore.passages.ranking import PASSAGES_RANKED, Candidate, rank_by_meaning, rank_by_words
from papercore.retrieval import (
    Document,
    Index,
    IndexFolder,
    PassageEntry,
    PassageRequest,
    SentenceModel,
    build_index,
    fill_sentence_vectors,
)

PLACES = (1, 5, 10)


@dataclass(frozen=True)
class Abstract:
    title: str
    sentences: tuple[str, ...]

    def passages(self) -> list[range]:
        """The numbers of the sentences of each passage, as papercore.passages groups them."""
        total = len(self.sentences)
        count = -(-total // PASSAGE_SENTENCES)
        return [range(total * n // count, total * (n + 1) // count) for n in range(count)]

    def document(self, key: str) -> Document:
        entries = [
            PassageEntry(self.quote(numbers), payload=orjson.dumps([key, *numbers])) for numbers in self.passages()
        ]
        return Document(key, self.title, " ".join(self.sentences), passages=entries)

    def quote(self, numbers: Iterable[int]) -> str:
        return " ".join(self.sentences[number] for number in numbers)


@dataclass(frozen=True)
class Claim:
    text: str
    # The documents, and in each the sentences that bear on the claim.
    evidence: Mapping[str, frozenset[int]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", ".")) / "evidence"
    parser.add_argument("data", nargs="?", type=Path, default=data)
    parser.add_argument("--tuning", action="store_true", help="the other half of the claims, on which it was tuned")
    parser.add_argument("--model", type=Path, help="folder of an ONNX sentence model")
    options = parser.parse_args()
    model = SentenceModel.load(options.model) if options.model else None
    abstracts = read_abstracts(options.data)
    claims = read_claims(options.data, odd=not options.tuning)
    with TemporaryDirectory() as folder:
        papers = (paper.document(key) for key, paper in abstracts.items())
        build_index(Path(folder), papers, facets=(), build_id="evidence", model=model)
        for _ in fill_sentence_vectors(Path(folder), model) if model else ():
            pass
        index = IndexFolder(Path(folder), model).open("evidence")
        assert index is not None
        began = time.process_time()
        places = [place_of_first_right(index, abstracts, claim) for claim in claims]
        seconds = time.process_time() - began
    print(f"{len(claims)} claims, {1000 * seconds / len(claims):.1f} ms each")
    print("".join(f"{f'first {most}':>10}" for most in PLACES) + f"{'MRR':>10}")
    shares = [sum(place is not None and place < most for place in places) / len(places) for most in PLACES]
    mean = sum(0 if place is None else 1 / (place + 1) for place in places) / len(places)
    print("".join(f"{share:>10.3f}" for share in (*shares, mean)))


def place_of_first_right(index: Index, abstracts: Mapping[str, Abstract], claim: Claim) -> int | None:
    """How many passages come before the first right one; None if none is found."""
    for place, (key, *numbers) in enumerate(ranked(index, abstracts, claim.text)):
        if not claim.evidence.get(str(key), frozenset()).isdisjoint(numbers):
            return place
    return None


def ranked(index: Index, abstracts: Mapping[str, Abstract], text: str) -> list[list[int]]:
    """The documents and sentences of the passages found, best first, as the site ranks them."""
    reader = index.reader(text)
    for by_meaning in (False, True):
        found = index.passages(PassageRequest(text, PASSAGES_RANKED, by_meaning=by_meaning))
        places = [orjson.loads(item.payload) for item in found]
        papers = [abstracts[key] for key, *_ in places]
        candidates = [
            Candidate(paper.quote(numbers), paper.title, item.fit)
            for paper, (_, *numbers), item in zip(papers, places, found, strict=True)
        ]
        best = (rank_by_meaning if by_meaning else rank_by_words)(text, candidates, reader)
        if best:
            return [places[item.candidate] for item in best]
    return []


def read_abstracts(folder: Path) -> dict[str, Abstract]:
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    return {str(line["_id"]): Abstract(line["title"], tuple(line["sentences"])) for line in lines}


def read_claims(folder: Path, *, odd: bool) -> list[Claim]:
    lines = [json.loads(line) for line in (folder / "claims.jsonl").read_text(encoding="utf-8").splitlines()]
    return [
        Claim(
            line["claim"],
            {
                str(document): frozenset(number for item in items for number in item["sentences"])
                for document, items in line["evidence"].items()
            },
        )
        for line in lines
        if int(line["id"]) % 2 == odd
    ]


if __name__ == "__main__":
    main()
