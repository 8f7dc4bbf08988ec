"""Known sentence models: where each comes from, and how it is installed as a folder that search can use."""
