"""Takes the screenshots in docs/screenshots in a real browser, of the demo and of a library of one's own:
`make screenshots`."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, FilePayload, expect, sync_playwright

ROOT = Path(__file__).parent.parent
OUT = ROOT / "docs" / "screenshots"
CHAPTER = ROOT / "tests" / "papers" / "drafts" / "thesis"
STARTUP_SECONDS = 60
Scheme = Literal["light", "dark"]


@dataclass(frozen=True)
class Shot:
    """A page, and the link to follow from the first paper listed there, if any."""

    name: str
    path: str
    link: str = ""
    scheme: Scheme = "light"
    width: int = 1280
    height: int = 860


SHOTS = [
    Shot("home", "/"),
    Shot("search", "/papers/?q=how+do+networks+learn"),
    Shot("paper", "/papers/?q=Attention+Is+All+You+Need", link="Deep read", height=1000),
    Shot("paper-dark", "/papers/?q=Attention+Is+All+You+Need", link="Deep read", scheme="dark", height=1000),
    Shot("side-by-side", "/papers/?q=Deep+Residual+Learning+for+Image+Recognition", link="Side by side", height=720),
    Shot("connect", "/connect/"),
    Shot("search-phone", "/papers/?q=how+do+networks+learn", width=390, height=860),
]


CHECKS = [
    Shot("check", "/check/", height=1000),
    Shot("check-dark", "/check/", scheme="dark", height=1000),
    Shot("check-phone", "/check/", width=390),
]


def manage(*arguments: str) -> list[str]:
    return [sys.executable, str(ROOT / "manage.py"), *arguments]


# What somebody has, and what is brought to it: a better entry, another book of the same title, something new.
OWN = """@article{hoare1978csp, author={Hoare, C. A. R.}, title={Communicating Sequential Processes},
  journal={Communications of the ACM}, year={1978}, volume={21}, number={8}}
@article{vaswani, author={Ashish Vaswani and others}, title={Attention Is All You Need}, year={2017},
  eprint={1706.03762}, archiveprefix={arXiv}}
@article{lamport1978, author={Leslie Lamport}, title={Time, Clocks, and the Ordering of Events in a Distributed System},
  year={1978}}
@inproceedings{dean2004, author={Jeffrey Dean and Sanjay Ghemawat}, booktitle={OSDI}, year={2004},
  title={MapReduce: Simplified Data Processing on Large Clusters}}
@article{dean2008, author={Jeffrey Dean and Sanjay Ghemawat}, journal={Communications of the ACM}, year={2008},
  title={MapReduce: Simplified Data Processing on Large Clusters}, doi={10.1145/1327452.1327492}}
"""
BROUGHT = """@inproceedings{vaswani2017attention, title={Attention Is All You Need}, year={2017}, pages={5998--6008},
  author={Vaswani, Ashish and Shazeer, Noam and Parmar, Niki and Uszkoreit, Jakob and Jones, Llion and Gomez, Aidan N.
    and Kaiser, Lukasz and Polosukhin, Illia}, booktitle={Advances in Neural Information Processing Systems 30},
  eprint={1706.03762}, archiveprefix={arXiv}}
@book{hoare1985csp, author={Hoare, C. A. R.}, title={Communicating Sequential Processes}, year={1985},
  publisher={Prentice Hall}}
@inproceedings{brewer2000, author={Eric A. Brewer}, title={Towards Robust Distributed Systems}, booktitle={PODC},
  year={2000}}
"""


@contextmanager
def own_library() -> Iterator[str]:
    """Serves a small library of somebody's own, and gives the link that makes its reader the owner."""
    with tempfile.TemporaryDirectory() as name:
        data, before = Path(name), dict(os.environ)
        os.environ |= {"PAPERSITE_DATA": str(data / "data"), "PAPERSITE_LIBRARY_CHANGES": "local"}
        (data / "mine.bib").write_text(OWN, encoding="utf-8")
        (data / "references.bib").write_text(BROUGHT, encoding="utf-8")
        subprocess.run(manage("add_papers", str(data / "mine.bib")), check=True)  # noqa: S603 (our own program)
        subprocess.run(manage("prepare"), check=True)  # noqa: S603 (our own program)
        try:
            with served() as base:
                link = subprocess.run(manage("link", "--site", base), check=True, capture_output=True, text=True)  # noqa: S603
                yield link.stdout.strip()
        finally:
            os.environ.clear()
            os.environ |= before


