"""What each kind of request costs as the library grows, as a table and a chart.

    python -m bench.speed.growth [--sizes 1000 10000 110486 1000000] [--chart docs/growth.svg]

CPU ms of a tool call or of a page that is written anew, the median of its rounds, in one process for each library
(bench.data.libraries). A library of a million papers is measured where it has been built.
"""

import argparse
import json
import logging
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import mean

from bench.data import libraries
from bench.speed.growth_chart import draw
from bench.speed.pages import cpu_ms
from bench.speed.search import QUERIES
from bench.table import figure, table

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
SIZES = (1_000, 10_000, 110_486, 1_000_000)
Work = Callable[[], object]


def requests() -> dict[str, list[Work]]:
    """The requests of each kind; their mean counts."""
    from django.test import Client

    from papers import tools
    from papers.catalogue.schemas import Category
    from papers.snapshot.models import Paper

    get = Client(headers={"host": "localhost"}).get
    ids = Paper.objects.order_by("pk").values_list("pk", flat=True)
    some = [ids[number] for number in (0, ids.count() // 2, ids.count() - 1)]
    counted: tuple[Category, ...] = ("author", "venue", "year")
    texts = list(QUERIES.values())
    return {
        "search by words": [partial(tools.search_papers, text, mode="words") for text in texts],
        "search, hybrid": [partial(tools.search_papers, text) for text in texts],
        "search, with counts": [partial(tools.search_papers, text, facets=counted) for text in texts],
        "metadata": [partial(tools.get_paper_metadata, paper) for paper in some],
        "top authors": [partial(tools.list_top_facets, "author")],
        "page of results": [partial(get, f"/papers/?q={text}") for text in texts],
        "page of a paper": [partial(get, f"/papers/{paper}/") for paper in some],
        "home page": [partial(get, "/")],
        "statistics": [partial(get, "/stats/")],
        "authors": [partial(get, "/by/author/")],
    }


def print_costs(rounds: int) -> None:
    """As JSON, for the process that asked for it."""
    import django

    django.setup()
    logging.disable(logging.INFO)
    libraries.serve_settled()
    costs = {kind: mean(cpu_ms(work, rounds) for work in works) for kind, works in requests().items()}
    print(json.dumps(costs))


def report(costs: dict[int, dict[str, float]]) -> str:
    """A row for each kind of request, a column for each size, and how much more the largest costs than the smallest."""
    sizes = sorted(costs)
    first, last = costs[sizes[0]], costs[sizes[-1]]
    head = ["CPU ms", *(f"{size:,} papers" for size in sizes), f"growth over {sizes[-1] / sizes[0]:,.0f} x the papers"]
    rows = [
        [kind, *(figure(costs[size][kind]) for size in sizes), f"{last[kind] / first[kind]:.1f} x"] for kind in first
    ]
    return table(head, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--chart", type=Path, help="where the chart goes")
    parser.add_argument("--here", action="store_true", help="measure the configured library in this process, as JSON")
    options = parser.parse_args()
    if options.here:
        print_costs(options.rounds)
        return
    with libraries.libraries_folder() as folder:
        found = {size: path for size in options.sizes if (path := libraries.first_papers(folder, size))}
        if not found:
            raise SystemExit(f"There are no libraries in {folder}, and no papers: set PAPERSITE_BENCH_DATA.")
        arguments = ("--here", "--rounds", str(options.rounds))
        costs = {
            size: json.loads(libraries.measure("bench.speed.growth", path, *arguments)) for size, path in found.items()
        }
    print(report(costs))
    if options.chart:
        options.chart.write_text(draw(costs), encoding="utf-8")


if __name__ == "__main__":
    main()
