"""The addresses of the MCP servers."""

from django.urls import path

from mcpapi.transport import views

app_name = "mcp"
urlpatterns = [
    path("mcp", views.default_server, name="default"),
    path("mcp/", views.default_server),
    path("mcp/<str:name>", views.named_server, name="server"),
]
