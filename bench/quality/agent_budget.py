"""How much an agent has to read for an answer with a quote: ten scripted sessions over the demo library.

    python -m bench.quality.agent_budget

Before: search_papers, metadata and full text of the first paper, as without passages. After: search_passages,
get_passage, verify_quotes. Check: ten sentences of an answer, four of them wrong, checked in one call of check_claims,
and how many of each kind were told rightly. Characters of the tools' answers, which an agent reads once each. Then what
each server's tools/list costs, which an agent reads before it asks anything.
"""

import json
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from papercore import limits
from papercore.text import sentences
from tests.server import manage

# The goal for a whole answer.
MOST_CHARS = 20_000
# The goal for tools/list of one server.
MOST_LIST_BYTES = 40_000
QUESTIONS = (
    "How many training examples are masked in BERT pre-training?",
    "Why does scaled dot-product attention divide by the square root of the dimension?",
    "How does an LSTM keep the error from vanishing?",
    "What happens in Raft when a leader fails?",
    "How is the false discovery rate controlled?",
    "What did LIGO observe on 14 September 2015?",
    "Why do people weigh losses more than gains?",
    "How does Adam correct the bias of its moments?",
    "How does CRISPR find the place to cut?",
    "How does consistent hashing spread keys over nodes in Dynamo?",
)


class CountingCaller:
    """Calls tools and counts the characters of their answers."""

    def __init__(self, call: Callable[[str, dict[str, object]], dict[str, object]]) -> None:
        self._call = call
        self.chars = self.calls = self._last = 0

    def call(self, name: str, **arguments: object) -> dict[str, object]:
        answer = self._call(name, arguments)
        self._last = len(json.dumps(answer, ensure_ascii=False))
        self.chars += self._last
        self.calls += 1
        return answer

    def uncount_last(self) -> None:
        """For an answer that another is counted for."""
        self.chars -= self._last
        self.calls -= 1


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="papersite-bench-") as folder:
        done = manage(Path(folder), "demo", "--no-serve")
        if done.returncode:
            raise SystemExit(done.stderr)
        call = open_library(Path(folder))
        print(f"{'before':>8}{'after':>8}{'check':>8}  verified  true supported, wrong supported  question")
        for question in QUESTIONS:
            before, after, verified = _without_passages(call, question), *_with_passages(call, question)
            check, told = _with_own_answer(call, question)
            print(f"{before:>8,}{after:>8,}{check:>8,}  {'yes' if verified else 'NO':8}  {told:33}{question}")
            if check > limits.CLAIMS_ANSWER_CHARS:
                print(f"          over the limit of {limits.CLAIMS_ANSWER_CHARS:,}")
            if after > MOST_CHARS:
                print(f"          over the goal of {MOST_CHARS:,}")
        _print_lists()


def _print_lists() -> None:
    """As they are sent, in bytes."""
    from mcp.types.version import LATEST_HANDSHAKE_VERSION

    from mcpapi.listing.servers import SERVERS
    from mcpapi.protocol import dispatch

    print(f"\n{'bytes':>8}{'tools':>8}  tools/list of")
    for name, server in SERVERS.items():
        size = len(dispatch.run(server, "tools/list", {}, LATEST_HANDSHAKE_VERSION))
        note = f"  over the goal of {MOST_LIST_BYTES:,}" if size > MOST_LIST_BYTES else ""
        print(f"{size:>8,}{len(server.tools):>8}  {name}{note}")


def _without_passages(call: Callable[[str, dict[str, object]], dict[str, object]], question: str) -> int:
    agent = CountingCaller(call)
    papers = agent.call("search_papers", query=question, limit=10)["papers"]
    assert isinstance(papers, list)
    paper_id = papers[0]["paper_id"]
    agent.call("get_paper_metadata", paper_id=paper_id)
    agent.call("get_paper_summary", paper_id=paper_id)
    agent.call("get_paper_source", paper_id=paper_id)
    return agent.chars


def _with_passages(call: Callable[[str, dict[str, object]], dict[str, object]], question: str) -> tuple[int, bool]:
    agent = CountingCaller(call)
    hits = agent.call("search_passages", query=question)["passages"]
    assert isinstance(hits, list)
    quotes = []
    for hit in hits[:3]:
        passage = agent.call("get_passage", address=hit["address"])
        quotes.append({"quote": passage["markdown"], "where": hit["address"]})
    verified = agent.call("verify_quotes", quotes=quotes)["quotes"]
    assert isinstance(verified, list)
    # The demo's texts are reading editions.
    return agent.chars, all(item["verdict"] in ("found", "not_authors_words") for item in verified)


def _with_own_answer(call: Callable[[str, dict[str, object]], dict[str, object]], question: str) -> tuple[int, str]:
    """Six sentences as the passages have them, and four with `not` or a number that is another, in one call."""
    agent = CountingCaller(call)
    hits = call("search_passages", {"query": question, "limit": 10})["passages"]
    assert isinstance(hits, list)
    said = [(sentence, hit["paper_id"]) for hit in hits for sentence in sentences(hit["quote"]) if len(sentence) > 40]
    wrong = [(changed, paper_id) for text, paper_id in said if (changed := _changed(text)) != text][:4]
    asked = [*said[: limits.CLAIMS - len(wrong)], *wrong]
    answer = agent.call("check_claims", claims=[{"claim": text, "cited": [paper_id]} for text, paper_id in asked])
    claims = answer["claims"]
    assert isinstance(claims, list)
    supported = [claim["verdict"] == "supported" for claim in claims]
    true = len(asked) - len(wrong)
    return agent.chars, f"{sum(supported[:true])} of {true}, {sum(supported[true:])} of {len(wrong)}"


def _changed(sentence: str) -> str:
    """With another number, or else denied."""
    other = re.sub(r"(?<![\w.-])\d{1,3}(?![\w.-])", lambda found: str(2 * int(found[0]) + 1), sentence, count=1)
    return other if other != sentence else re.sub(r"\b(is|are|was|were|can)\b", r"\1 not", sentence, count=1)


def open_library(data: Path) -> Callable[[str, dict[str, object]], dict[str, object]]:
    os.environ |= {"PAPERSITE_DATA": str(data), "DJANGO_SETTINGS_MODULE": "papersite.settings"}
    import django

    django.setup()
    from mcpapi.listing.servers import PAPERS

    def call(name: str, arguments: dict[str, object]) -> dict[str, object]:
        return PAPERS.tool_by_name[name].function(**arguments).model_dump(mode="json")

    return call


if __name__ == "__main__":
    main()
