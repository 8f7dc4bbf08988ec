"""Makes the collaborators of a workflow from a configuration."""

from collections.abc import Callable
from dataclasses import dataclass

from paper_search.config import AppConfig, ConfigError, SearchSourceConfig
from paper_search.domains import DOMAINS
from paper_search.llm import LLM, ModelBudget
from paper_search.models import ProgressReporter
from paper_search.reading.names import KnownNames
from paper_search.skills import (
    Deduplicator,
    IntentParser,
    NoteReader,
    QueryBuilder,
    RelevanceScorer,
    ResultOrganizer,
    StrategySearcher,
)
from paper_search.skills.deduplicator import RuleDeduplicator
from paper_search.skills.intent_parser import RuleIntentParser
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
from paper_search.sources.openalex import OpenAlex
from paper_search.sources.semantic_scholar import SemanticScholar
from paper_search.sources.serpapi import SerpAPI

NO_SNAPSHOT_PACKAGES = (
    'The local library needs more packages: pip install "paper-search[snapshot]", or choose sources on the network '
    "with PAPER_SEARCH_SOURCES."
)


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
    note_reader: NoteReader


def assemble(
    config: AppConfig,
    progress_reporter: ProgressReporter | None = None,
    library: Library | None = None,
    model_budget: ModelBudget | None = None,
) -> Collaborators:
    """Rules, refined by a language model where one is configured. Nothing is read or opened yet."""
    library = library or local_library(config)
    sources: dict[str, Source] = {}
    for source in config.enabled_sources():
        if source.name != "snapshot":
            sources[source.name] = make_source(source, config)
        elif library:
            sources["snapshot"] = library
        else:
            raise ConfigError(NO_SNAPSHOT_PACKAGES)
    parser = RuleIntentParser(config.default_max_results, known_names=KnownNames(library))
    made = Collaborators(
        parser,
        RuleQueryBuilder(list(sources), Thesaurus(library.keywords, library.mentions) if library else Thesaurus()),
        SourceSearcher(sources, progress_reporter),
        RuleDeduplicator(),
        RuleRelevanceScorer(DOMAINS[config.domain]),
        RuleResultOrganizer(),
        notices=[],
        note_reader=parser,
    )
    if config.llm.provider != "none":
        llm = LLM(config.llm, made.notices, model_budget)
        made.intent_parser = RefinedIntentParser(parser, llm, config.default_max_results)
        made.query_builder = RefinedQueryBuilder(made.query_builder, llm)
        made.relevance_scorer = RefinedRelevanceScorer(made.relevance_scorer, llm)
    return made


def local_library(config: AppConfig) -> Library | None:
    """The snapshot file; None where the extra `snapshot`, which brings what reads its index, is not installed."""
    try:
        from paper_search.sources.snapshot import Snapshot
    except ModuleNotFoundError:
        return None
    return Snapshot(config.snapshot, config.search_model)


def make_source(source: SearchSourceConfig, config: AppConfig) -> Source:
    """The adapter of a source on the network."""
    client = SourceClient.from_config(source, config)
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
