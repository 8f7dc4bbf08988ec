"""Any text is rendered within its time or shown as typed, and no process that renders stays behind."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from papercore.rendering import RendererBusy, bounded, render
from papercore.rendering.bounded import CannotRender, RenderProcess, RenderProcesses
from papercore.rendering.markdown import MarkdownSource, convert
from papercore.rendering.rules import CODE_SECONDS
from papercore.rendering.slow import SlowTexts, TooSlow, stop_after
from tests.growth import grows_too_fast
from tests.server import wait_for

SLOW_CODE = "x\n" * 6_000
ROOT = Path(__file__).parent.parent.parent.parent
GROWING = {
    "formulas that never end": lambda n: "$$a\n\n" * n,
    "dollars": lambda n: "$$a" * n,
    "marks closed by others": lambda n: "a <b>x</i>" * n,
    "marks inside each other": lambda n: "a " + "<b>" * n + "</b>" * n,
    "nested tables": lambda n: "<table><tr><td>" * n,
    "brackets": lambda n: "[a" * n,
    "emphasis": lambda n: "*a _b " * n + "c* d_" * n,
    "TeX that never ends": lambda n: r"\(a \begin{x}" * n,
    "footnotes": lambda n: "^[a" * n + "]" * n,
    "headings": lambda n: "# a\n" * n,
    "comments that never end": lambda n: "a <!-- " * n,
}


@pytest.fixture(autouse=True)
def busy_machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """On a busy machine an answer may take long: what is limited here is processor time."""
    monkeypatch.setattr(bounded, "RENDER_LIMITS", replace(bounded.RENDER_LIMITS, wait_seconds=120))
    monkeypatch.setattr(bounded, "_processes", RenderProcesses())
    yield
    bounded._processes.stop()


@pytest.mark.parametrize("name", GROWING)
def test_time_grows_with_the_text(name: str) -> None:
    assert not grows_too_fast(lambda text: convert(MarkdownSource(text)), GROWING[name], 600)


def test_slow_code_is_shown_plain_with_a_note_and_the_rest_of_the_page_as_ever() -> None:
    shown = render(f"# Title\n\n```csharp\n{SLOW_CODE}```\n\n```python\ndef f(): pass\n```\n").html
    assert "not coloured, because that takes too long" in shown
    assert '<h2 id="s-title">' in shown
    assert '<span class="k">def</span>' in shown


def test_code_that_was_too_slow_is_not_tried_again() -> None:
    process = RenderProcess()
    source = MarkdownSource(f"```csharp\n{SLOW_CODE}```\n")
    process.render(source)
    before = _processor_ticks(process.pid)
    process.render(source)
    assert (_processor_ticks(process.pid) - before) / os.sysconf("SC_CLK_TCK") < CODE_SECONDS / 2
    process.close()


def _processor_ticks(pid: int) -> int:
    """User time of a process, from the 14th field of its status."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])


HOSTILE = {
    "a list of 75,000 items": "- a\n" * 75_000,
    "one long address in 37,000 links": "[a]: /" + "x" * 150_000 + "\n\n" + "[a] " * 37_000,
    "marks in a table, never closed": "<table>" + "<b>x</i>" * 37_000,
    "footnotes inside each other": "^[" * 150_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_text_that_needs_too_much_is_shown_as_typed(name: str) -> None:
    rendered = render(HOSTILE[name])
    assert "shown as typed" in rendered.html
    assert rendered.html.count("&lt;" if "<" in HOSTILE[name] else HOSTILE[name][:2]) > 1_000
    assert rendered.words > 0


def test_a_text_as_typed_is_still_escaped() -> None:
    assert "<script>" not in render("<script>alert(1)</script>\n\n" + "- a\n" * 70_000).html


def test_a_regular_expression_that_would_run_for_years_is_stopped() -> None:
    with pytest.raises(TooSlow), stop_after(0.05):
        re.fullmatch("(a|a)*", "a" * 60 + "b")


def test_a_process_that_a_text_ended_is_replaced() -> None:
    processes = RenderProcesses(size=1)
    with pytest.raises(CannotRender):
        processes.render(MarkdownSource("- a\n" * 75_000))
    assert "<em>word</em>" in processes.render(MarkdownSource("*word*")).html
    processes.stop()


def test_a_process_killed_while_idle_is_replaced() -> None:
    processes = RenderProcesses(size=1)
    processes.render(MarkdownSource("*word*"))
    os.kill(processes._idle[0].pid, signal.SIGKILL)
    processes._idle[0]._process.wait()
    assert "<em>word</em>" in processes.render(MarkdownSource("*word*")).html
    processes.stop()


def test_a_text_that_waits_too_long_for_a_process_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "RENDER_WAIT_SECONDS", 0.01)
    processes = RenderProcesses(size=1)
    processes._free.acquire()
    with pytest.raises(RendererBusy):
        processes.render(MarkdownSource("*word*"))


def test_a_stopped_process_does_not_hold_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "RENDER_LIMITS", replace(bounded.RENDER_LIMITS, wait_seconds=0.3))
    process = RenderProcess()
    os.kill(process.pid, signal.SIGSTOP)
    with pytest.raises(RendererBusy):
        process.render(MarkdownSource("*word*"))
    process.close()


def test_threads_get_their_own_answers() -> None:
    processes = RenderProcesses(size=2)
    right: list[bool] = []

    def ask(number: int) -> None:
        texts = [f"{number} {turn}" for turn in range(10)]
        right.extend(f"<em>{text}</em>" in processes.render(MarkdownSource(f"*{text}*")).html for text in texts)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert right == [True] * 80
    assert len(processes._idle) <= 2
    processes.stop()


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM])
def test_no_process_outlives_its_parent(sent: signal.Signals) -> None:
    program = (
        "import papercore.rendering.bounded as r, sys\n"
        "r.render('word ' * 1000)\nprint(r._processes._idle[0].pid, flush=True)\nsys.stdin.read()"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        parent.send_signal(sent)
        parent.wait(10)
    wait_for(lambda: not Path(f"/proc/{child}").exists() or _is_zombie(child), "the end of the renderer")


def _is_zombie(pid: int) -> bool:
    """Nobody may be there to collect an orphan in a container."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_what_was_slow_is_remembered_up_to_a_number() -> None:
    slow = SlowTexts(size=2)
    for text in ("a", "b", "c"):
        slow.add(text)
    assert [text in slow for text in ("a", "b", "c")] == [False, True, True]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a <sub>1</sub>", "a <sub>1</sub>"),
        ("a <b>x</i> c", "a &lt;b&gt;x&lt;/i&gt; c"),
        ("<b><i>x</b> y", "<b>&lt;i&gt;x</b> y"),
    ],
)
def test_marks_without_a_partner_are_text(text: str, shown: str) -> None:
    assert shown in render(text).html


def test_a_formula_block_may_hold_blank_lines_and_stand_in_a_list() -> None:
    assert "formula" in render("- $$\n  a\n\n  b\n  $$").html
    assert "formula" in render("$$a\n\nb$$").html
    assert "<math" not in render("$$\n\na").html
