"""Size and CPU time of the pages, beside the tool calls that each makes.

    python -m bench.speed.pages [--sizes 110486] [--rounds 30]

On the demo library, and on so many papers of the collection without full texts, each with its index.
"""

import argparse
import gzip
import json
import logging
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any  # the arguments of a tool
from urllib.parse import urlencode

from bench.data import libraries
from bench.table import figure, table

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")


@dataclass(frozen=True)
class PageCase:
    """A page, and the tool calls behind it."""

    name: str
    path: str
    tool: Callable[[], object]


@dataclass(frozen=True)
class PageCost:
    """CPU time in ms: of the page, and of the tool call."""

    name: str
    size: int
    compressed: int
    written: float
    tool: float

    def row(self) -> list[str]:
        sizes = [f"{size / 1000:.0f} KB" for size in (self.size, self.compressed)]
        times = (self.tool, self.written, self.written - self.tool)
        return [self.name, *sizes, *map(figure, times)]


HEAD = ("address", "bytes", "compressed", "its tools", "page", "over its tools")


def cpu_ms(work: Callable[[], object], rounds: int) -> float:
    work()
    return statistics.median(once_ms(work) for _ in range(rounds))


def once_ms(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1000


def cases() -> list[PageCase]:
    from papers import tools
    from papers.catalogue.schemas import Category
    from papers.pages.search import IN_TEXT, OPENED_PAPERS, SHOWN_PASSAGES
    from papers.snapshot.models import Paper

    paper = Paper.objects.order_by("pk").values_list("pk", flat=True)[0]
    sources = Paper.objects.exclude(source_md_content_hash=None).order_by("pk").values_list("pk", flat=True)
    with_source = sources[:1] if tools.get_database_stats().with_source else []
    facets: tuple[Category, ...] = ("author", "venue", "keyword", "institution", "tag", "year")
    venue = tools.search_papers("learning", facets=("venue",)).facets["venue"][0].value
    author = tools.search_papers("learning", venue=venue, facets=("author",)).facets["author"][0].value
    filters = urlencode({"venue": venue, "author": author})

    def search(query: str, **options: Any) -> object:
        """A list shows the best passages of its first papers that have the words in a text."""
        found = tools.search_papers(query, **options).papers
        inside = tuple(item.paper_id for item in found if not IN_TEXT.isdisjoint(item.matched or ()))[:OPENED_PAPERS]
        return tools.search_passages(query, paper_ids=inside, limit=SHOWN_PASSAGES * OPENED_PAPERS) if inside else found

    return [
        PageCase("results", "/papers/?q=learning", lambda: search("learning", facets=facets)),
        PageCase("results while typing", "/papers/?q=learn", lambda: search("learn", facets=facets)),
        PageCase(
            "results, two filters",
            f"/papers/?q=learning&{filters}",
            lambda: (
                search("learning", venue=venue, author=author, facets=facets),
                # A filter in use is counted as if it were not.
                tools.search_papers("learning", author=author, facets=("venue",), limit=1),
                tools.search_papers("learning", venue=venue, facets=("author",), limit=1),
            ),
        ),
        PageCase("all papers", "/papers/", lambda: tools.search_papers("", facets=facets)),
        PageCase("paper", f"/papers/{paper}/", lambda: tools.get_paper_metadata(paper)),
        *(
            PageCase("full text", f"/papers/{paper_id}/source/", partial(tools.get_paper_source, paper_id))
            for paper_id in with_source
        ),
        PageCase("home", "/", lambda: tools.search_papers("", facets=("year",))),
        PageCase("statistics", "/stats/", lambda: tools.search_papers("", facets=("year",))),
        PageCase("authors", "/by/author/", lambda: tools.list_top_facets("author")),
    ]


def cost(case: PageCase, rounds: int) -> PageCost:
    from django.test import Client

    client = Client(headers={"host": "localhost", **({"HX-Request": "true"} if "typing" in case.name else {})})
    ask = partial(client.get, case.path)
    body = ask().content
    # In turns, so that both have the same neighbours on a busy machine.
    taken = [(once_ms(ask), once_ms(case.tool)) for _ in range(rounds)]
    written, tool = (statistics.median(times) for times in zip(*taken, strict=True))
    return PageCost(case.name, len(body), len(gzip.compress(body)), written, tool)


def print_costs(rounds: int) -> None:
    """As JSON, for the process that asked for it."""
    import django

    django.setup()
    logging.disable(logging.INFO)
    libraries.serve_settled()
    print(json.dumps([asdict(cost(case, rounds)) for case in cases()]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="*", default=[110_486])
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--here", action="store_true", help="measure the configured library in this process, as JSON")
    options = parser.parse_args()
    if options.here:
        print_costs(options.rounds)
        return
    with libraries.libraries_folder() as folder:
        found = {"The demo": libraries.demo(folder)}
        found |= {f"{size:,} papers": path for size in options.sizes if (path := libraries.first_papers(folder, size))}
        for name, database in found.items():
            output = libraries.measure("bench.speed.pages", database, "--here", "--rounds", str(options.rounds))
            print(f"{name}, CPU ms:\n\n{table(HEAD, (PageCost(**fields).row() for fields in json.loads(output)))}\n")


if __name__ == "__main__":
    main()
