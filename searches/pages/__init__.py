"""Pages of search sessions."""
