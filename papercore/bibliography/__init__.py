"""What papers say of themselves: names, dates, identifiers, citations, references."""
