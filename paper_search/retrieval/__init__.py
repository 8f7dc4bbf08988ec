"""Find text by words and by meaning: an index of documents in a folder, with no framework around it."""
