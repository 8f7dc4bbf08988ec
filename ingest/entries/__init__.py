"""What inputs say of papers: entries, problems and their texts; and what a build or an update says of its work."""
