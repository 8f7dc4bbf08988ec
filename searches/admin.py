"""Search sessions in the admin, to read and to delete; decisions are made on their pages."""

from typing import TYPE_CHECKING

from django.contrib import admin
from django.http import HttpRequest

from searches.models import DecisionRecord, SearchSession

if TYPE_CHECKING:  # Django's own classes take no type argument
    ModelAdmin = admin.ModelAdmin[SearchSession]
    TabularInline = admin.TabularInline[DecisionRecord, SearchSession]
else:
    ModelAdmin = admin.ModelAdmin
    TabularInline = admin.TabularInline


class DecisionInline(TabularInline):
    model = DecisionRecord
    fields = readonly_fields = ("kind", "iteration", "action", "note", "decided_by", "decided_at")
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: SearchSession | None = None) -> bool:
        return False


@admin.register(SearchSession)
class SearchSessionAdmin(ModelAdmin):
    list_display = ("query", "status", "started_by", "paper_count", "iteration", "created_at", "touched_at")
    list_filter = ("status", "started_by", "domain")
    search_fields = ("query", "id")
    inlines = (DecisionInline,)
    fields = readonly_fields = (
        "id",
        "query",
        "domain",
        "max_results",
        "status",
        "started_by",
        "iteration",
        "step",
        "paper_count",
        "error",
        "created_at",
        "touched_at",
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
