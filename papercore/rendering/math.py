"""TeX formulas as MathML; what cannot be converted is shown as TeX."""

import re
import unicodedata
from functools import lru_cache
from html import escape, unescape

from latex2mathml import exceptions
from latex2mathml.converter import convert

# A longer formula is shown as TeX: converting 200,000 characters took 9 s.
FORMULA_CHARS = 2_000
# What the converter raises: a dozen exceptions without a common base, and some of Python's own.
_FAILURES: tuple[type[Exception], ...] = (
    *(value for value in vars(exceptions).values() if isinstance(value, type) and issubclass(value, Exception)),
    *(AttributeError, LookupError, RecursionError, StopIteration, TypeError, ValueError),
)
# Environments that the converter does not know, and a known one that looks the same.
_SIMILAR_ENVIRONMENT = {
    "aligned": "align*",
    "align": "align*",
    "alignat": "align*",
    "alignedat": "align*",
    "eqnarray": "align*",
    "flalign": "align*",
    "gather": "matrix",
    "gathered": "matrix",
    "multline": "matrix",
    "dcases": "cases",
    "rcases": "cases",
    "smallmatrix": "matrix",
}
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{([a-z]+)\*?\}((?<=at\})\s*\{\d+\})?")
_DROPPED = re.compile(r"\\(?:label|ref|eqref)\s*\{[^{}]*\}|\\(?:nonumber|notag|displaystyle\s*$)")
# Named delimiters, which the converter does not resolve after \\big and its variants.
_DELIMITERS = {"|": "‖", "Vert": "‖", "lVert": "‖", "rVert": "‖", "vert": "|", "lvert": "|", "rvert": "|"}
_DELIMITERS |= {"lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "langle": "⟨", "rangle": "⟩"}
_BIG = re.compile(r"(\\[bB]igg?[lrm]?)\s*\\(\||[A-Za-z]+)")
# Browsers support no mathvariant but normal, so the letter itself must carry the style.
_STYLED = re.compile(r'<(m[in]) mathvariant="([a-z-]+)">(&#x[0-9A-F]+;|[^<&])</\1>')
_STYLES = {"double-struck": "DOUBLE-STRUCK", "script": "SCRIPT", "fraktur": "FRAKTUR", "sans-serif": "SANS-SERIF"}
_STYLES |= {"bold": "BOLD", "italic": "ITALIC", "bold-italic": "BOLD ITALIC", "monospace": "MONOSPACE"}
_STYLES |= {"bold-fraktur": "BOLD FRAKTUR", "bold-script": "BOLD SCRIPT"}
# Names of functions, which need a space before what they are applied to, unless that is in brackets.
_FUNCTION_NAMES = "arccos|arcsin|arctan|arg|cosh?|coth?|csc|deg|dim|exp|hom|ker|lg|ln|log|sec|sinh?|tanh?"
_FUNCTION = re.compile(
    r"(?P<atom></m(?!o>)[a-z]+>)?(?P<scripts><m(?:sub|sup|subsup|under|underover)>)?"
    rf"<m(?:i>(?P<name>{_FUNCTION_NAMES})</mi|"
    r'o(?P<limits> movablelimits="true")?>(?P<word>(?!mod<)[A-Za-z]{2,})</mo)>'
    r"(?=(?P<closed>(?:<mrow>)?<mo|</)?)"
)
_THIN_SPACE = "0.167em"
_ESCAPED_IN_TEXT = re.compile(r"<mtext>[^<]*</mtext>")
# The converter escapes nothing, so angle brackets pass through it as these private-use characters.
_HIDDEN = {ord("<"): "\ue000", ord(">"): "\ue001", 0xE000: None, 0xE001: None}
_ENTITIES = {"\ue000": "&lt;", "\ue001": "&gt;"}
_BARE_AMPERSAND = re.compile(r"&(?!#?\w+;)")


def mathml(tex: str, display: bool) -> str:
    """The formula as <math>, or as <code class="tex">. The caller still has to clean its attributes."""
    text = tex.strip()
    if len(text) > FORMULA_CHARS:
        return as_typed(text)
    return _convert(text, display)


def as_typed(tex: str) -> str:
    return f'<code class="tex">{escape(tex)}</code>'


@lru_cache(maxsize=4096)
def _convert(tex: str, display: bool) -> str:
    known = _DROPPED.sub("", tex.translate(_HIDDEN))
    known = _BIG.sub(lambda big: big[1] + _DELIMITERS[big[2]] if big[2] in _DELIMITERS else big[0], known)
    known = _ENVIRONMENT.sub(_environment, known)
    try:
        math = str(convert(known, display="block" if display else "inline"))
    except _FAILURES:
        return as_typed(tex)
    # Infinity is a number, not an operator with space around it.
    math = math.replace("<mo>&#x0221E;</mo>", "<mi>&#x0221E;</mi>")
    for hidden, entity in _ENTITIES.items():
        math = math.replace(f"<mi>{hidden}</mi>", f"<mo>{entity}</mo>").replace(hidden, entity)
    math = _FUNCTION.sub(_function, math)
    math = _STYLED.sub(_styled, _BARE_AMPERSAND.sub("&amp;", math))
    math = _ESCAPED_IN_TEXT.sub(lambda text: re.sub(r"\\([#%_$])", r"\1", text[0]), math)
    return math.replace("<math ", '<math tabindex="0" ', 1) if display else math


def _environment(match: re.Match[str]) -> str:
    command, name = match[1], match[2]
    if name in ("equation", "displaymath", "math"):
        return "{" if command == "begin" else "}"
    return rf"\{command}{{{_SIMILAR_ENVIRONMENT[name]}}}" if name in _SIMILAR_ENVIRONMENT else match[0]


def _function(match: re.Match[str]) -> str:
    """A name of a function as an operator with the spaces of TeX: exp s, but exp(s)."""
    before = _THIN_SPACE if match["atom"] else "0"
    after = "0" if match["closed"] and not match["scripts"] else _THIN_SPACE
    opening = f'<mo{match["limits"] or ""} lspace="{before}" rspace="{after}">'
    return f"{match['atom'] or ''}{match['scripts'] or ''}{opening}{match['name'] or match['word']}</mo>"


def _styled(match: re.Match[str]) -> str:
    """A letter in the style of its variant, where Unicode has it: ℝ, 𝔤, 𝜶."""
    element, variant, letter = match[1], match[2], unescape(match[3])
    style = _STYLES.get(variant)
    name = unicodedata.name(letter, "").replace(" LETTER", "").removeprefix("LATIN ").removeprefix("GREEK ")
    plain = f"{style} {name}"
    for candidate in (f"MATHEMATICAL {plain}", plain, plain.replace("FRAKTUR", "BLACK-LETTER")):
        try:
            return f"<{element}>{unicodedata.lookup(candidate)}</{element}>"
        except KeyError:
            continue
    return match[0]
