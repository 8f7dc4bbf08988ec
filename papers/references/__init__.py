"""Which papers of the library a paper cites, and which cite it: read from the texts when asked, stored nowhere."""
