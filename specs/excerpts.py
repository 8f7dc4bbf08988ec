"""Shortens texts to one line for lists."""


def one_line(text: str, length: int) -> str:
    """The first paragraph on one line, cut at a word."""
    paragraph = " ".join(text.split("\n\n", 1)[0].split())
    if len(paragraph) <= length:
        return paragraph
    cut = paragraph[: length - 1]
    return f"{cut.rpartition(' ')[0] or cut} …"
