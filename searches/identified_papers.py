"""Papers by identifiers for the library: looked up in the sources, and written as CSL-JSON, which a build reads."""

from collections.abc import Sequence

from msgspec import Struct

from paper_search.config import AppConfig
from paper_search.models import RawPaper
from paper_search.sources.lookup import LookedUp, look_up_all
from papercore.bibliography.fields import parse_name
from papercore.bibliography.identifiers import Identifier

CslItem = dict[str, object]
_OFFLINE = "Not looked up: there was no network."


class IdentifiedPapers(Struct, frozen=True):
    """`items` for a build; `notes` say which of them are stubs, and which identifiers gave nothing."""

    items: list[CslItem]
    notes: list[str]
    found: int


def identified_papers(
    identifiers: Sequence[Identifier], config: AppConfig, *, offline: bool = False
) -> IdentifiedPapers:
    """A paper for each identifier: as a source describes it, or a stub where none could be reached."""
    if offline:
        looked_up = [LookedUp(identifier, "unreachable", note="offline") for identifier in identifiers]
    else:
        looked_up = look_up_all(identifiers, config)
    items: list[CslItem] = []
    notes: list[str] = []
    for found in looked_up:
        if found.paper:
            items.append(_item(found.identifier, found.paper))
        elif found.outcome == "unreachable":
            # The identifier as the title; an entry with the same DOI or arXiv id replaces it later.
            stub = {"type": "article", "title": str(found.identifier), "note": _OFFLINE}
            items.append({**stub, **_named(found.identifier)})
            notes.append(f"{found.identifier}: kept as a stub, look it up later ({found.note})")
        else:
            notes.append(f"{found.identifier}: left out, {found.note}; check it for a slip")
    return IdentifiedPapers(items, notes, sum(1 for found in looked_up if found.paper))


def _item(identifier: Identifier, paper: RawPaper) -> CslItem:
    names = (parse_name(author.name) for author in paper.authors)
    item: CslItem = {
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


def _named(identifier: Identifier) -> CslItem:
    named: CslItem = {"URL": identifier.url}
    if identifier.kind == "doi":
        named["DOI"] = identifier.value
    if identifier.kind == "arxiv":
        named["number"] = f"arXiv:{identifier.value}"
    return named
