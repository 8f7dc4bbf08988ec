"""Load, hostile clients and damage at full length."""
