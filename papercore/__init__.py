"""The floor under everything, without Django: errors, limits, tools, citations, retrieval, rendering."""
