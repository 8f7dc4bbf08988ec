"""The embedded engine: words in tantivy, vectors in memory-mapped files. No other room uses tantivy's queries."""
