"""The pages of the specs, and the same content in formats for programs."""
