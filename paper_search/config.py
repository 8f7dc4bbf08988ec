"""Configuration of the library: from arguments, or from the environment and an optional .env file."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from paper_search.domains import DOMAINS
from paper_search.models import problems
from papercore import limits
from papercore.errors import InvalidInput
from papercore.snapshot.file import DATABASE

DEFAULT_SNAPSHOT = Path("var/demo") / DATABASE
DEFAULT_RESULTS = 100


class ConfigError(InvalidInput):
    """The configuration cannot be used."""

    code = "invalid_configuration"


class KnownSource(Struct, frozen=True):
    """A source that can be configured; `rate_limit` is the requests a second that it allows or asks for."""

    name: str
    label: str
    base_url: str = ""
    rate_limit: float = 1.0


KNOWN_SOURCES = {
    source.name: source
    for source in (
        KnownSource("snapshot", "This library"),
        KnownSource("openalex", "OpenAlex", "https://api.openalex.org", 10.0),
        KnownSource("crossref", "Crossref", "https://api.crossref.org", 10.0),
        KnownSource("arxiv", "arXiv", "https://export.arxiv.org", 1 / 3),
        KnownSource("semantic_scholar", "Semantic Scholar", "https://api.semanticscholar.org"),
        KnownSource("europe_pmc", "Europe PMC", "https://www.ebi.ac.uk/europepmc/webservices/rest", 5.0),
        KnownSource("serpapi", "Google Scholar", "https://serpapi.com"),
    )
}
# Other names by which a source may be configured or chosen.
ALIASES = {"serpapi_scholar": "serpapi"}


class LLMConfig(BaseModel):
    """A language model that refines the rules; off while `provider` is none."""

    model_config = ConfigDict(extra="forbid")

    provider: Literal["none", "openai", "anthropic"] = "none"
    model: str = ""
    api_key: SecretStr = SecretStr("")
    base_url: str = ""
    timeout: float = Field(default=20.0, gt=0)
    # Of one answer, with what the model thinks before it.
    max_tokens: int = Field(default=4_000, gt=0)


class SearchSourceConfig(BaseModel):
    """A source; `rate_limit` is requests a second, `max_calls` the budget of one search."""

    model_config = ConfigDict(extra="forbid")

    name: str
    api_key: str = Field(default="", repr=False)
    enabled: bool = True
    rate_limit: float = Field(default=1.0, gt=0)
    max_calls: int | None = Field(default=None, ge=0)
    base_url: str = ""

    @field_validator("base_url")
    @classmethod
    def _address(cls, value: str) -> str:
        """Empty for the service's own."""
        try:
            parts = urlsplit(value)
            usable = not value or (parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0)
        except ValueError:
            usable = False
        if not usable:
            raise ValueError("must be an address that begins with http:// or https://")
        return value

    @field_validator("name")
    @classmethod
    def _own_name(cls, value: str) -> str:
        return ALIASES.get(value, value)


class AppConfig(BaseModel):
    """Everything a search needs to know; the default asks the local snapshot alone."""

    model_config = ConfigDict(extra="forbid")

    llm: LLMConfig = Field(default_factory=LLMConfig)
    sources: dict[str, SearchSourceConfig] = {}
    default_max_results: int = Field(default=DEFAULT_RESULTS, gt=0, le=limits.SEARCH_RESULTS)
    domain: str = "general"
    snapshot: Path = DEFAULT_SNAPSHOT
    search_model: str = ""
    contact: str = ""
    timeout: float = Field(default=15.0, gt=0)

    @field_validator("domain")
    @classmethod
    def _known_domain(cls, value: str) -> str:
        if value not in DOMAINS:
            raise ValueError(f"must be one of {', '.join(DOMAINS)}")
        return value

    @field_validator("sources")
    @classmethod
    def _known_sources(cls, value: dict[str, SearchSourceConfig]) -> dict[str, SearchSourceConfig]:
        sources = {ALIASES.get(name, name): source for name, source in value.items()}
        if unknown := sorted(set(sources) - set(KNOWN_SOURCES)):
            raise ValueError(f"unknown source {', '.join(unknown)}; there are {', '.join(KNOWN_SOURCES)}")
        return sources

    def enabled_sources(self) -> list[SearchSourceConfig]:
        """Those that are switched on; with nothing configured, the snapshot."""
        enabled = [source for source in self.sources.values() if source.enabled]
        return enabled or [SearchSourceConfig(name="snapshot")]


def load_config(env_path: str | Path | None = None) -> AppConfig:
    """Read the PAPER_SEARCH_* variables; a variable of the process wins over the same one in the file."""
    lines: list[str] = []
    if env_path:
        try:
            lines = Path(env_path).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"Invalid configuration: the file {Path(env_path).name} cannot be read.") from error
    pairs = (line.split("=", 1) for line in lines if "=" in line and not line.lstrip().startswith("#"))
    in_file = {name.strip().removeprefix("export "): value.strip().strip("'\"") for name, value in pairs}
    return config_from({**in_file, **os.environ})


def config_from(values: Mapping[str, str]) -> AppConfig:
    """The configuration that a set of variables describes. ConfigError names the one that is wrong."""
    llm = {name: values.get(f"PAPER_SEARCH_LLM_{name.upper()}") for name in LLMConfig.model_fields}
    listed = [name.strip() for name in values.get("PAPER_SEARCH_SOURCES", "").split(",")]
    sources = {
        name: {
            "name": name,
            "api_key": values.get(f"PAPER_SEARCH_{name.upper()}_API_KEY") or values.get(f"{name.upper()}_API_KEY", ""),
            "rate_limit": KNOWN_SOURCES[name].rate_limit if name in KNOWN_SOURCES else 1.0,
            "base_url": values.get(f"PAPER_SEARCH_{name.upper()}_URL", ""),
        }
        for name in (ALIASES.get(name, name) for name in listed if name)
    }
    given = {
        "llm": {name: value for name, value in llm.items() if value},
        "sources": sources,
        "default_max_results": values.get("PAPER_SEARCH_MAX_RESULTS") or DEFAULT_RESULTS,
        "domain": values.get("PAPER_SEARCH_DOMAIN") or "general",
        "snapshot": values.get("PAPERSITE_SNAPSHOT") or DEFAULT_SNAPSHOT,
        "search_model": values.get("PAPERSITE_SEARCH_MODEL", ""),
        "contact": values.get("PAPER_SEARCH_CONTACT", ""),
        "timeout": values.get("PAPER_SEARCH_TIMEOUT") or 15.0,
    }
    return validated_config(given)


def validated_config(given: Mapping[str, object]) -> AppConfig:
    try:
        return AppConfig.model_validate(given)
    except ValidationError as error:
        raise ConfigError(f"Invalid configuration: {problems(error)}") from None


def with_arguments(config: AppConfig, max_results: int, domain: str) -> AppConfig:
    """The configuration with the arguments of one search; `general` leaves the configured domain."""
    chosen = domain if domain != "general" else config.domain
    return validated_config({**dict(config), "default_max_results": max_results, "domain": chosen})
