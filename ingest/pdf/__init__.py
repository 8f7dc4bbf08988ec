"""Reads PDFs: their text in reading order with its pages, and what they say of themselves.

Each is read in a process of its own, which ends when a file takes too much time or memory.
"""
