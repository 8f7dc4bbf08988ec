"""BibTeX written from fields, for papers whose entry came without its text."""

from papers.build.readers.fields import Fields, line


def bibtex_text(entry_type: str, key: str, fields: Fields) -> str:
    rows = [f"  {name} = {{{_balanced(line(fields, name))}}}" for name in fields if line(fields, name)]
    return f"@{entry_type}{{{key},\n" + ",\n".join(rows) + "\n}"


def _balanced(value: str) -> str:
    """The value itself; without its braces if they would close the entry early."""
    depth = 0
    for char in value:
        depth += (char == "{") - (char == "}")
        if depth < 0:
            break
    return value if depth == 0 else value.replace("{", "").replace("}", "")
