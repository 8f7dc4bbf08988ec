"""Registers the app."""

from django.apps import AppConfig


class McpApiConfig(AppConfig):
    name = "mcpapi"
