"""What is known about papers: metadata, facets, names as people write them, citations."""
