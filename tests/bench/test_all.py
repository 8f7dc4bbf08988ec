"""The command that runs all benchmarks, and the tables and charts that they print."""

import sys
from importlib.util import find_spec
from subprocess import run
from xml.etree import ElementTree as ET

import pytest

from bench import all as bench_all
from bench.data.libraries import ROOT
from bench.speed.growth import report
from bench.speed.growth_chart import HEIGHT, LINE, draw
from bench.speed.other_server import message_of
from bench.table import figure, table

COSTS = {
    size: {"search": 1.0 * power, "metadata": 0.5, "home page": 0.5} for power, size in enumerate((1_000, 10_000), 1)
}


def test_text_aligned_by_blanks_stays_aligned() -> None:
    assert bench_all.as_markdown("a   1\nb   2\n") == "```text\na   1\nb   2\n```"
    printed = f"Of one run:\n\n{table(['a', 'b'], [(1, 2)])}\n"
    assert bench_all.as_markdown(printed) == printed.strip()


def test_every_benchmark_is_a_module_and_every_file_of_figures_a_benchmarks() -> None:
    names = {benchmark.name for benchmark in bench_all.BENCHMARKS}
    assert all(find_spec(f"bench.{name}") for name in names)
    assert {path.stem for path in bench_all.FIGURES.glob("*.md")} <= names


def test_what_lacks_its_data_is_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("PAPERSITE_BENCH_DATA", str(tmp_path))
    found = bench_all.selected([], quick=False)
    assert {"speed.mcp", "speed.pages"} <= {benchmark.name for benchmark in found}
    assert not [benchmark for benchmark in found if benchmark.data]
    with pytest.raises(SystemExit, match=r"no bench\.nothing"):
        bench_all.selected(["nothing"], quick=False)


def test_the_command_lists_what_it_would_run() -> None:
    command = [sys.executable, "-m", "bench.all", "--list", "--only", "speed.mcp"]
    listed = run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert listed.stdout == "python -m bench.speed.mcp\n"


def test_growth_is_a_row_for_each_kind_of_request() -> None:
    lines = report(COSTS).splitlines()
    assert lines[0] == "| CPU ms | 1,000 papers | 10,000 papers | growth over 10 x the papers |"
    assert lines[2] == "| search | 1 | 2 | 2.0 x |"


def test_the_chart_is_a_picture_whose_labels_do_not_cover_each_other() -> None:
    picture = ET.fromstring(draw(COSTS))
    texts = [element for element in picture.iter() if element.tag.endswith("text")]
    places = {element.text: float(element.get("y", 0)) for element in texts}
    assert abs(places["metadata"] - places["home page"]) >= LINE
    assert max(places.values()) <= HEIGHT
    assert "1,000" in places


@pytest.mark.parametrize(("value", "text"), [(0.1234, "0.123"), (1.234, "1.23"), (12.34, "12.3"), (1234.5, "1,234")])
def test_figures_have_three_digits_that_count(value: float, text: str) -> None:
    assert figure(value) == text


def test_an_answer_may_be_json_or_a_stream_of_events() -> None:
    assert message_of('{"result": {}}') == {"result": {}}
    assert message_of('event: message\ndata: {"method": {}}\n\nevent: message\ndata: {"result": {}}\n\n') == {
        "result": {}
    }
