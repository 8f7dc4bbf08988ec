"""What the site keeps: the data folder, its database, the demo library, and where its search index is."""
