"""Markdown of full length that is made to be slow to lay out."""

from papercore.limits import MARKDOWN_CHARS

REPEATED = {
    "formulas that never end": "$$a\n\n",
    "dollars": "$a ",
    "formulas": "$x_1^2$ ",
    "marks closed by others": "a <b>x</i>",
    "open marks": "<b>",
    "nested tables": "<table><tr><td>",
    "comments": "<!-- ",
    "tags": "<a ",
    "lists": "- a\n",
    "quotes in a line": "> ",
    "nested quotes": "> > > > > > > > a\n",
    "emphasis": "*a **b ",
    "underscores": "_a __b ",
    "brackets": "[",
    "links": "[a](",
    "pictures": "![a](",
    "references": "[a] ",
    "backticks": "`a ",
    "code": "```python\ndef f(): pass\n```\n",
    "open code": "```python\n\n~~~js\n",
    "headings": "# a\n",
    "addresses": "http://a.bc ",
    "table": "| x | y |\n",
}


def hostile_texts() -> dict[str, str]:
    """By what they consist of."""
    texts = {name: (part * MARKDOWN_CHARS)[:MARKDOWN_CHARS] for name, part in REPEATED.items()}
    texts["references"] = f"[a]: /x\n\n{texts['references'][:-20]}"
    texts["table"] = f"| a | b |\n|---|---|\n{texts['table'][:-40]}"
    texts["one formula"] = f"$${'x^2+' * (MARKDOWN_CHARS // 4 - 2)}$$"
    texts["nested lists"] = "".join(f"{'  ' * depth}- a\n" for depth in range(540))
    texts["footnotes"] = "".join(f"[^{number}]\n\n[^{number}]: x\n\n" for number in range(12_000))[:MARKDOWN_CHARS]
    texts["12 KB of C#"] = "```csharp\n" + "x\n" * 6_000 + "```\n"
    return texts
