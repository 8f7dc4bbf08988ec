"""The steps of a search: rules that need no key and no network, and a language model that refines them."""
