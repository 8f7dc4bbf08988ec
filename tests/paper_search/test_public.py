"""What `import paper_search` promises: its names, its independence, its one-line search."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import paper_search
from paper_search.config import AppConfig, ConfigError, SearchSourceConfig
from paper_search.models import (
    Facets,
    Paper,
    QueryBuilderInput,
    RawPaper,
    SearchConstraints,
    SearchQuery,
    UserFeedback,
)
from paper_search.workflow import SearchWorkflow
from paper_search.workflow.checkpoints import CheckpointKind, Decision, DecisionAction, ResultPayload, StrategyPayload
from paper_search.workflow.errors import AllSourcesFailed
from tests.paper_search.http_server import Answer, serving
from tests.paper_search.sources.answers import GOOD

PROJECT = Path(__file__).parents[2]


@pytest.mark.scenario("search-product / Public API / Public names")
def test_the_public_names() -> None:
    assert sorted(paper_search.__all__) == [
        "Paper",
        "PaperCollection",
        "ParsedIntent",
        "SearchStrategy",
        "export_bibtex",
        "export_json",
        "export_markdown",
        "search",
    ]


@pytest.mark.scenario("search-product / Product hierarchy (C1) / Library stands alone")
def test_importing_needs_no_framework_no_server_and_no_model() -> None:
    code = (
        "import sys, paper_search, paper_search.workflow.session, paper_search.skills.refined;"
        "sys.exit(bool({'django', 'ninja', 'mcp', 'openai', 'anthropic'} & set(sys.modules)))"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO", "PAPER"))}
    assert subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=environment, check=False).returncode == 0


# The packages of the site and of the extras cannot be found.
WITHOUT_EXTRAS = """
import asyncio, sys
for name in ("django", "ninja", "mcp", "numpy", "tantivy", "onnxruntime", "tokenizers", "openai", "anthropic",
             "markdown_it"):
    sys.modules[name] = None
import paper_search
from paper_search.config import AppConfig, ConfigError, SearchSourceConfig
"""


def run_without_extras(code: str, *arguments: str) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO", "PAPER"))}
    command = [sys.executable, "-c", WITHOUT_EXTRAS + code, *arguments]
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_sources_on_the_network_are_searched_without_the_extras() -> None:
    with serving(GOOD["crossref"]) as service:
        run_without_extras(
            """
source = SearchSourceConfig(name="crossref", base_url=sys.argv[1], rate_limit=1000)
found = asyncio.run(paper_search.search("graph networks", AppConfig(sources={"crossref": source})))
assert found.papers and paper_search.export_bibtex(found)
""",
            service.address,
        )


def test_the_local_library_names_the_extra_that_it_needs() -> None:
    run_without_extras(
        """
try:
    asyncio.run(paper_search.search("graph networks", AppConfig()))
except ConfigError as error:
    assert "paper-search[snapshot]" in error.message
else:
    raise AssertionError("no error")
"""
    )


def test_the_example_of_the_readme_runs_without_the_extras() -> None:
    readme = (PROJECT / "deploy" / "paper-search" / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    with serving(GOOD["openalex"]) as openalex, serving(GOOD["arxiv"]) as arxiv:
        run_without_extras(
            f"""
import paper_search.config as configuration
addresses = dict(zip(("PAPER_SEARCH_OPENALEX_URL", "PAPER_SEARCH_ARXIV_URL"), sys.argv[1:]))
read = configuration.config_from
configuration.config_from = lambda values: read(values | addresses)
{example}
assert papers.papers
""",
            openalex.address,
            arxiv.address,
        )


def test_the_mcp_server_names_the_extra_that_it_needs_in_one_line() -> None:
    run_without_extras(
        """
try:
    import paper_search.mcp_server
except SystemExit as end:
    assert end.code == 'The MCP server needs one more package: pip install "paper-search[mcp]"'
else:
    raise AssertionError("no error")
"""
    )


def test_a_search_that_no_source_answers_is_an_error_and_not_an_empty_result() -> None:
    with pytest.raises(AllSourcesFailed, match="snapshot: there is no snapshot"):
        asyncio.run(paper_search.search("transformers", AppConfig(snapshot=Path("/no/such/file.db"))))


@pytest.mark.scenario("search-product / Names people know (C6) / Known names are found")
def test_the_known_models_have_the_known_defaults() -> None:
    assert SearchConstraints() == SearchConstraints(year_from=None, year_to=None, language=None, max_results=100)
    assert UserFeedback().model_dump() == {
        "marked_relevant": [],
        "marked_irrelevant": [],
        "marked_unsure": [],
        "free_text_feedback": None,
    }
    raw = RawPaper(title="t", source="s")
    assert len(raw.id) == 36
    assert raw.model_dump(exclude={"id", "title", "source"}) == {
        "doi": None,
        "authors": [],
        "abstract": None,
        "snippet": None,
        "year": None,
        "venue": None,
        "citation_count": 0,
        "full_text_url": None,
        "bibtex": None,
        "raw_data": {},
    }
    paper = Paper(id="1", title="t")
    assert (paper.relevance_score, paper.relevance_reason, paper.tags, paper.citation_count) == (0.0, "", [], 0)
    assert set(Facets.model_fields) == {"by_year", "by_venue", "top_authors", "key_themes"}
    assert SearchQuery(keywords=[], boolean_query="").synonym_map == []
    assert set(QueryBuilderInput.model_fields) == {"intent", "previous_strategies", "user_feedback"}
    assert [kind.value for kind in CheckpointKind] == ["strategy_confirmation", "result_review"]
    assert [action.value for action in DecisionAction] == ["approve", "edit", "reject"]
    assert Decision(action=DecisionAction.approve).model_dump() == {
        "action": "approve",
        "revised_data": None,
        "note": None,
    }
    assert set(StrategyPayload.model_fields) == {"intent", "strategy", "iteration", "plan"}
    assert set(ResultPayload.model_fields) == {"collection", "accumulated_papers", "iteration"}
    assert SearchWorkflow.from_config(AppConfig()).max_iterations == 5


@pytest.mark.scenario("search-product / Public API / One-line search")
def test_a_search_in_one_line(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERSITE_SNAPSHOT", str(library))
    found = asyncio.run(paper_search.search("transformers that need attention"))
    assert found.papers[0].title == "Attention Is All You Need"
    assert [author.name for author in found.papers[0].authors] == ["Ashish Vaswani", "Noam Shazeer", "Łukasz Kaiser"]


@pytest.mark.scenario("search-product / Public API / Search arguments take effect")
def test_the_arguments_take_effect(library: Path) -> None:
    config = AppConfig(snapshot=library)
    found = asyncio.run(paper_search.search("transformer", config, max_results=1, domain="physics"))
    assert len(found.papers) == 1
    with pytest.raises(ConfigError, match="domain"):
        asyncio.run(paper_search.search("transformer", config, domain="HOME"))
    with pytest.raises(ConfigError, match="default_max_results"):
        asyncio.run(paper_search.search("transformer", config, max_results=0))


def test_a_search_tells_which_sources_failed(library: Path) -> None:
    with serving(Answer("", 403)) as service:
        source = SearchSourceConfig(name="crossref", base_url=service.address, rate_limit=1000)
        config = AppConfig(
            snapshot=library, sources={"snapshot": SearchSourceConfig(name="snapshot"), "crossref": source}
        )
        found = asyncio.run(paper_search.search("transformer attention", config))
    assert found.papers
    assert found.metadata.failed_sources == {"crossref": "access refused (403)"}
