"""Shortens texts: to one line for lists, or to a number of characters with a mark that says what is left."""


def one_line(text: str, length: int) -> str:
    """The first paragraph on one line, cut at a word."""
    paragraph = " ".join(text.split("\n\n", 1)[0].split())
    if len(paragraph) <= length:
        return paragraph
    cut = paragraph[: length - 1]
    return f"{cut.rpartition(' ')[0] or cut} …"


def truncate(text: str, length: int) -> str:
    """The text, or its beginning with a mark that says how much is left."""
    left = len(text) - length
    return text if left <= 0 else f"{text[:length]}\n\n[truncated: {left:,} more characters]"
