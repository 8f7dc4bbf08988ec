"""What connects MCP clients to the servers: configurations, bundles, the registry's entry."""
