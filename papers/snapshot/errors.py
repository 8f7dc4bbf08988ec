"""What can go wrong with papers, as tool errors."""

from collections.abc import Callable, Sequence

from papercore import limits
from papercore.errors import InvalidInput, NotFound, PageLink, Unavailable


class PaperNotFound(NotFound):
    code = "paper_not_found"
    heading = "There is no paper with this address"

    def __init__(self, paper_id: str, find_similar: Callable[[str], Sequence[PageLink]] | None = None) -> None:
        super().__init__(f"There is no paper {paper_id}. Find ids with search_papers.", paper_id=paper_id)
        self.paper_id = paper_id
        self.find_similar = find_similar

    def explanation(self) -> str:
        return (
            f"This library has no paper {self.paper_id}. It may have been left out when the library was rebuilt, "
            "or the address is mistyped."
        )

    def suggestions(self) -> Sequence[PageLink]:
        return self.find_similar(self.paper_id) if self.find_similar else ()


class AmbiguousPaper(InvalidInput):
    code = "ambiguous_paper_id"

    def __init__(self, name: str, paper_ids: Sequence[str]) -> None:
        shown = list(paper_ids[: limits.PROBLEMS])
        message = (
            f"{len(paper_ids)} papers have the citation key {name}. Pass the id of one of them: {', '.join(shown)}"
        )
        more = ", ..." if len(paper_ids) > len(shown) else "."
        super().__init__(message + more, paper_id=name, paper_ids=shown)


class TemplateNotAvailable(NotFound):
    code = "template_not_available"


class SummaryNotAvailable(NotFound):
    code = "summary_not_available"


class SourceNotAvailable(NotFound):
    code = "source_not_available"


class TranslationNotAvailable(NotFound):
    code = "translation_not_available"


class TextNotAvailable(NotFound):
    code = "text_not_available"


class PageNotAvailable(NotFound):
    code = "page_not_available"


class PassageNotFound(NotFound):
    code = "passage_not_found"


class SectionNotFound(NotFound):
    code = "section_not_found"


class BibtexNotFound(NotFound):
    code = "bibtex_not_found"


class ResourceNotFound(NotFound):
    code = "resource_not_found"


class FacetNotFound(NotFound):
    code = "facet_not_found"


class TooManyDownloads(Unavailable):
    code = "too_many_downloads"


class AssetParseFailed(Unavailable):
    code = "asset_parse_failed"


class SnapshotUnavailable(Unavailable):
    code = "snapshot_unavailable"


class QueryTimeout(Unavailable):
    code = "query_timeout"
