"""Tables in Markdown, which `bench.all` puts into bench/figures."""

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The first column is text, the others are figures."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def figure(value: float) -> str:
    """Three digits that count: 0.123, 1.23, 12.3, 1,230."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
