"""BibTeX entries: read into fields, texts and names, for the builder and for citations."""
