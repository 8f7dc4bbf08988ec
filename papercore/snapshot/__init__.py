"""The snapshot: the names of its files, opening and checking it, its versions, its assets."""
