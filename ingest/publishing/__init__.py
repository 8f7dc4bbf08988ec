"""Records as a snapshot: rows, facets and assets written, read back, and put in place in one step."""
