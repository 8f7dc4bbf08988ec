"""Markdown becomes HTML that reads well: levels, anchors, tables, code, pictures, formulas."""

import pytest

from papercore import limits
from papercore.rendering import Heading, render, rules
from papercore.rendering.math import FORMULA_CHARS


def html(text: str) -> str:
    return render(text, pictures="/asset/").html


def test_headings_start_below_the_title_and_leave_no_level_out() -> None:
    shown = html("# A\n\n#### B\n\n# C")
    assert '<h2 id="s-a">' in shown
    assert '<h3 id="s-b">' in shown
    assert "<h4" not in shown


def test_the_outline_has_two_levels_and_unique_anchors() -> None:
    rendered = render("## One\n\n### Two `x`\n\n#### Three\n\n## One", prefix="a", top=3)
    assert rendered.outline == (
        Heading(1, "One", "a-one"),
        Heading(2, "Two x", "a-two-x"),
        Heading(1, "One", "a-one--2"),
    )
    assert '<h3 id="a-one--2">' in rendered.html


def test_headings_in_other_scripts_have_anchors() -> None:
    assert render("## 注意力 机制").outline[0].anchor == "s-注意力-机制"


@pytest.mark.parametrize("text", ["$a^2$", r"\(a^2\)"])
def test_inline_formulas(text: str) -> None:
    assert "<msup><mi>a</mi><mn>2</mn></msup>" in html(text)


@pytest.mark.parametrize(
    "text",
    [
        "$$a^2$$",
        r"\[a^2\]",
        "\\begin{align}\na^2 &= b \\\\\nc &= d\n\\end{align}",
        "$$\n\\begin{gathered}\na^2 = b\n\\end{gathered}\n$$",
        "$$\n\\begin{equation}\na^2 = b \\label{eq:1}\n\\end{equation}\n$$",
    ],
)
def test_display_formulas_can_be_scrolled_by_keyboard(text: str) -> None:
    shown = html(text)
    assert '<math tabindex="0" display="block">' in shown
    assert "<msup><mi>a</mi><mn>2</mn></msup>" in shown
    assert "label" not in shown


@pytest.mark.parametrize("environment", ["aligned", "align", "eqnarray", "gather", "multline", "dcases", "split"])
def test_environments_keep_their_rows(environment: str) -> None:
    shown = html(rf"$$\begin{{{environment}}} a &= b \\ c &= d \end{{{environment}}}$$")
    assert shown.count("<mtr>") == 2
    assert "&amp;" not in shown


@pytest.mark.parametrize("text", [r"\frac{a}{", r"\begin{array}", "{" * 1999, "x" * (FORMULA_CHARS + 1)])
def test_what_cannot_be_converted_is_shown_as_typed(text: str) -> None:
    assert f'<code class="tex">{text}</code>' in html(f"$${text}$$")


def test_prices_are_no_formulas() -> None:
    assert "<math" not in html("It costs 5$ here and 6$ there, or $5 and $6.")


def test_tables_can_be_scrolled_and_have_column_heads() -> None:
    shown = html("| a | b |\n|---|--:|\n| 1 | $x$ |")
    assert '<div class="scroll-x" tabindex="0" role="group" aria-label="Table 1"><table>' in shown
    assert '<th scope="col" class="r">b</th>' in shown
    assert '<td class="r"><math' in shown
    assert "<mi>x</mi>" in shown


def test_a_head_of_a_table_says_something() -> None:
    shown = html("|  | $d_k$ | size |\n|---|--:|---|\n| a | b | c |")
    assert "<td></td><th" in shown.replace("\n", "")
    assert '<th scope="col" class="r"><span class="vh">d_k</span><math' in shown
    assert '<th scope="col">size</th>' in shown
    assert "<td></td><th>a</th>" in html("<table><tr><th></th><th>a</th></tr></table>")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("它*可以*做到", '它<em class="cjk dots">可以</em>做到'),
        ("在*Transformer*中", "在<em>Transformer</em>中"),
        ("*何恺明，2016。*", '<em class="cjk">何恺明，2016。</em>'),
        ("这是**“重点”**的话", "这是<strong>“重点”</strong>的话"),
        ("注意：*第一点。*第二点", '注意：<em class="cjk dots">第一点。</em>第二点'),
        ("two * three * four", "two * three * four"),
    ],
)
def test_emphasis_in_chinese_is_on_its_words_alone(text: str, shown: str) -> None:
    assert html(text).strip() == f"<p>{shown}</p>"


def test_a_table_in_html_stays_a_table() -> None:
    shown = html('<table><tr><td colspan="2" onclick="x()">a<sub>1</sub></td></tr></table>')
    assert '<td colspan="2">a<sub>1</sub></td>' in shown


def test_other_html_is_shown_as_text() -> None:
    assert "&lt;div class=&quot;dock&quot;&gt;" in html('a <div class="dock"> b').replace('"', "&quot;")


def test_code_is_coloured_and_can_be_copied() -> None:
    shown = html("```python\ndef f(): pass\n```")
    assert '<span class="k">def</span>' in shown
    assert "data-copy" in shown


def test_a_diagram_is_kept_as_text_for_the_script() -> None:
    rendered = render("```mermaid\ngraph TD; A-->B\n```")
    assert rendered.diagrams == 1
    assert "graph TD; A--&gt;B" in rendered.html


def test_pictures_of_the_library_are_shown_and_others_are_named() -> None:
    shown = html("![A plot](images/a.png) ![](images/b.png) ![Far](https://example.org/x.png)")
    assert '<img src="/asset/a.png" alt="A plot" loading="lazy">' in shown
    assert 'alt="Figure 2"' in shown
    assert "Picture not in this library: Far" in shown
    assert "example.org" not in shown


def test_footnotes_link_both_ways_and_keep_two_texts_apart() -> None:
    rendered = render("a[^n]\n\n[^n]: note", prefix="b")
    assert 'href="#fn-b-1"' in rendered.html
    assert 'id="fn-b-1"' in rendered.html


def test_task_lists_show_their_boxes() -> None:
    shown = html("- [ ] open\n- [x] done")
    assert "☐ open" in shown
    assert "☑ done" in shown


def test_a_very_long_text_is_cut_and_says_so() -> None:
    rendered = render("word " * (limits.MARKDOWN_CHARS // 5 + 1))
    assert rendered.cut
    assert rendered.words == limits.MARKDOWN_CHARS // 5


def test_a_formula_without_an_end_stays_text() -> None:
    assert html(r"An open \(x + 1 and more") == "<p>An open (x + 1 and more</p>\n"


def test_a_formula_in_a_link_is_converted() -> None:
    assert ">a link with <math" in html(r"[a link with \(x\)](https://example.org)")


def test_formulas_beyond_the_limit_stay_as_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "FORMULAS", 1)
    assert html("$a$ and $b$").count("<math") == 1


def test_the_mark_of_a_page_is_shown_and_other_remarks_are_not() -> None:
    shown = html("<!-- page 7 -->\n\nWords.\n\n<!-- image -->\n\nMore <!-- todo --> words.")
    assert '<div class="page-mark">p. 7</div>' in shown
    assert "image" not in shown
    assert "todo" not in shown
    assert "&lt;!-- a --&gt; b" in html("<!-- a --> b")
