"""How many of our modules six flows pass through, and how often they call each other, from a profile of the real thing.

    python -m bench.walk [--order] [--pairs N]

Each flow runs on the demo library and its index, in a folder that is removed afterwards, with all middleware; threads
that it starts count as well. It is warmed up with another question, or another paper: answers that the site remembers
would otherwise hide the walk that the first reader takes. Columns:

- modules: modules of ours in which a function ran
- calls:   calls from a function of one module straight to a function of another; a loop that repeats a call counts once
- events:  the same calls, each repetition counted
"""

import argparse
import io
import json
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any  # JSON as it comes

PACKAGES = frozenset(("papersite", "mcpapi", "searches", "papers", "specs", "paper_search", "ingest", "papercore"))
BIB = """
@article{shannon1948, title={A Mathematical Theory of Communication}, author={Claude E. Shannon},
  journal={Bell System Technical Journal}, year={1948}, doi={10.1002/j.1538-7305.1948.tb01338.x}}
@inproceedings{codd1972, title={Relational Completeness of Data Base Sublanguages}, author={E. F. Codd},
  booktitle={Data Base Systems}, year={1972}, keywords={databases, relational algebra}}
@book{knuth1984, title={The {\\TeX}book}, author={Donald E. Knuth}, publisher={Addison-Wesley}, year={1984}}
"""


@dataclass
class Walk:
    """What one run of a flow called. Set as the profile function of every thread that takes part."""

    modules: dict[str, None] = field(default_factory=dict)
    events: Counter[tuple[str, str]] = field(default_factory=Counter)
    # Each caller is kept with its calls, so that no later frame can be given its id.
    calls: dict[tuple[int, CodeType], tuple[FrameType, str, str]] = field(default_factory=dict)

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        if event != "call" or not (callee := our_module(frame)):
            return
        self.modules.setdefault(callee)
        caller = frame.f_back
        if caller is None or not (origin := our_module(caller)) or origin == callee:
            return
        self.events[origin, callee] += 1
        self.calls.setdefault((id(caller), frame.f_code), (caller, origin, callee))

    def pairs(self) -> Counter[tuple[str, str]]:
        """How many calls each pair of modules exchanges."""
        return Counter((origin, callee) for _, origin, callee in self.calls.values())


def our_module(frame: FrameType) -> str:
    """The frame's module if it is one of ours, otherwise nothing."""
    name = str(frame.f_globals.get("__name__", ""))
    return name if name.partition(".")[0] in PACKAGES else ""


@dataclass(frozen=True)
class Flow:
    """Something a user does, something similar that warms the process up, and what must happen before each."""

    name: str
    warm_up: Callable[[], object]
    work: Callable[[], object]
    prepare: Callable[[], object] = lambda: None

    def walk(self) -> Walk:
        self.prepare()
        self.warm_up()
        self.prepare()
        walk = Walk()
        threading.setprofile(walk)
        sys.setprofile(walk)
        try:
            self.work()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
        return walk


class DemoSite:
    """The demo library, asked in process."""

    def __init__(self, folder: Path) -> None:
        from django.test import Client

        from papersite.command.commands import call_command

        call_command("demo", "--no-serve")
        self._client = Client(headers={"host": "localhost"})
        self._command = call_command
        self._folder = folder
        self._builds = 0
        self._session = ""
        (folder / "small.bib").write_text(BIB, encoding="utf-8")

    def call(self, tool: str, **arguments: object) -> Any:
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answer = self._client.post("/mcp", json.dumps(message), content_type="application/json")
        result = answer.json()["result"]
        if result["isError"]:
            raise SystemExit(f"{tool} failed: {result['structuredContent']}")
        return result["structuredContent"]

    def search(self, query: str) -> None:
        self.call("search_papers", query=query)

    def search_specs(self, query: str) -> None:
        self.call("search_specs", query=query)

    def get(self, path: str) -> None:
        status = self._client.get(path).status_code
        if status != 200:
            raise SystemExit(f"{path} was answered with {status}")

    def build(self) -> None:
        self._builds += 1
        out = self._folder / f"build-{self._builds}"
        self._command("build_snapshot", str(self._folder / "small.bib"), "--out", str(out))

    def start_search(self) -> None:
        self._session = self.call("start_search", query="attention in transformers since 2015")["session_id"]

    def decide(self) -> None:
        self.call("decide", session_id=self._session, action="approve")

    def flows(self) -> list[Flow]:
        paper, other = [found["paper_id"] for found in self.call("search_papers", query="climate")["papers"][:2]]
        return [
            Flow("MCP search_papers", partial(self.search, "ozone"), partial(self.search, "climate")),
            Flow("search page", partial(self.get, "/papers/?q=ozone"), partial(self.get, "/papers/?q=climate")),
            Flow("paper page", partial(self.get, f"/papers/{other}/"), partial(self.get, f"/papers/{paper}/")),
            Flow("build from .bib", self.build, self.build),
            Flow("decide", self.decide, self.decide, prepare=self.start_search),
            Flow("search_specs", partial(self.search_specs, "tokens"), partial(self.search_specs, "searching papers")),
        ]


def measured() -> dict[str, Walk]:
    """The walk of each flow. What the site logs and prints on the way is dropped."""
    with tempfile.TemporaryDirectory(prefix="papersite-walk-") as folder, redirect_stderr(io.StringIO()):
        os.environ |= {"PAPERSITE_DATA": folder, "PAPERSITE_SESSION_CALLS": "0"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "papersite.settings"
        (Path(folder) / "collected-static").mkdir()
        import django

        django.setup()
        with redirect_stdout(io.StringIO()):
            return {flow.name: flow.walk() for flow in DemoSite(Path(folder)).flows()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--order", action="store_true", help="list the modules of each flow as they are first entered")
    parser.add_argument("--pairs", type=int, default=0, metavar="N", help="list the N pairs with most calls")
    options = parser.parse_args()
    walks = measured()
    print(f"{'flow':20}{'modules':>8}{'calls':>8}{'events':>8}")
    for name, walk in walks.items():
        print(f"{name:20}{len(walk.modules):8}{len(walk.calls):8,}{walk.events.total():8,}")
    for name, walk in walks.items():
        if options.order:
            print(f"\n{name}:", *walk.modules, sep="\n  ")
        if options.pairs:
            print(f"\n{name}:   calls  events")
        for (origin, callee), calls in walk.pairs().most_common(options.pairs):
            print(f"  {calls:6} {walk.events[origin, callee]:7}  {origin} -> {callee}")


if __name__ == "__main__":
    main()
