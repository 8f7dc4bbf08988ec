"""What can go wrong with papers, as tool errors."""

from papercore.errors import NotFound, Unavailable


class PaperNotFound(NotFound):
    code = "paper_not_found"


class TemplateNotAvailable(NotFound):
    code = "template_not_available"


class SummaryNotAvailable(NotFound):
    code = "summary_not_available"


class SourceNotAvailable(NotFound):
    code = "source_not_available"


class TranslationNotAvailable(NotFound):
    code = "translation_not_available"


class BibtexNotFound(NotFound):
    code = "bibtex_not_found"


class ResourceNotFound(NotFound):
    code = "resource_not_found"


class FacetNotFound(NotFound):
    code = "facet_not_found"


class AssetFetchFailed(Unavailable):
    code = "asset_fetch_failed"


class AssetParseFailed(Unavailable):
    code = "asset_parse_failed"


class SnapshotUnavailable(Unavailable):
    code = "snapshot_unavailable"


class QueryTimeout(Unavailable):
    code = "query_timeout"
