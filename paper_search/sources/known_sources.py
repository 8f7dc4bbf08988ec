"""The sources a search can ask: what people call them, where they are, and how fast they may be asked."""

from msgspec import Struct


class KnownSource(Struct, frozen=True):
    """`rate_limit` is the number of requests a second that the service allows or asks for."""

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
