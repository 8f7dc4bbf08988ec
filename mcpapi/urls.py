"""The addresses of the MCP servers."""

from django.urls import path

from mcpapi.api import api

_patterns, _app_name, _namespace = api.urls

# Ninja adds a page at its root, which is the site's home page here.
urlpatterns = [path("", ([p for p in _patterns if str(p.pattern)], _app_name, _namespace))]
