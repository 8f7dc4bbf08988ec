"""Reads BibTeX: texts into entries, LaTeX into text, fields into citations. `papercore.bibliography` writes it."""
