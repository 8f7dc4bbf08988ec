"""Passages of papers: their addresses, sections, quotes, and the tools that read them."""
