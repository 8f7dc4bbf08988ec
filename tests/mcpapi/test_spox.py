"""The server spox: every scenario of its document, over a direct call, HTTP and stdio."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from pytest_django import Settings

from mcpapi.listing.servers import PAPERS, SPOX
from papersite.command.commands import call_command
from specs import core
from tests.mcpapi.clients import ConnectedClient, DirectCaller, ToolCaller, connect_http, connect_stdio
from tests.mcpapi.site import Site
from tests.specs.folders import write_openspec

TRANSPORTS = ["direct", "http", "stdio"]


@pytest.fixture(scope="session")
def spec_folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`full` is a folder with specs, `empty` one without."""
    folder = tmp_path_factory.mktemp("spox")
    write_openspec(folder / "full")
    (folder / "empty").mkdir()
    return folder


class Processes:
    """A process for each state of the data, kept while the tests run."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._connected: dict[tuple[Path, Path], ConnectedClient] = {}

    def at(self, specs: Path, data: Path) -> ConnectedClient:
        if (specs, data) not in self._connected:
            environment = {"PAPERSITE_SPECS": str(specs), "PAPERSITE_DATA": str(data)}
            process = self._stack.enter_context(connect_stdio("modern", "spox", **environment))
            self._connected[specs, data] = process
        return self._connected[specs, data]


@pytest.fixture(scope="session")
def processes() -> Iterator[Processes]:
    with ExitStack() as stack:
        yield Processes(stack)


class Spox:
    """Opens the server for a folder of specs, over one transport."""

    def __init__(
        self, transport: str, folders: Path, settings: Settings, site: Site, processes: Processes, stack: ExitStack
    ) -> None:
        self._transport, self._folders, self._settings = transport, folders, settings
        self._site, self._processes, self._stack = site, processes, stack

    def serving(self, folder: str, *, indexed: bool) -> ToolCaller:
        specs, data = self._folders / folder, self._folders / ("indexed" if indexed else "bare")
        self._settings.SPECS, self._settings.DATA = str(specs), data
        if indexed:
            call_command("build_spec_index", verbosity=0)
        if self._transport == "direct":
            return DirectCaller()
        if self._transport == "stdio":
            return self._processes.at(specs, data)
        return self._stack.enter_context(connect_http(self._site.at("/mcp/spox").url, "modern"))


@pytest.fixture(params=TRANSPORTS)
def spox(
    request: pytest.FixtureRequest,
    spec_folders: Path,
    settings: Settings,
    site: Site,
    processes: Processes,
) -> Iterator[Spox]:
    with ExitStack() as stack:
        yield Spox(request.param, spec_folders, settings, site, processes, stack)


@pytest.fixture
def full(spox: Spox) -> ToolCaller:
    return spox.serving("full", indexed=True)


@pytest.mark.scenario("spec-mcp / List Specs Tool / List all specs")
def test_list_specs_gives_id_title_and_purpose_and_no_requirements(full: ToolCaller) -> None:
    specs = full.call("list_specs").payload["specs"]
    assert [spec["id"] for spec in specs] == ["alarm-clock", "bedroom/night-light"]
    assert specs[0]["title"] == "Alarm clock"
    assert specs[0]["purpose"].startswith("Wakes people")
    assert "Rings on time" not in str(specs)


@pytest.mark.scenario("spec-mcp / List Specs Tool / No specs found")
def test_list_specs_of_an_empty_folder_is_an_empty_array(spox: Spox) -> None:
    assert spox.serving("empty", indexed=False).call("list_specs").payload == {"specs": []}


@pytest.mark.scenario("spec-mcp / Get Spec Requirements Tool / Get requirements for existing spec")
def test_requirements_come_with_counts_and_without_scenario_bodies(full: ToolCaller) -> None:
    payload = full.call("get_spec_requirements", spec_id="alarm-clock").payload
    found = [(item["name"], item["scenario_count"]) for item in payload["requirements"]]
    assert found == [("Rings on time", 2), ("Snooze", 1)]
    assert "it is Monday" not in str(payload)


@pytest.mark.scenario("spec-mcp / Get Spec Requirements Tool / Spec not found")
def test_an_unknown_spec_is_an_error_that_names_its_neighbours(full: ToolCaller) -> None:
    outcome = full.call("get_spec_requirements", spec_id="alarm-clocks")
    assert outcome.error == "spec_not_found"
    assert "alarm-clock" in outcome.payload["nearby"]


@pytest.mark.scenario("spec-mcp / Get Scenario Tool / Get specific scenario")
def test_a_named_scenario_comes_with_its_requirement_when_and_then(full: ToolCaller) -> None:
    answer = full.call("get_scenario", spec_id="alarm-clock", requirement="Rings on time", scenario="A holiday").payload
    assert answer["description"] == "The clock SHALL ring at the chosen minute."
    scenario = answer["scenario"]
    assert scenario["name"] == "A holiday"
    assert scenario["when"] == "the day is marked as a holiday"
    assert scenario["then"] == ["nothing rings"]


@pytest.mark.scenario("spec-mcp / Get Scenario Tool / Get first scenario by default")
def test_without_a_name_the_first_scenario_comes(full: ToolCaller) -> None:
    answer = full.call("get_scenario", spec_id="alarm-clock", requirement="Rings on time").payload
    assert answer["scenario"]["name"] == "A weekday"


@pytest.mark.scenario("spec-mcp / Get Scenario Tool / Scenario not found")
def test_an_unknown_scenario_is_an_error(full: ToolCaller) -> None:
    outcome = full.call("get_scenario", spec_id="alarm-clock", requirement="Snooze", scenario="Tapped ones")
    assert outcome.error == "scenario_not_found"
    assert outcome.payload["nearby"] == ["Tapped once"]


@pytest.mark.scenario("spec-mcp / Search Specs Tool / Search with query")
def test_search_gives_ranked_results_with_snippets(full: ToolCaller) -> None:
    results = full.call("search_specs", query="silent for nine minutes when tapped").payload["results"]
    assert results[0]["spec_id"] == "alarm-clock"
    assert results[0]["requirement"] == "Snooze"
    assert "nine minutes" in results[0]["snippet"]
    scores = [result["score"] for result in results]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.scenario("spec-mcp / Search Specs Tool / Search with no index")
def test_search_without_an_index_says_that_it_must_be_built(spox: Spox) -> None:
    outcome = spox.serving("full", indexed=False).call("search_specs", query="snooze")
    assert outcome.error == "index_not_built"
    assert "build-spec-index" in outcome.payload["message"]


@pytest.mark.scenario("spec-mcp / Search Specs Tool / Search with empty results")
def test_a_query_that_nothing_is_close_to_gives_an_empty_array(full: ToolCaller) -> None:
    assert full.call("search_specs", query="glaciers carve valleys").payload["results"] == []


@pytest.mark.scenario("spec-mcp / Graceful Degradation / Server without index")
def test_without_an_index_all_other_tools_work(spox: Spox) -> None:
    caller = spox.serving("full", indexed=False)
    assert caller.call("list_specs").payload["specs"]
    assert caller.call("get_spec_requirements", spec_id="alarm-clock").payload["requirements"]
    assert caller.call("get_scenario", spec_id="alarm-clock", requirement="Snooze").payload["scenario"]
    assert caller.call("list_changes").payload["changes"][0]["id"] == "gentler-waking"
    assert caller.call("get_change", change="gentler-waking").payload["added_requirements"]
    assert caller.call("validate_spec", spec_id="alarm-clock").payload["valid"] is True
    assert caller.call("search_specs", query="snooze").error == "index_not_built"


@pytest.mark.scenario("spec-mcp / MCP Interface Layer / MCP delegates to Core")
def test_answers_are_what_the_core_knows_shaped_as_json(full: ToolCaller) -> None:
    specs = full.call("list_specs").payload["specs"]
    assert [spec["id"] for spec in specs] == [spec.id for spec in core.parse_all_specs()]
    known = core.get_spec_by_id("alarm-clock").document
    answer = full.call("get_spec_requirements", spec_id="alarm-clock").payload
    assert [item["name"] for item in answer["requirements"]] == [item.name for item in known.in_force]
    results = full.call("search_specs", query="tapped").payload["results"]
    assert [hit["score"] for hit in results] == [hit.score for hit in core.search("tapped", 10).hits]


@pytest.mark.scenario("spec-mcp / MCP Interface Layer / MCP handles errors from Core")
def test_an_error_of_the_core_is_a_tool_error_with_a_message(full: ToolCaller) -> None:
    outcome = full.call("get_scenario", spec_id="../../etc/passwd", requirement="x")
    assert outcome.is_error
    assert outcome.error == "spec_not_found"
    assert "list_specs" in outcome.payload["message"]


@pytest.mark.scenario("spec-mcp / MCP Server Protocol / Server responds to initialize")
@pytest.mark.scenario("spec-mcp / MCP Server Protocol / Server info")
@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_spox_answers_initialize_over_stdio_with_its_name_tools_and_instructions(era: str) -> None:
    with connect_stdio(era, "spox") as connected:
        info = connected.client.server_info
        assert info is not None
        assert info.name == "spox"
        assert connected.client.server_capabilities.tools is not None
        assert connected.client.instructions == SPOX.instructions
        assert [tool.name for tool in connected.ask("list_tools").tools] == [tool.name for tool in SPOX.tools]


def test_the_spec_tools_are_on_the_main_server_too_but_for_the_one_about_tests() -> None:
    assert {tool.name for tool in SPOX.tools} - PAPERS.tool_by_name.keys() == {"check_verification"}
