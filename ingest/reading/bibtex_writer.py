"""Writes BibTeX from fields, for papers whose input has the fields but not the text."""

from ingest.reading.fields import Fields, text_line


def bibtex_text(entry_type: str, key: str, fields: Fields) -> str:
    rows = [f"  {name} = {{{_balanced(text_line(fields, name))}}}" for name in fields if text_line(fields, name)]
    return f"@{entry_type}{{{key},\n" + ",\n".join(rows) + "\n}"


def _balanced(value: str) -> str:
    """The value, without its braces if they would close the entry early."""
    depth = 0
    for char in value:
        depth += (char == "{") - (char == "}")
        if depth < 0:
            break
    return value if depth == 0 else value.replace("{", "").replace("}", "")
