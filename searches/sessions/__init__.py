"""Search sessions as rows: what callers do with them, the threads that work on them, and when they expire."""
