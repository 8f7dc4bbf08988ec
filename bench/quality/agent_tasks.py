"""What ten tasks cost an agent over the demo library: calls, and characters of answers, which it reads once each.

    python -m bench.quality.agent_tasks

Before: each paper, claim and entry by a call of its own, whole texts, and passages with every review. After: one call
where one is enough, and what is not needed is not sent.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any  # answers as JSON: a script looks into them freely

from bench.quality.agent_budget import CountingCaller, open_library
from bench.table import table
from tests.server import manage

Task = tuple[str, Callable[[CountingCaller], object], Callable[[CountingCaller], object]]
TOPIC = "attention and language models"
CLAIMS = (
    "The Transformer is trained without recurrence.",
    "BERT masks 15 percent of the tokens.",
    "Raft elects a leader by randomized timeouts.",
)
ENTRIES = (
    ("Attention Is All You Need", "Vaswani, Ashish", 2017),
    ("Long Short-Term Memory", "Hochreiter, Sepp", 1997),
    ("In Search of an Understandable Consensus Algorithm", "Ongaro, Diego", 2014),
    ("Adam: A Method for Stochastic Optimization", "Kingma, Diederik P.", 2015),
    ("A Paper that Nobody Has Written", "Nobody, No", 2020),
)
BIBTEX = "\n".join(
    f"@article{{e{n}, title={{{title}}}, author={{{author}}}, year={{{year}}}}}"
    for n, (title, author, year) in enumerate(ENTRIES)
)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="papersite-bench-") as folder:
        for command in (("demo", "--no-serve"), ("migrate",)):
            done = manage(Path(folder), *command)
            if done.returncode:
                raise SystemExit(done.stderr)
        call = open_library(Path(folder))
        rows = []
        for name, before, after in TASKS:
            agents = CountingCaller(call), CountingCaller(call)
            before(agents[0])
            after(agents[1])
            rows.append([name, *(f"{agent.calls}" for agent in agents), *(f"{agent.chars:,}" for agent in agents)])
        print(table(("task", "calls before", "after", "characters before", "after"), rows))


def found(agent: CountingCaller, count: int) -> list[str]:
    papers: Any = agent.call("search_papers", query=TOPIC, limit=count)["papers"]
    return [paper["paper_id"] for paper in papers]


def each(agent: CountingCaller, tools: tuple[str, ...], count: int) -> None:
    for paper_id in found(agent, count):
        for tool in tools:
            agent.call(tool, paper_id=paper_id)


def answer_from_texts(question: str) -> Callable[[CountingCaller], object]:
    def task(agent: CountingCaller) -> None:
        papers: Any = agent.call("search_papers", query=question, limit=10)["papers"]
        for tool in ("get_paper_metadata", "get_paper_summary", "get_paper_source"):
            agent.call(tool, paper_id=papers[0]["paper_id"])

    return task


def answer_from_passages(question: str) -> Callable[[CountingCaller], object]:
    def task(agent: CountingCaller) -> None:
        hits: Any = agent.call("search_passages", query=question)["passages"]
        passage: Any = agent.call("get_passage", address=hits[0]["address"])
        agent.call("verify_quotes", quotes=[{"quote": passage["markdown"], "where": hits[0]["address"]}])

    return task


def search(*, passages: bool, follow: bool = False) -> Callable[[CountingCaller], object]:
    """Two rounds over twenty papers; before, each review came with its passages, as `get_session` has it now."""

    def task(agent: CountingCaller) -> None:
        def decide(action: str, **data: object) -> Any:
            answer: Any = agent.call("decide", session_id=session_id, action=action, data=data or None)
            if passages and answer.get("current_checkpoint_kind") == "result_review":
                agent.uncount_last()
                answer = agent.call("get_session", session_id=session_id)
            return answer

        session_id = agent.call("start_search", query=TOPIC, max_results=20)["session_id"]
        papers = decide("approve")["checkpoint"]["payload"]["papers"]
        after = decide("edit", like=[paper["id"] for paper in papers[:3]], follow_citations=follow)
        if after["current_checkpoint_kind"] == "strategy_confirmation":
            decide("approve")
        decide("approve")
        agent.call("export_results", session_id=session_id)

    return task


def plan_in_two_steps(agent: CountingCaller) -> None:
    session_id = agent.call("start_search", query="consensus in distributed systems", max_results=20)["session_id"]
    plan = {"concepts": [["consensus", "agreement"], ["distributed"]], "year_from": 1975}
    agent.call("decide", session_id=session_id, action="edit", data=plan)


def plan_at_once(agent: CountingCaller) -> None:
    plan = {"concepts": [["consensus", "agreement"], ["distributed"]], "year_from": 1975}
    session_id = agent.call("start_search", query="consensus", plan=plan, max_results=20)["session_id"]
    agent.call("decide", session_id=session_id, action="approve")


def follow_by_hand(agent: CountingCaller) -> None:
    search(passages=True)(agent)
    for paper_id in found(agent, 3):
        references: Any = agent.call("get_paper_references", paper_id=paper_id)
        linked = [item["paper_id"] for item in (*references["references"], *references["cited_by"])]
        if known := [other for other in dict.fromkeys(linked) if other]:
            agent.call("get_papers", paper_ids=known[:20])


def section_by_outline(agent: CountingCaller) -> None:
    (paper_id,) = found(agent, 1)
    sections: Any = agent.call("get_paper_outline", paper_id=paper_id)["sections"]
    agent.call("get_paper_source", paper_id=paper_id, section=str(sections[len(sections) // 2]["number"]))


def claims_one_by_one(agent: CountingCaller) -> None:
    for claim in CLAIMS:
        hits: Any = agent.call("search_passages", query=claim)["passages"]
        for hit in hits[:2]:
            agent.call("get_passage", address=hit["address"])


TASKS: tuple[Task, ...] = (
    *(
        (f"answer with a quote: {question}", answer_from_texts(question), answer_from_passages(question))
        for question in (
            "How many training examples are masked in BERT pre-training?",
            "What happens in Raft when a leader fails?",
        )
    ),
    (
        "six papers with their BibTeX",
        lambda agent: each(agent, ("get_paper_metadata", "get_paper_bibtex"), 6),
        lambda agent: agent.call("get_papers", paper_ids=found(agent, 6), bibtex=True),
    ),
    (
        "what six papers are",
        lambda agent: each(agent, ("get_paper_metadata",), 6),
        lambda agent: agent.call("get_papers", paper_ids=found(agent, 6)),
    ),
    ("a search in two rounds of twenty papers", search(passages=True), search(passages=False)),
    ("a search with a plan", plan_in_two_steps, plan_at_once),
    ("a search that follows the citations of three papers", follow_by_hand, search(passages=False, follow=True)),
    (
        "three claims",
        claims_one_by_one,
        lambda agent: agent.call("check_claims", claims=[{"claim": claim} for claim in CLAIMS]),
    ),
    (
        "a bibliography of five entries",
        lambda agent: [agent.call("search_papers", query=f"{title} {author}") for title, author, _ in ENTRIES],
        lambda agent: agent.call("check_bibliography", bibtex=BIBTEX),
    ),
    (
        "one section of a paper",
        lambda agent: agent.call("get_paper_source", paper_id=found(agent, 1)[0]),
        section_by_outline,
    ),
)

if __name__ == "__main__":
    main()
