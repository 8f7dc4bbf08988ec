"""The ledger of a library: what was read, by whom it came, what people said; and what follows from it."""
