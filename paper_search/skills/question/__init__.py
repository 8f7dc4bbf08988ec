"""The rules that take a question or a reviewer's note apart: topic, years, people, venues, kinds, exclusions."""
