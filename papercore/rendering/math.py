"""TeX formulas as MathML; what cannot be converted is shown as it was typed."""

import re
import unicodedata
from functools import lru_cache
from html import escape, unescape

from latex2mathml import exceptions
from latex2mathml.converter import convert

from papercore import limits

# What the converter raises: a dozen exceptions without a common base, and Python's own for the rest.
_FAILURES: tuple[type[Exception], ...] = (
    *(one for one in vars(exceptions).values() if isinstance(one, type) and issubclass(one, Exception)),
    *(AttributeError, LookupError, RecursionError, StopIteration, TypeError, ValueError),
)
# Environments that the converter does not know, by the one it knows that looks the same.
_SAME = {
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
# Delimiters by name, which the converter leaves as they are behind \\big and its kin.
_DELIMITERS = {"|": "‖", "Vert": "‖", "lVert": "‖", "rVert": "‖", "vert": "|", "lvert": "|", "rvert": "|"}
_DELIMITERS |= {"lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "langle": "⟨", "rangle": "⟩"}
_BIG = re.compile(r"(\\[bB]igg?[lrm]?)\s*\\(\||[A-Za-z]+)")
# Browsers know no mathvariant but normal: the letter itself must carry the style.
_STYLED = re.compile(r'<(m[in]) mathvariant="([a-z-]+)">(&#x[0-9A-F]+;|[^<&])</\1>')
_STYLES = {"double-struck": "DOUBLE-STRUCK", "script": "SCRIPT", "fraktur": "FRAKTUR", "sans-serif": "SANS-SERIF"}
_STYLES |= {"bold": "BOLD", "italic": "ITALIC", "bold-italic": "BOLD ITALIC", "monospace": "MONOSPACE"}
_STYLES |= {"bold-fraktur": "BOLD FRAKTUR", "bold-script": "BOLD SCRIPT"}
_ESCAPED_IN_TEXT = re.compile(r"<mtext>[^<]*</mtext>")
# The converter escapes nothing: angle brackets pass through it as these two characters of private use.
_HIDDEN = {ord("<"): "\ue000", ord(">"): "\ue001", 0xE000: None, 0xE001: None}
_SHOWN = {"\ue000": "&lt;", "\ue001": "&gt;"}
_BARE_AMPERSAND = re.compile(r"&(?!#?\w+;)")


def mathml(tex: str, display: bool) -> str:
    """The formula as <math>, or as <code class="tex">. Its attributes still have to be cleaned."""
    text = tex.strip()
    if len(text) > limits.FORMULA_CHARS:
        return as_typed(text)
    return _converted(text, display)


def as_typed(tex: str) -> str:
    return f'<code class="tex">{escape(tex)}</code>'


@lru_cache(maxsize=4096)
def _converted(tex: str, display: bool) -> str:
    try:
        math = str(convert(_known(tex.translate(_HIDDEN)), display="block" if display else "inline"))
    except _FAILURES:
        return as_typed(tex)
    math = _STYLED.sub(_styled, _BARE_AMPERSAND.sub("&amp;", _shown(math)))
    math = _ESCAPED_IN_TEXT.sub(lambda text: re.sub(r"\\([#%_$])", r"\1", text[0]), math)
    return math.replace("<math ", '<math tabindex="0" ', 1) if display else math


def _shown(math: str) -> str:
    # Infinity is a number, not an operator with blanks around it.
    math = math.replace("<mo>&#x0221E;</mo>", "<mi>&#x0221E;</mi>")
    for hidden, entity in _SHOWN.items():
        math = math.replace(f"<mi>{hidden}</mi>", f"<mo>{entity}</mo>").replace(hidden, entity)
    return math


def _known(tex: str) -> str:
    """The same formula in environments and commands that the converter knows."""
    return _ENVIRONMENT.sub(_environment, _BIG.sub(_delimiter, _DROPPED.sub("", tex)))


def _delimiter(match: re.Match[str]) -> str:
    return match[1] + _DELIMITERS[match[2]] if match[2] in _DELIMITERS else match[0]


def _styled(match: re.Match[str]) -> str:
    """A letter in the style that its variant names, where Unicode has it: ℝ, 𝔤, 𝜶."""
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


def _environment(match: re.Match[str]) -> str:
    command, name = match[1], match[2]
    if name in ("equation", "displaymath", "math"):
        return "{" if command == "begin" else "}"
    return rf"\{command}{{{_SAME.get(name, name)}}}" if name in _SAME else match[0]
