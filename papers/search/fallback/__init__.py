"""Search on the snapshot's own tables, for a library that has no index."""
