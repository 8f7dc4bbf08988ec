"""How long the first reader of a text of 300,000 characters waits: the slowest texts, on a real server.

    python -m bench.speed.first_visit [--texts 12]

The texts are those of bench.faults.hostile_texts and one of ordinary prose, each the source of a paper. Beside the
time to the first page: the time until the page has the whole text, when it is loaded again as the browser does.
"""

import argparse
import http.client
import tempfile
import time
from pathlib import Path

from bench.data import libraries
from bench.faults.hostile_texts import hostile_texts
from bench.speed.startup import gunicorn, wait_until_listening
from bench.table import figure, table
from papercore.limits import MARKDOWN_CHARS
from tests import snapshot
from tests.snapshot import SamplePaper

RELOADED_AFTER_SECONDS = 1.0
LONGEST_SECONDS = 30.0
# Each worker gets one, as connections are spread over them.
WARMING_VISITS = 8
PROSE = "## A part\n\nWords of *some* length and a formula $x_i^2$, then a [link](https://example.org/).\n\n"


def visit(port: int, path: str) -> tuple[float, str]:
    """Seconds until the page is there, and the page."""
    began = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path, headers={"Host": "localhost"})
    page = connection.getresponse().read().decode()
    connection.close()
    return time.perf_counter() - began, page


def waits(port: int, path: str) -> tuple[float, float, str]:
    """Seconds until the first page and until the whole text, and how the text is shown in the end."""
    began = time.perf_counter()
    first, page = visit(port, path)
    while "data-unfinished" in page and time.perf_counter() - began < LONGEST_SECONDS:
        time.sleep(RELOADED_AFTER_SECONDS)
        _, page = visit(port, path)
    shown = "laid out"
    if '<pre class="typed">' in page:
        shown = "as typed"
    elif "cannot be shown" in page or "data-unfinished" in page:
        shown = "not"
    return first, time.perf_counter() - began, shown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=100, help="so many of them")
    number = parser.parse_args().texts
    prose = (PROSE * (MARKDOWN_CHARS // len(PROSE) + 1))[:MARKDOWN_CHARS]
    texts = list({"ordinary prose": prose, **hostile_texts()}.items())[:number]
    papers = [
        SamplePaper(str(number), kind, ["Ada"], source=f"{text[:-8]}\n\n{number}")
        for number, (kind, text) in enumerate(texts, start=1_000)
    ]
    with tempfile.TemporaryDirectory() as name:
        database = snapshot.build(Path(name) / "library", [*snapshot.PAPERS, *papers])
        with gunicorn("papersite.wsgi:application", libraries.environment(database, Path(name))) as (port, _):
            wait_until_listening(port)
            for _ in range(WARMING_VISITS):
                visit(port, "/papers/456/source/")
            rows = [(paper.title, *waits(port, f"/papers/{paper.paper_id}/source/")) for paper in papers]
    rows.sort(key=lambda row: row[1], reverse=True)
    print("Seconds, the slowest first:\n")
    shown = [(kind, figure(first), figure(whole), how) for kind, first, whole, how in rows]
    print(table(["text", "first page", "whole text", "shown"], shown))


if __name__ == "__main__":
    main()
