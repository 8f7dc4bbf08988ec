"""Whatever a text holds, its HTML holds no script, no handler, no foreign address, no style."""

from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papercore.rendering import render

PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<img src="javascript:alert(1)">',
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<table><tr><td><script>alert(1)</script><img src=x onerror=alert(1)></td></tr></table>",
    "<table background='javascript:alert(1)'><td style='background:url(//evil)'>x",
    "<iframe src=//evil></iframe>",
    "<style>*{display:none}</style>",
    "<base href=//evil><link rel=stylesheet href=//evil>",
    "<a href='javascript:alert(1)'>x</a>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java&#10;script:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](vbscript:msgbox)",
    "<javascript:alert(1)>",
    '[x](https://a.b "onmouseover=alert(1)")',
    '![x" onerror="alert(1)](images/a.png)',
    '![x](images/a.png" onerror="alert(1))',
    "![x](//evil/x.png)",
    r"$\href{javascript:alert(1)}{x}$",
    r"$\style{position:fixed;inset:0}{x}$",
    r"$\text{</mtext></math><img src=x onerror=alert(1)>}$",
    r'$\color{red" onclick="alert(1)}{x}$',
    r"$\class{dock}{x}$",
    r"$$\begin{array}{<script>}a\end{array}$$",
    "```<script>\nx\n```",
    '```x" onclick="alert(1)\nx\n```',
    "```mermaid\n%%{init: {'securityLevel':'loose'}}%%\ngraph TD; A[<img src=x onerror=alert(1)>]\n```",
    "# <script>alert(1)</script>",
    '# x" onclick="alert(1)',
    "[^<script>]: x\n\na[^<script>]",
    "<sup onclick=alert(1)>x</sup>",
    "\u202e<b>evil</b>\u2066",
    "<!--><script>alert(1)</script>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "\0<script>alert(1)</script>",
    "[x]: javascript:alert(1)\n\n[x]",
    "<form action=//evil><input name=q><button>Go</button></form>",
]


class Fence(HTMLParser):
    """Collects what must not be there."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"script", "style", "iframe", "svg", "object", "embed", "base", "link", "form", "meta"}:
            self.faults.append(tag)
        for name, value in attrs:
            self._check(tag, name, (value or "").strip().lower())

    def _check(self, tag: str, name: str, value: str) -> None:
        if name.startswith("on") or name in ("style", "background", "formaction"):
            self.faults.append(f"{tag} {name}")
        if name == "src" and not value.startswith("/asset/"):
            self.faults.append(f"{tag} {name}={value}")
        if name == "href" and not value.startswith(("#", "http", "mailto:", "doi:", "/")):
            self.faults.append(f"{tag} {name}={value}")


def faults(text: str) -> list[str]:
    fence = Fence()
    fence.feed(render(text, pictures="/asset/").html)
    fence.close()
    return fence.faults


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_text_stays_text(payload: str) -> None:
    assert faults(payload) == []


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_text_cannot_swallow_what_follows(payload: str) -> None:
    shown = render(f"{payload}\n\nafter the payload").html
    assert "<p>after the payload</p>" in shown


PIECES = st.sampled_from(
    [*PAYLOADS, "$", "$$", "`", "|", "\n", "\n\n", "<", ">", "&", '"', r"\(", r"\)", "[", "](", ")"]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, max_size=12))
def test_payloads_in_any_order_stay_text(pieces: list[str]) -> None:
    assert faults("".join(pieces)) == []


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_any_text_renders(text: str) -> None:
    assert faults(text) == []
