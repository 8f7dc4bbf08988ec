"""Snippets are words to read, whatever markup their texts have."""

import pytest

from papers.passages.marked import without_markup


@pytest.mark.parametrize(
    ("cut", "read"),
    [
        ("Plain words, 3 * 4 and A* search.", "Plain words, 3 * 4 and A* search."),
        ("A claim [^preln] stands[^2].", "A claim stands."),
        ("see [^[[[preln]]]] here", "see here"),
        ("… [^note]: Its text", "… Its text"),
        ("**[[[bold]]]** and *light* and `code`", "[[[bold]]] and light and code"),
        ("# Title ## Method Scaled", "Title Method Scaled"),
        ("C# is # 5", "C# is # 5"),
        (r"as shown \cite{a,b} by \citep[see][p. 3]{[[[smith]]]2019}, too", "as shown by, too"),
        (r"cut here \cite{smith2 …", "cut here…"),
        (r"\textbf{strong} \emph{[[[word]]]}", "strong [[[word]]]"),
        ("[[[[the]]] paper](https://example.org/x) ![A dot](images/a.png)", "[[[the]]] paper A dot"),
        ("layer | cost | |---|---:| | one", "layer | cost | | one"),
        ("$a_{**}$ stays, **so** does $x \\cite{y}$", "$a_{**}$ stays, so does $x \\cite{y}$"),
    ],
)
def test_a_snippet_shows_words_and_no_markup(cut: str, read: str) -> None:
    assert without_markup(cut) == read
