"""Where papers come from: one adapter each, on one shared layer for requests."""
