"""From a configuration to the parts of a workflow."""

from collections.abc import Callable
from dataclasses import dataclass, field

import httpx

from paper_search.config import AppConfig, SearchSourceConfig
from paper_search.domains import DOMAINS
from paper_search.llm import LLM
from paper_search.progress import ProgressReporter
from paper_search.skills.deduplicator import RuleDeduplicator
from paper_search.skills.intent_parser import RuleIntentParser
from paper_search.skills.query_builder import RuleQueryBuilder
from paper_search.skills.refined import RefinedIntentParser, RefinedQueryBuilder, RefinedScorer
from paper_search.skills.relevance_scorer import RuleRelevanceScorer
from paper_search.skills.result_organizer import RuleResultOrganizer
from paper_search.skills.searcher import Source, SourceSearcher
from paper_search.skills.thesaurus import Thesaurus
from paper_search.sources.arxiv import Arxiv
from paper_search.sources.crossref import Crossref
from paper_search.sources.europe_pmc import EuropePMC
from paper_search.sources.http import SourceClient, shared_pace
from paper_search.sources.openalex import OpenAlex
from paper_search.sources.semantic_scholar import SemanticScholar
from paper_search.sources.serpapi import SerpAPI
from paper_search.sources.snapshot import Snapshot

ADDRESSES = {
    "openalex": "https://api.openalex.org",
    "crossref": "https://api.crossref.org",
    "arxiv": "https://export.arxiv.org",
    "semantic_scholar": "https://api.semanticscholar.org",
    "europe_pmc": "https://www.ebi.ac.uk/europepmc/webservices/rest",
    "serpapi": "https://serpapi.com",
}


@dataclass
class Parts:
    """The collaborators of one workflow; `notices` is where they say that they fell back."""

    intent_parser: RuleIntentParser | RefinedIntentParser
    query_builder: RuleQueryBuilder | RefinedQueryBuilder
    searcher: SourceSearcher
    relevance_scorer: RuleRelevanceScorer | RefinedScorer
    deduplicator: RuleDeduplicator = field(default_factory=RuleDeduplicator)
    result_organizer: RuleResultOrganizer = field(default_factory=RuleResultOrganizer)
    notices: list[str] = field(default_factory=list)


def assemble(
    config: AppConfig,
    progress_reporter: ProgressReporter | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
) -> Parts:
    """Rules, refined by a language model where one is configured. Nothing is read or opened yet."""
    sources = {source.name: make_source(source, config, transport) for source in config.enabled_sources()}
    thesaurus = Thesaurus(Snapshot(config.snapshot).keywords)
    parts = Parts(
        RuleIntentParser(config.default_max_results),
        RuleQueryBuilder(list(sources), thesaurus),
        SourceSearcher(sources, progress_reporter),
        RuleRelevanceScorer(DOMAINS[config.domain]),
    )
    return refine(parts, LLM(config.llm, parts.notices)) if config.llm.provider != "none" else parts


def refine(parts: Parts, llm: LLM) -> Parts:
    parts.intent_parser = RefinedIntentParser(parts.intent_parser, llm)
    parts.query_builder = RefinedQueryBuilder(parts.query_builder, llm)
    parts.relevance_scorer = RefinedScorer(parts.relevance_scorer, llm)
    return parts


def make_source(
    source: SearchSourceConfig, config: AppConfig, transport: httpx.AsyncBaseTransport | None = None
) -> Source:
    """The adapter of one source."""
    if source.name == "snapshot":
        return Snapshot(config.snapshot, config.search_model)
    address = source.base_url or ADDRESSES[source.name]
    headers = {"x-api-key": source.api_key} if source.name == "semantic_scholar" and source.api_key else {}
    client = SourceClient(
        address, shared_pace(address, source.rate_limit), config.timeout, source.max_calls, headers, transport
    )
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
