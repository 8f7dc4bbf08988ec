"""The MCP presentation: protocol in, tools out."""
