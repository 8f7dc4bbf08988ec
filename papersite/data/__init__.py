"""What the site keeps: the data folder, its database, and the demo library."""
