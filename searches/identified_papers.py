"""Papers by identifiers for the library: looked up in the sources, and written as CSL-JSON, which a build reads."""

from collections.abc import Sequence

from ingest.reading.looked_up import LookedUpPaper, LookedUpPapers
from paper_search.config import KNOWN_SOURCES, AppConfig, load_config
from paper_search.models import RawPaper
from paper_search.sources.lookup import LookedUp, look_up_all
from papercore.bibliography.fields import parse_name
from papercore.bibliography.identifiers import Identifier

_OFFLINE = "Not looked up: there was no network."


def look_up_papers(identifiers: Sequence[Identifier]) -> LookedUpPapers:
    """As the site is configured. ConfigError if that makes no sense."""
    return identified_papers(identifiers, load_config())


def identified_papers(identifiers: Sequence[Identifier], config: AppConfig, *, offline: bool = False) -> LookedUpPapers:
    """A paper for each identifier: as a source describes it, or a stub where none could be reached.

    The notes say which of them are stubs, and which identifiers gave nothing.
    """
    if offline:
        looked_up = [LookedUp(identifier, "unreachable", note="offline") for identifier in identifiers]
    else:
        looked_up = look_up_all(identifiers, config)
    papers: list[LookedUpPaper] = []
    stubs: list[str] = []
    left_out: list[str] = []
    for found in looked_up:
        name = str(found.identifier)
        if found.paper:
            service = KNOWN_SOURCES[found.paper.source].label
            papers.append(LookedUpPaper(name, service, _item(found.identifier, found.paper)))
        elif found.outcome == "unreachable":
            # The identifier as the title; what is found later takes its place.
            stub: dict[str, object] = {"type": "article", "title": name, "note": _OFFLINE}
            papers.append(LookedUpPaper(name, "", {**stub, **_named(found.identifier)}))
            stubs.append(f"{name}: kept as a stub, look it up later ({found.note})")
        else:
            left_out.append(f"{name}: left out, {found.note}; check it for a slip")
    return LookedUpPapers(papers, stubs, left_out)


def _item(identifier: Identifier, paper: RawPaper) -> dict[str, object]:
    names = (parse_name(author.name) for author in paper.authors)
    item: dict[str, object] = {
        **paper.facts.model_dump(include={"volume", "issue", "page", "publisher", "language"}),
        "type": paper.facts.type or ("article" if identifier.kind == "arxiv" else "article-journal"),
        "title": paper.title,
        "author": [{"family": name.family, "given": name.given, "suffix": name.suffix} for name in names],
        "issued": {"date-parts": [[paper.year]]} if paper.year else None,
        "container-title": paper.venue,
        "abstract": paper.abstract,
        "DOI": paper.doi,
        **_named(identifier),
    }
    return {name: value for name, value in item.items() if value}


def _named(identifier: Identifier) -> dict[str, object]:
    """An arXiv id is read from the address of its page."""
    return {"URL": identifier.url, **({"DOI": identifier.value} if identifier.kind == "doi" else {})}
