"""What a literature search in two rounds is worth: its result beside one plain search, on judged collections.

    python -m bench.quality.sessions [FOLDER] [--model FOLDER] [--questions N]

(FOLDER is $PAPERSITE_BENCH_DATA/relevance where none is named.)

A simulated reader approves the plan, marks the first three relevant papers of the twenty that are shown, by the
judgements, approves the next plan, marks three more, and approves. Precision of the first ten and recall of the first
fifty of the result, which has the marked papers first; then what the second round puts in its first ten beside the
papers marked before it. Goal: both at least .10 above one plain search.
"""

import argparse
import asyncio
import os
from collections.abc import Collection as Ids
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from bench.quality import judged
from bench.quality.judged import Collection, search_ids
from bench.quality.workflow import JudgedSource, workflow
from bench.table import table
from paper_search.models import Paper
from paper_search.skills.thesaurus import Thesaurus
from paper_search.workflow.checkpoints import Decision, DecisionAction, ResultPayload
from paper_search.workflow.engine import SearchWorkflow
from paper_search.workflow.state import WorkflowState
from papercore import limits

MARKS, ROUNDS = 3, 2
APPROVE = Decision(action=DecisionAction.approve)
COLUMNS = ("set", "questions", "P@10 plain", "session", "recall@50 plain", "session", "unmarked P@10 plain", "session")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", "."))
    parser.add_argument("data", nargs="?", type=Path, default=data / "relevance")
    parser.add_argument("--model", type=Path, help="folder of an ONNX sentence model")
    parser.add_argument("--questions", type=int, help="of each collection, only so many")
    options = parser.parse_args()
    with judged.collections(options.data, options.model) as collections:
        print(table(COLUMNS, [measured(collection, options.questions) for collection in collections]))


def measured(collection: Collection, most: int | None = None) -> list[str]:
    source = JudgedSource(collection.index, {paper.id: paper for paper in collection.papers()})
    thesaurus = Thesaurus(source.keywords, source.mentions)
    figures: list[tuple[float, ...]] = []
    for key, grades in list(collection.judgements.items())[:most]:
        relevant, question = set(grades), collection.questions[key]
        plain = search_ids(collection.index, question, "hybrid")
        marked, second, result = asyncio.run(_session(workflow(source, thesaurus), question, relevant))
        figures.append(
            (
                _precision(relevant, plain),
                _precision(relevant, result),
                _recall(relevant, plain),
                _recall(relevant, result),
                _precision(relevant, [paper_id for paper_id in plain if paper_id not in marked]),
                _precision(relevant, [paper_id for paper_id in second if paper_id not in marked]),
            )
        )
    means = [fmean(column) for column in zip(*figures, strict=True)]
    return [collection.name, str(len(figures)), *(f"{mean:.3f}" for mean in means)]


async def _session(search: SearchWorkflow, question: str, relevant: Ids[str]) -> tuple[set[str], list[str], list[str]]:
    """The papers marked in the first round, the list of the second, and the result."""
    state = await search.advance(WorkflowState(query=question))
    first_marks: set[str] = set()
    for number in range(ROUNDS):
        state = await search.advance(state, APPROVE)
        shown = _under_review(state)
        kept = {paper.id for paper in state.kept}
        found = [paper.id for paper in shown[: limits.REVIEW_PAPERS] if paper.id in relevant and paper.id not in kept]
        first_marks = first_marks or set(found[:MARKS])
        last = number == ROUNDS - 1
        action = DecisionAction.approve if last else DecisionAction.edit
        state = await search.advance(state, Decision(action=action, revised_data={"like": found[:MARKS]}))
    assert state.result is not None
    return first_marks, [paper.id for paper in shown], [paper.id for paper in state.result.papers]


def _under_review(state: WorkflowState) -> list[Paper]:
    assert state.checkpoint is not None
    assert isinstance(state.checkpoint.payload, ResultPayload)
    return state.checkpoint.payload.collection.papers


def _precision(relevant: Ids[str], found: Sequence[str], most: int = 10) -> float:
    return sum(paper_id in relevant for paper_id in found[:most]) / most


def _recall(relevant: Ids[str], found: Sequence[str], most: int = 50) -> float:
    return len(set(relevant).intersection(found[:most])) / len(relevant)


if __name__ == "__main__":
    main()
