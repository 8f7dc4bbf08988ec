"""Answers to questions at /ask/, written by a language model and checked against the papers, sentence by sentence."""
