"""How good answers are: judged collections, claims, specs, references."""
