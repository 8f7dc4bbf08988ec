"""The snapshot in Django's admin: staff can look at everything, nobody can change anything."""

from typing import TYPE_CHECKING

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from papercore import limits
from papercore.retrieval import Request
from papers.catalogue.lookup import value_url
from papers.search.results import list_papers
from papers.snapshot import models

if TYPE_CHECKING:  # Django's own class takes no type argument
    ModelAdmin = admin.ModelAdmin[Model]
else:
    ModelAdmin = admin.ModelAdmin

# Papers that a search in the admin lists.
BEST = 200

admin.site.site_header = admin.site.site_title = "papersite"
admin.site.index_title = "The library and its searches"


class ReadOnlyAdmin(ModelAdmin):
    """Staff may look at all of it; nobody, superusers included, may add, change or delete."""

    show_full_result_count = False
    list_per_page = 50

    def view_on_site(self, obj: Model) -> str | None:
        return page_of(obj)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.is_active and request.user.is_staff

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(models.Paper)
class PaperAdmin(ReadOnlyAdmin):
    list_display = ("title", "year", "venue", "doi", "has_source", "page")
    list_filter = ("year", "paper_key_type", "output_language", "preferred_summary_template")
    search_fields = ("paper_id",)  # that there is a box; see get_search_results
    search_help_text = f"Words, names, a DOI or an id. The best {BEST} are listed."
    ordering = ("-year", "title")
    readonly_fields = ("author_names", "keyword_names", "tag_names", "institution_names", "template_names", "languages")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Model], search_term: str
    ) -> tuple[QuerySet[Model], bool]:
        """By the site's own search: scanning every row of a large library would exceed the time limit."""
        words = search_term.strip()[: limits.QUERY_CHARS]
        if not words:
            return queryset, False
        found = list_papers(Request(words, limit=BEST, mode="words"))
        return queryset.filter(pk__in=[words, *(paper.paper_id for paper in found.papers)]), False

    @admin.display(description="page")
    def page(self, paper: models.Paper) -> str:
        return format_html('<a href="{}">Read</a>', page_of(paper) or "")

    @admin.display(boolean=True, description="source")
    def has_source(self, paper: models.Paper) -> bool:
        return bool(paper.source_md_content_hash)

    @admin.display(description="authors")
    def author_names(self, paper: models.Paper) -> str:
        return listed(paper.authors.values_list("value", flat=True))

    @admin.display(description="keywords")
    def keyword_names(self, paper: models.Paper) -> str:
        return listed(paper.keywords.values_list("value", flat=True))

    @admin.display(description="tags")
    def tag_names(self, paper: models.Paper) -> str:
        return listed(paper.tags.values_list("value", flat=True))

    @admin.display(description="institutions")
    def institution_names(self, paper: models.Paper) -> str:
        return listed(paper.institutions.values_list("value", flat=True))

    @admin.display(description="summary templates")
    def template_names(self, paper: models.Paper) -> str:
        return listed(paper.summaries.values_list("template_tag", flat=True))

    @admin.display(description="translations")
    def languages(self, paper: models.Paper) -> str:
        return listed(paper.translations.values_list("lang", flat=True))


def page_of(row: Model) -> str | None:
    """The page of the site that shows this row."""
    if isinstance(row, models.Paper):
        return reverse("paper", args=[row.paper_id])
    if isinstance(row, models.PaperBibtex):
        return reverse("bibtex", args=[row.paper_id])
    if isinstance(row, models.FacetRow):
        return value_url(row._meta.db_table, row.value)
    return None


def listed(values: QuerySet[Model, str]) -> str:
    return ", ".join(sorted(values)) or "none"


@admin.register(models.Author, models.Keyword, models.Institution, models.Tag, models.Venue)
class FacetAdmin(ReadOnlyAdmin):
    list_display = ("value", "paper_count")
    search_fields = ("value",)
    ordering = ("-paper_count", "value")


@admin.register(models.FacetNode)
class FacetNodeAdmin(ReadOnlyAdmin):
    list_display = ("value", "facet_type", "paper_count")
    list_filter = ("facet_type",)
    search_fields = ("value",)
    ordering = ("-paper_count", "value")


@admin.register(models.PaperBibtex)
class BibtexAdmin(ReadOnlyAdmin):
    list_display = ("bibtex_key", "entry_type", "paper")
    list_filter = ("entry_type",)
    list_select_related = ("paper",)
    search_fields = ("bibtex_key", "bibtex_raw")
    ordering = ("bibtex_key",)


@admin.register(models.PaperKeyAlias)
class PaperKeyAliasAdmin(ReadOnlyAdmin):
    list_display = ("paper_key", "paper_key_type", "paper")
    list_filter = ("paper_key_type",)
    list_select_related = ("paper",)
    search_fields = ("paper_key",)
    ordering = ("paper_key",)


@admin.register(models.SnapshotMeta)
class SnapshotMetaAdmin(ReadOnlyAdmin):
    list_display = ("key", "value")
    ordering = ("key",)


@admin.register(models.YearCount)
class YearCountAdmin(ReadOnlyAdmin):
    list_display = ("year", "paper_count")
    ordering = ("-year",)


@admin.register(models.MonthCount)
class MonthCountAdmin(ReadOnlyAdmin):
    list_display = ("month", "paper_count")
    ordering = ("month",)
