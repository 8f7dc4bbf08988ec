"""Keeps a library in step with folders: files that appear, change and go."""
