"""Looks papers up by their identifiers, in the sources that know each kind of them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Literal

from msgspec import Struct

from paper_search.config import KNOWN_SOURCES, AppConfig, SearchSourceConfig
from paper_search.domains import DOMAINS
from paper_search.models import RawPaper
from paper_search.sources.arxiv import Arxiv
from paper_search.sources.crossref import Crossref
from paper_search.sources.europe_pmc import EuropePMC
from paper_search.sources.http import SourceClient
from paper_search.sources.interface import PaperLookup, SourceError, UnknownToSource
from paper_search.sources.openalex import OpenAlex
from papercore.bibliography.identifiers import Identifier, IdentifierKind

# Who is asked, in this order.
ASKED: dict[IdentifierKind, tuple[str, ...]] = {
    "doi": ("crossref", "openalex"),
    "arxiv": ("arxiv", "openalex"),
    "pmid": ("europe_pmc", "openalex"),
    "pmcid": ("europe_pmc", "openalex"),
    "openalex": ("openalex",),
}
# Numbers asked of arXiv at once.
ARXIV_BATCH = 50
# unknown: some source said that it has no such paper; unreachable: none could be asked.
Outcome = Literal["found", "unknown", "unreachable"]


class LookedUp(Struct, frozen=True):
    """What became of one identifier; `note` says in words why there is no paper."""

    identifier: Identifier
    outcome: Outcome
    paper: RawPaper | None = None
    note: str = ""


class _ArxivInBatches(Arxiv):
    """arXiv, asked for the next numbers of the list with each that is not known yet."""

    def __init__(self, client: SourceClient, identifiers: Sequence[Identifier]) -> None:
        super().__init__(client, DOMAINS["general"])
        self._waiting = [identifier.value for identifier in identifiers if identifier.kind == "arxiv"]
        self._found: dict[str, RawPaper] = {}

    async def look_up(self, identifier: Identifier) -> RawPaper | None:
        if identifier.value in self._waiting:
            batch, self._waiting = self._waiting[:ARXIV_BATCH], self._waiting[ARXIV_BATCH:]
            self._found |= await self.look_up_many(batch)
        return self._found.get(identifier.value)


def lookup_sources(config: AppConfig, identifiers: Sequence[Identifier]) -> dict[str, PaperLookup]:
    """The sources as they are configured; one that is not, with its own address and rate."""
    sources = {
        name: config.sources.get(name) or SearchSourceConfig(name=name, rate_limit=KNOWN_SOURCES[name].rate_limit)
        for name in ("crossref", "openalex", "europe_pmc", "arxiv")
    }
    clients = {name: SourceClient.from_config(source, config) for name, source in sources.items()}
    return {
        "crossref": Crossref(clients["crossref"], config.contact),
        "openalex": OpenAlex(clients["openalex"], DOMAINS["general"], sources["openalex"].api_key),
        "europe_pmc": EuropePMC(clients["europe_pmc"]),
        "arxiv": _ArxivInBatches(clients["arxiv"], identifiers),
    }


async def look_up(identifiers: Sequence[Identifier], config: AppConfig) -> AsyncIterator[LookedUp]:
    """Each identifier in its turn. A source that could not be reached is not asked again: the network may be off."""
    sources = lookup_sources(config, identifiers)
    failed: dict[str, str] = {}
    for identifier in identifiers:
        asked = {name: partial(sources[name].look_up, identifier) for name in ASKED[identifier.kind]}
        yield LookedUp(identifier, *await first_answer(asked, failed))


async def first_answer(
    asked: Mapping[str, Callable[[], Awaitable[RawPaper | None]]],
    failed: dict[str, str],
    wanted: str = "paper by this name",
) -> tuple[Outcome, RawPaper | None, str]:
    """What the first source says that has a paper; `failed` are those that are not asked again, and why."""
    without_it = []
    for name, ask in asked.items():
        if name in failed:
            continue
        try:
            if paper := await ask():
                return "found", paper, ""
        except UnknownToSource:
            pass
        except SourceError as error:
            failed[name] = str(error)
            continue
        without_it.append(KNOWN_SOURCES[name].label)
    reasons = [f"{KNOWN_SOURCES[name].label} {failed[name]}" for name in asked if name in failed]
    if not without_it:
        return "unreachable", None, "; ".join(reasons)
    verb = "have" if len(without_it) > 1 else "has"
    named = " and ".join(filter(None, (", ".join(without_it[:-1]), without_it[-1])))
    return "unknown", None, "; ".join((f"{named} {verb} no {wanted}", *reasons))


def look_up_all(identifiers: Sequence[Identifier], config: AppConfig) -> list[LookedUp]:
    """For callers that do not run an event loop."""

    async def collect() -> list[LookedUp]:
        return [found async for found in look_up(identifiers, config)]

    return asyncio.run(collect())
