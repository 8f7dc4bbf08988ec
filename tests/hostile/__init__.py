"""Files that mean harm, made by a script, and what becomes of each."""
