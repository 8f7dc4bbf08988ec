"""Where papers come from: an adapter for each source, on one shared HTTP layer."""
