"""Reads free text without a model: what is stated plainly becomes fields of a plan, and the rest is told."""