def take_library(browser: Browser, owners_link: str, shots: Sequence[tuple[int, Scheme, str]]) -> None:
    """What is brought, before it is added; papers that may be one; and where a paper's fields come from."""
    site, _, key = owners_link.partition("/enter/")
    context = browser.new_context(base_url=site)
    page = context.new_page()
    page.goto(f"/enter/{key}")
    page.goto("/library/add/")
    page.set_input_files("#files", FilePayload(name="references.bib", mimeType="text/plain", buffer=BROUGHT.encode()))
    page.get_by_role("button", name="Read and compare").click()
    expect(page.get_by_text("3 entries read")).to_be_visible(timeout=STARTUP_SECONDS * 1000)
    preview = page.url
    page.goto("/papers/?q=time+clocks+ordering")
    page.locator(".hit h3 a").first.click()
    page.get_by_role("link", name="History").click()
    pages = {"preview": preview, "history": page.url, "duplicates": "/library/duplicates/"}
    for width, scheme, suffix in shots:
        page.set_viewport_size({"width": width, "height": 860})
        page.emulate_media(color_scheme=scheme)
        for name, address in pages.items():
            page.goto(address)
            page.screenshot(path=OUT / f"library-{name}{suffix}.png", full_page=True)
    context.close()


@contextmanager
def site() -> Iterator[str]:
    """Serves the demo library."""
    subprocess.run(manage("demo", "--no-serve"), check=True)  # noqa: S603 (our own program)
    with served() as base:
        yield base


@contextmanager
def served() -> Iterator[str]:
    """The site on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(  # noqa: S603 (our own program)
        manage("runserver", "--noreload", f"127.0.0.1:{port}"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/healthz")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(10)


def wait_for(url: str) -> None:
    deadline = time.monotonic() + STARTUP_SECONDS
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(url, timeout=5).close()  # noqa: S310 (our own server)
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
        else:
            return
    raise SystemExit(f"{url} did not answer within {STARTUP_SECONDS} seconds.")


def take(browser: Browser, base: str, shot: Shot) -> None:
    context = browser.new_context(
        base_url=base,
        color_scheme=shot.scheme,
        viewport={"width": shot.width, "height": shot.height},
    )
    page = context.new_page()
    page.goto(shot.path)
    if shot.link:
        page.locator(".hit h3 a").first.click()
        page.get_by_role("link", name=shot.link).click()
    page.wait_for_load_state("networkidle")
    page.screenshot(path=OUT / f"{shot.name}.png")
    context.close()


def take_search(browser: Browser, base: str, width: int, suffix: str = "") -> None:
    """A literature search from the question to the result, with one round of feedback."""
    context = browser.new_context(base_url=base, viewport={"width": width, "height": 800})
    page = context.new_page()

    def take_step(name: str) -> None:
        page.screenshot(path=OUT / f"search-session-{name}{suffix}.png")

    def decide(choice: str, heading: str) -> None:
        page.locator(".choice", has_text=choice).click()
        page.get_by_role("button", name="Send decision").click()
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible(timeout=STARTUP_SECONDS * 1000)

    page.goto("/searches/")
    page.get_by_label("Question").fill("RNNs with attention since 1990")
    take_step("1-question")
    page.get_by_role("button", name="Start the search").click()
    expect(page.get_by_role("heading", name="Confirm the plan")).to_be_visible(timeout=STARTUP_SECONDS * 1000)
    take_step("2-strategy")
    decide("Search with this plan", "Review the results")
    for key in "yny":
        page.keyboard.press("j")
        with page.expect_response(lambda response: response.url.endswith("/marks")):
            page.keyboard.press(key)
    take_step("3-review")
    decide("Search again", "Confirm the plan")
    take_step("4-learned")
    decide("Search with this plan", "Review the results")
    page.get_by_role("link", name="Decide").click()
    take_step("5-decide")
    decide("Finish, without the papers", "Result")
    take_step("6-result")
    context.close()


def take_check(browser: Browser, base: str, shot: Shot) -> None:
    """A chapter of a thesis beside the papers that it cites, at a sentence that says something else."""
    context = browser.new_context(
        base_url=base, color_scheme=shot.scheme, viewport={"width": shot.width, "height": shot.height}
    )
    page = context.new_page()
    page.goto(shot.path)
    page.locator("#files").set_input_files(sorted(CHAPTER.rglob("*.*")))
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(".draft")).to_be_visible(timeout=STARTUP_SECONDS * 1000)
    page.screenshot(path=OUT / f"{shot.name}.png")
    context.close()


def main() -> None:
    os.chdir(ROOT)
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("Chromium was not found; install it (Debian: apt install chromium).")
    OUT.mkdir(parents=True, exist_ok=True)
    with site() as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for shot in SHOTS:
            take(browser, base, shot)
        for shot in CHECKS:
            take_check(browser, base, shot)
        take_search(browser, base, 1280)
        take_search(browser, base, 390, "-phone")
        browser.close()
    with own_library() as link, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        take_library(browser, link, [(1280, "light", "")])
        browser.close()


if __name__ == "__main__":
    main()
