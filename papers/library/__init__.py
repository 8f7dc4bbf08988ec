"""The library that is served, changed: updates and undo with the search index, and what people add in the browser."""
