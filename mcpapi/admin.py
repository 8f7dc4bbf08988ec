"""MCP tokens in the admin: made, listed and revoked. A token is shown once, when it is made."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from mcpapi.models import McpToken, new_token

if TYPE_CHECKING:  # Django's own class takes no type argument
    ModelAdmin = admin.ModelAdmin[McpToken]
else:
    ModelAdmin = admin.ModelAdmin


@admin.register(McpToken)
class McpTokenAdmin(ModelAdmin):
    list_display = ("name", "owner", "scope", "created_at", "expires_at", "last_used_at", "revoked_at")
    readonly_fields = ("created_at", "last_used_at", "revoked_at")
    actions = ("revoke",)

    def save_model(self, request: HttpRequest, obj: McpToken, form: Any, change: bool) -> None:  # Any: Django's
        if not change:
            token, obj.digest = new_token()
            self.message_user(request, f"The token, which cannot be shown again: {token}")
        super().save_model(request, obj, form, change)

    @admin.action(description="Revoke the selected tokens", permissions=["change"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[McpToken]) -> None:
        revoked = queryset.filter(revoked_at=None).update(revoked_at=timezone.now())
        self.message_user(request, f"Revoked {revoked} of {queryset.count()}.")
