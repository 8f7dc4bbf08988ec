"""How messages travel: over HTTP behind a gate, and over stdin and stdout."""
