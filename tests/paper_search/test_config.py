"""The configuration from variables and a file."""

from pathlib import Path

import pytest

from paper_search.config import AppConfig, ConfigError, SearchSourceConfig, config_from, load_config


def test_without_variables_the_snapshot_is_the_only_source() -> None:
    config = config_from({})
    assert config == AppConfig()
    assert [source.name for source in config.enabled_sources()] == ["snapshot"]


def test_sources_come_with_their_keys_addresses_and_rates() -> None:
    config = config_from(
        {
            "PAPER_SEARCH_SOURCES": "openalex, arxiv",
            "PAPER_SEARCH_OPENALEX_API_KEY": "key",
            "PAPER_SEARCH_ARXIV_URL": "http://mirror.example.org",
        }
    )
    openalex, arxiv = config.enabled_sources()
    assert (openalex.name, openalex.api_key, openalex.rate_limit) == ("openalex", "key", 10.0)
    assert (arxiv.name, arxiv.base_url, arxiv.rate_limit) == ("arxiv", "http://mirror.example.org", 1 / 3)
    assert "key" not in repr(openalex).replace("api_key", "")


def test_a_variable_of_the_process_wins_over_the_same_one_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / ".env"
    file.write_text(
        "# a comment=1\n\nexport PAPER_SEARCH_DOMAIN='physics'\nPAPER_SEARCH_MAX_RESULTS=7\nPAPER_SEARCH_TIMEOUT=3\n"
    )
    monkeypatch.setenv("PAPER_SEARCH_TIMEOUT", "4")
    config = load_config(file)
    assert (config.domain, config.default_max_results, config.timeout) == ("physics", 7, 4.0)


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"the file none\.env cannot be read"):
        load_config(tmp_path / "none.env")


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"PAPER_SEARCH_DOMAIN": "alchemy"}, "domain: .*must be one of general, materials_science"),
        ({"PAPER_SEARCH_SOURCES": "moon"}, "sources: .*unknown source moon; there are snapshot, openalex"),
        ({"PAPER_SEARCH_MAX_RESULTS": "1001"}, "default_max_results"),
        ({"PAPER_SEARCH_LLM_PROVIDER": "oracle"}, "llm.provider"),
    ],
)
def test_a_wrong_variable_is_named(variables: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        config_from(variables)


def test_serpapi_has_the_names_that_its_users_know() -> None:
    config = config_from({"PAPER_SEARCH_SOURCES": "serpapi_scholar", "SERPAPI_API_KEY": "k"})
    assert [(source.name, source.api_key) for source in config.enabled_sources()] == [("serpapi", "k")]
    by_hand = AppConfig(sources={"serpapi_scholar": SearchSourceConfig(name="serpapi_scholar", api_key="k")})
    assert [source.name for source in by_hand.enabled_sources()] == ["serpapi"]


@pytest.mark.parametrize("address", ["http://[bad", "ftp://example.org", "example.org", "http://x:99999"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ConfigError, match="base_url"):
        config_from({"PAPER_SEARCH_SOURCES": "arxiv", "PAPER_SEARCH_ARXIV_URL": address})
