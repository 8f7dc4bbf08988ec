"""What all packages build on, without Django: errors, limits, tools, citations, retrieval, rendering."""
