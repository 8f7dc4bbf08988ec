"""Django's SQLite backend, pointed at a snapshot file that is only read and may be replaced."""
