"""The meaning of texts as vectors: word vectors, an optional sentence model, and how documents are embedded."""
