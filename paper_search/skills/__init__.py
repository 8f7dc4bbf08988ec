"""The steps of a search, each by rules that need no key and no network."""
