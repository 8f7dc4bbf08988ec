"""Size and CPU time of the pages, beside the tool call that each makes, on the configured library."""

import argparse
import gzip
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")


@dataclass(frozen=True)
class PageCase:
    """A page, and the tool call behind it."""

    name: str
    path: str
    tool: Callable[[], object]


def cpu_ms(work: Callable[[], object], rounds: int) -> float:
    work()
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times) * 1000


def cases() -> list[PageCase]:
    from papers import tools
    from papers.models import Paper
    from papers.schemas import Category

    paper = Paper.objects.order_by("pk").values_list("pk", flat=True)[0]
    with_source = Paper.objects.exclude(source_md_content_hash=None).order_by("pk").values_list("pk", flat=True)[:1]
    facets: tuple[Category, ...] = ("author", "venue", "keyword", "institution", "tag", "year")
    venue, keyword = (tools.list_top_facets(category, 1).values[0].value for category in ("venue", "keyword"))
    filters = urlencode({"venue": venue, "keyword": keyword})
    return [
        PageCase("results", "/papers/?q=learning", lambda: tools.search_papers("learning", facets=facets)),
        PageCase("results while typing", "/papers/?q=learn", lambda: tools.search_papers("learn", facets=facets)),
        PageCase(
            "results, two filters",
            f"/papers/?q=learning&{filters}",
            lambda: tools.search_papers("learning", venue=venue, keyword=keyword, facets=facets),
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    rounds = parser.parse_args().rounds
    import django

    django.setup()
    from django.test import Client

    from papers.snapshot import served

    served.renew()
    print(f"{'page':22}{'bytes':>9}{'gzip':>9}{'page ms':>9}{'tool ms':>9}{'ratio':>7}")
    for case in cases():
        headers = {"host": "localhost", **({"HX-Request": "true"} if "typing" in case.name else {})}
        client = Client(headers=headers)
        body = client.get(case.path).content
        page, tool = cpu_ms(partial(client.get, case.path), rounds), cpu_ms(case.tool, rounds)
        print(f"{case.name:22}{len(body):9,}{len(gzip.compress(body)):9,}{page:9.1f}{tool:9.1f}{page / tool:7.1f}")


if __name__ == "__main__":
    main()
