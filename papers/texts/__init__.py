"""The texts of papers: bytes of assets, summaries and sources read from them, and their HTML."""
