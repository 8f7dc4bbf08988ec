"""Which entries are the same paper: their number while they are read, then one record and one id."""
