"""Tests of papercore.sentence_models."""
