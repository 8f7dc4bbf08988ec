"""What every room of retrieval speaks of: documents, requests and results, queries, and how text becomes terms."""
