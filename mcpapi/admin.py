"""MCP tokens in the admin, to list and to revoke. `papersite create-token` creates them."""

from typing import TYPE_CHECKING

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from mcpapi.models import McpToken

if TYPE_CHECKING:  # Django's own class takes no type argument
    ModelAdmin = admin.ModelAdmin[McpToken]
else:
    ModelAdmin = admin.ModelAdmin


@admin.register(McpToken)
class McpTokenAdmin(ModelAdmin):
    list_display = ("name", "created_at", "revoked_at")
    readonly_fields = ("created_at", "revoked_at")
    actions = ("revoke",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @admin.action(description="Revoke the selected tokens", permissions=["change"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[McpToken]) -> None:
        revoked = queryset.filter(revoked_at=None).update(revoked_at=timezone.now())
        self.message_user(request, f"Revoked {revoked} of {queryset.count()}.")
