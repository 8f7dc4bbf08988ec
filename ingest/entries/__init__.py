"""What inputs say of papers: entries and problems, and texts in the forms that are stored and compared."""
