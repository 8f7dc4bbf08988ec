"""Picks the few sentences of an abstract that bear most on a question."""

from paper_search.text import stems
from papercore.passages import cut


def best_passage(text: str, question: str) -> str:
    """The passage with most of the question's words, in whole sentences; of several, the first."""
    sought = set(stems(question))
    pieces = cut(text)
    passages = [pieces.quote(passage) for passage in pieces.passages]
    return max(passages, key=lambda passage: len(sought.intersection(stems(passage))), default="")
