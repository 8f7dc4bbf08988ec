"""Child processes with limits, locks, files and counters that processes share."""
