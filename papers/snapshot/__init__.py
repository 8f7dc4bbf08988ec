"""The snapshot file in use, and Django's database backend for it."""
