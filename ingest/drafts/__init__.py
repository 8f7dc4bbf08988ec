"""Drafts that somebody writes: their sentences, what each cites, and the works that they list themselves."""
