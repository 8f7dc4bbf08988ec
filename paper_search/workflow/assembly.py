"""Makes the collaborators of a workflow from a configuration."""

from collections.abc import Callable
from dataclasses import dataclass

from paper_search.config import AppConfig, SearchSourceConfig
from paper_search.domains import DOMAINS
from paper_search.llm import LLM
from paper_search.progress import ProgressReporter
from paper_search.skills.deduplicator import RuleDeduplicator
from paper_search.skills.intent_parser import RuleIntentParser
from paper_search.skills.interfaces import (
    Deduplicator,
    IntentParser,
    QueryBuilder,
    RelevanceScorer,
    ResultOrganizer,
    StrategySearcher,
)
from paper_search.skills.query_builder import RuleQueryBuilder
from paper_search.skills.refined import RefinedIntentParser, RefinedQueryBuilder, RefinedRelevanceScorer
from paper_search.skills.relevance_scorer import RuleRelevanceScorer
from paper_search.skills.result_organizer import RuleResultOrganizer
from paper_search.skills.searcher import SourceSearcher
from paper_search.skills.thesaurus import Thesaurus
from paper_search.sources.arxiv import Arxiv
from paper_search.sources.crossref import Crossref
from paper_search.sources.europe_pmc import EuropePMC
from paper_search.sources.http import SourceClient
from paper_search.sources.interface import Library, Source
from paper_search.sources.known_sources import KNOWN_SOURCES
from paper_search.sources.openalex import OpenAlex
from paper_search.sources.semantic_scholar import SemanticScholar
from paper_search.sources.serpapi import SerpAPI
from paper_search.sources.snapshot import Snapshot
from paper_search.sources.throttle import shared_throttle


@dataclass
class Collaborators:
    """What one workflow is made of; `notices` is where a collaborator says that it fell back on its rules."""

    intent_parser: IntentParser
    query_builder: QueryBuilder
    searcher: StrategySearcher
    deduplicator: Deduplicator
    relevance_scorer: RelevanceScorer
    result_organizer: ResultOrganizer
    notices: list[str]


def assemble(
    config: AppConfig, progress_reporter: ProgressReporter | None = None, library: Library | None = None
) -> Collaborators:
    """Rules, refined by a language model where one is configured. Nothing is read or opened yet."""
    library = library or Snapshot(config.snapshot, config.search_model)
    sources = {
        source.name: library if source.name == "snapshot" else make_source(source, config)
        for source in config.enabled_sources()
    }
    made = Collaborators(
        RuleIntentParser(config.default_max_results),
        RuleQueryBuilder(list(sources), Thesaurus(library.keywords, library.mentions)),
        SourceSearcher(sources, progress_reporter),
        RuleDeduplicator(),
        RuleRelevanceScorer(DOMAINS[config.domain]),
        RuleResultOrganizer(),
        notices=[],
    )
    if config.llm.provider != "none":
        llm = LLM(config.llm, made.notices)
        made.intent_parser = RefinedIntentParser(made.intent_parser, llm)
        made.query_builder = RefinedQueryBuilder(made.query_builder, llm)
        made.relevance_scorer = RefinedRelevanceScorer(made.relevance_scorer, llm)
    return made


def make_source(source: SearchSourceConfig, config: AppConfig) -> Source:
    """The adapter of a source on the network."""
    client = source_client(source, config)
    domain = DOMAINS[config.domain]
    adapters: dict[str, Callable[[], Source]] = {
        "openalex": lambda: OpenAlex(client, domain, source.api_key),
        "crossref": lambda: Crossref(client, config.contact),
        "arxiv": lambda: Arxiv(client, domain),
        "semantic_scholar": lambda: SemanticScholar(client, domain),
        "europe_pmc": lambda: EuropePMC(client),
        "serpapi": lambda: SerpAPI(client, source.api_key),
    }
    return adapters[source.name]()


def source_client(source: SearchSourceConfig, config: AppConfig) -> SourceClient:
    """How a source is asked: where, how often, with which key."""
    base_url = source.base_url or KNOWN_SOURCES[source.name].base_url
    headers = {"x-api-key": source.api_key} if source.name == "semantic_scholar" and source.api_key else {}
    throttle = shared_throttle(base_url, source.rate_limit)
    return SourceClient(base_url, throttle, config.timeout, source.max_calls, headers)
