"""Configuration of the library: from arguments, or from the environment and an optional .env file."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from paper_search.domains import DOMAINS
from paper_search.sources.known_sources import ALIASES, KNOWN_SOURCES
from paper_search.validation import problems
from papercore import limits
from papercore.errors import InvalidInput
from papercore.snapshot.layout import DATABASE

DEFAULT_SNAPSHOT = Path("var/demo") / DATABASE
DEFAULT_RESULTS = 100


class ConfigError(InvalidInput):
    """The configuration cannot be used."""

    code = "invalid_configuration"


class LLMConfig(BaseModel):
    """A language model that refines the rules; off while `provider` is none."""

    model_config = ConfigDict(extra="forbid")

    provider: Literal["none", "openai", "anthropic"] = "none"
    model: str = ""
    api_key: SecretStr = SecretStr("")
    base_url: str = ""
    timeout: float = Field(default=20.0, gt=0)


class SearchSourceConfig(BaseModel):
    """A source; `rate_limit` is requests a second, `max_calls` the budget of one search."""

    model_config = ConfigDict(extra="forbid")

    name: str
    api_key: str = Field(default="", repr=False)
    enabled: bool = True
    rate_limit: float = Field(default=1.0, gt=0)
    max_calls: int | None = Field(default=None, ge=0)
    base_url: str = ""


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

    @field_validator("sources", mode="before")
    @classmethod
    def _by_known_names(cls, value: object) -> object:
        """Sources given by another name get their own."""
        if not isinstance(value, dict):
            return value
        return {ALIASES.get(name, name): _renamed(source) for name, source in value.items()}

    @field_validator("sources")
    @classmethod
    def _known_sources(cls, value: dict[str, SearchSourceConfig]) -> dict[str, SearchSourceConfig]:
        if unknown := sorted(set(value) - set(KNOWN_SOURCES)):
            raise ValueError(f"unknown source {', '.join(unknown)}; there are {', '.join(KNOWN_SOURCES)}")
        return value

    def enabled_sources(self) -> list[SearchSourceConfig]:
        """Those that are switched on; with nothing configured, the snapshot."""
        enabled = [source for source in self.sources.values() if source.enabled]
        return enabled or [SearchSourceConfig(name="snapshot")]


def _renamed(source: object) -> object:
    name = source.get("name") if isinstance(source, dict) else getattr(source, "name", None)
    if name not in ALIASES:
        return source
    if isinstance(source, SearchSourceConfig):
        return source.model_copy(update={"name": ALIASES[name]})
    return {**source, "name": ALIASES[name]} if isinstance(source, dict) else source


def load_config(env_path: str | Path | None = None) -> AppConfig:
    """Read the PAPER_SEARCH_* variables; a variable of the process wins over the same one in the file."""
    values = {**(_read_env_file(Path(env_path)) if env_path else {}), **os.environ}
    return config_from(values)


def config_from(values: Mapping[str, str]) -> AppConfig:
    """The configuration that a set of variables describes. ConfigError names the one that is wrong."""
    given = {
        "llm": _llm(values),
        "sources": _sources(values),
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


def _llm(values: Mapping[str, str]) -> dict[str, object]:
    names = {
        "provider": "PROVIDER",
        "model": "MODEL",
        "api_key": "API_KEY",
        "base_url": "BASE_URL",
        "timeout": "TIMEOUT",
    }
    return {name: value for name, suffix in names.items() if (value := values.get(f"PAPER_SEARCH_LLM_{suffix}"))}


def _sources(values: Mapping[str, str]) -> dict[str, dict[str, object]]:
    parts = values.get("PAPER_SEARCH_SOURCES", "").split(",")
    names = [ALIASES.get(name, name) for part in parts if (name := part.strip())]
    return {
        name: {
            "name": name,
            "api_key": values.get(f"PAPER_SEARCH_{name.upper()}_API_KEY") or values.get(f"{name.upper()}_API_KEY", ""),
            "rate_limit": KNOWN_SOURCES[name].rate_limit if name in KNOWN_SOURCES else 1.0,
            "base_url": values.get(f"PAPER_SEARCH_{name.upper()}_URL", ""),
        }
        for name in names
    }


def _read_env_file(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"Invalid configuration: the file {path.name} cannot be read.") from error
    pairs = (line.split("=", 1) for line in lines if "=" in line and not line.lstrip().startswith("#"))
    return {name.strip().removeprefix("export "): value.strip().strip("'\"") for name, value in pairs}
