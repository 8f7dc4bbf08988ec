"""Lists of papers: the query a reader makes, its results, the index, and the tables that answer without one."""
