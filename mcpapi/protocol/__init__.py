"""What a message means: JSON-RPC envelopes, the methods, calls of tools, and questions back to the client."""
