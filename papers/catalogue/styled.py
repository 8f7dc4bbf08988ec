"""References in a citation style: how a work is cited in the text, and its entry in a bibliography.

The style is a file in the Citation Style Language (CSL); what citeproc-py writes wrongly is set right here. It needs no
library, so that a stranger's style can run in a process of its own.
"""

import html
import json
import re
from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from io import BytesIO
from string import ascii_lowercase

import nh3
from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, Locator, formatter
from citeproc.source.json import CiteProcJSON
from lxml import etree
from msgspec import Struct, to_builtins

from papercore.processes.children import Unanswerable
from papercore.text import has_cjk
from papers.catalogue.style_files import prepared_style

_TAGS = {"i", "b", "sup", "sub", "u"}
_TAG = re.compile(r"(</?(?:i|b|sup|sub|u)>)")
_MARKDOWN_SIGN = re.compile(r"[\\`*_\[\]<>|~]")
_IN_MARKDOWN = {"<i>": "*", "</i>": "*", "<b>": "**", "</b>": "**", "<u>": "", "</u>": ""}
_RAISED = str.maketrans("0123456789,–-", "⁰¹²³⁴⁵⁶⁷⁸⁹˒⁻⁻")
# Signs of HTML in texts, which citeproc-py escapes here and there, are hidden from it.
_HIDDEN = str.maketrans("<>&", "\ue000\ue001\ue002")
_SHOWN = str.maketrans({"\ue000": "&lt;", "\ue001": "&gt;", "\ue002": "&amp;", "\ue003": "–"})

# What citeproc-py raises where a style is not as it expects.
_FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)

CslItem = Mapping[str, object]


class StyledReferences(Struct, frozen=True):
    """How each work is cited in the text, in the order asked for, and the bibliography in the style's order; as HTML
    without other tags than for italics, bold, and raised, lowered or underlined text."""

    in_text: tuple[str, ...]
    bibliography: tuple[str, ...]


class _YearWithSuffix(int):
    """A year that is sorted as a number and written with its letter."""

    suffix: str

    def __abs__(self) -> "_YearWithSuffix":
        return self

    def __int__(self) -> int:
        # citeproc-py keeps what it cannot make a plain number of.
        raise ValueError

    def __str__(self) -> str:
        return f"{self:d}{self.suffix}"


def answers(message: bytes) -> Generator[object]:
    """For a process of its own: a style, the items and the page, as JSON."""
    asked = json.loads(message)
    try:
        yield to_builtins(styled(asked["style"].encode(), asked["items"], asked["page"]))
    except (*_FAULTS, etree.LxmlError) as error:
        raise Unanswerable(str(error) if isinstance(error, Unanswerable) else "it is no style that works") from None


def styled(style: bytes, items: Sequence[CslItem], page: str = "") -> StyledReferences:
    """The items in the style; `page` is that of a quote. Works that would be cited alike are told apart."""
    prepared = prepared_style(style)
    works = [_work(number, item) for number, item in enumerate(items)]
    in_text, entries, order = _rendered(prepared.plain, works)
    alike = {text for text, times in Counter(in_text).items() if times > 1}
    if alike and prepared.adds_year_suffix:
        works = _with_suffixes(works, in_text, [int(key) for key in order])
        in_text, entries, order = _rendered(prepared.plain, works)
    elif alike and prepared.telling_apart != prepared.plain:
        longer, _, _ = _rendered(prepared.telling_apart, works)
        in_text = [longer[at] if text in alike else text for at, text in enumerate(in_text)]
    entries = [
        _with_doi_once(entry, str(works[int(key)].get("DOI", ""))) for entry, key in zip(entries, order, strict=True)
    ]
    if page:
        with_page, _, _ = _rendered(prepared.plain, works, page)
        pairs = zip(in_text, with_page, strict=True)
        # Some styles have no place for it; who quotes needs it all the same.
        in_text = [_with_page(plain, page) if text == plain else text for plain, text in pairs]
    if prepared.is_aligned:
        entries = [re.sub(r"^(\[?\d+[\].)]*)\s*", r"\1 ", entry) for entry in entries]
    return StyledReferences(tuple(in_text), tuple(entries))


def _with_doi_once(entry: str, doi: str) -> str:
    """Where a style writes it as a link and as a number, the first of the two."""
    if not doi:
        return entry
    written = re.compile(rf"(?:https?://doi\.org/|doi:\s?){re.escape(doi.translate(_SHOWN))}", re.IGNORECASE)
    first = written.search(entry)
    end = first.end() if first else len(entry)
    rest = written.sub("", entry[end:]).rstrip()
    return entry[:end] + rest.removesuffix(".").rstrip() + ("." if rest.endswith(".") else "")


def _with_page(in_text: str, page: str) -> str:
    number = html.escape("–".join(part.strip() for part in re.split("-+", page)), quote=False)
    said = f"pp. {number}" if re.search("[–,]", number) else f"p. {number}"
    return f"{in_text[:-1]}, {said})" if in_text.endswith(")") else f"{in_text} ({said})"


def as_text(reference: str) -> str:
    raised = re.sub(r"<sup>([\d,–-]+)</sup>", lambda found: found[1].translate(_RAISED), reference)
    return html.unescape(_TAG.sub("", raised))


def as_markdown(reference: str) -> str:
    parts = _TAG.split(reference)
    return "".join(
        _IN_MARKDOWN.get(part, part)
        if _TAG.fullmatch(part)
        else _MARKDOWN_SIGN.sub(lambda sign: f"\\{sign[0]}", html.unescape(part))
        for part in parts
    )


def _work(number: int, item: CslItem) -> dict[str, object]:
    """An item as citeproc-py takes it: without texts that no reference has, and with names as their script has them."""
    known = {name: value for name, value in item.items() if name not in ("abstract", "keyword", "note")}
    work: dict[str, object] = json.loads(json.dumps(known, ensure_ascii=False).translate(_HIDDEN))
    first, _, last = str(work.get("page", "")).partition("-")
    if len(first) < len(last):
        # Of 5-32 citeproc-py would leave 5-2.
        work["page"] = f"{first}\ue003{last}"
    for role in ("author", "editor"):
        if isinstance(names := work.get(role), list):
            # Chinese, Japanese and Korean names have no initials, and the family name comes first, without a comma.
            work[role] = [
                {"literal": name["family"] + name["given"]}
                if has_cjk(name.get("family", "")[:1]) and name.get("given")
                else name
                for name in names
            ]
    return work | {"id": str(number)}


def _with_suffixes(works: Sequence[CslItem], in_text: Sequence[str], order: Iterable[int]) -> list[dict[str, object]]:
    """Works that are cited alike get 2020a, 2020b, in the order of the bibliography."""
    times, letters = Counter(in_text), {text: iter(ascii_lowercase) for text in in_text}
    found = [dict(work) for work in works]
    for at in order:
        issued, text = found[at].get("issued"), in_text[at]
        if times[text] > 1 and isinstance(issued, dict) and (letter := next(letters[text], "")):
            year, *rest = issued["date-parts"][0]
            lettered = _YearWithSuffix(year)
            lettered.suffix = letter
            found[at]["issued"] = {"date-parts": [[lettered, *rest]]}
    return found


def _rendered(style: bytes, works: Sequence[CslItem], page: str = "") -> tuple[list[str], list[str], list[str]]:
    """The citations in the text, the bibliography, and the ids in its order."""
    read = CitationStylesStyle(BytesIO(style), validate=False)
    bibliography = CitationStylesBibliography(read, CiteProcJSON(works), formatter.html)
    # With a page, the entry would have it, too: so the bibliography is made of citations without one.
    for work in works:
        bibliography.register(Citation([CitationItem(work["id"])]))
    bibliography.sort()
    place = {"locator": Locator("page", page)} if page else {}
    cited = [Citation([CitationItem(work["id"], **place)]) for work in works]
    for citation in cited:
        citation.bibliography = bibliography
    in_text = [str(bibliography.cite(citation, lambda item: "")) for citation in cited]
    entries = [str(entry) for entry in bibliography.bibliography()]
    is_american = read.root.get("default-locale", "en-US") == "en-US"
    return (
        [_set_right(text, american=is_american) for text in in_text],
        [_set_right(text, american=is_american) for text in entries],
        list(bibliography.keys),
    )


def _set_right(reference: str, *, american: bool) -> str:
    """Quotation marks inside others are single; American styles set commas and full stops inside them."""
    depth, signs = 0, []
    for sign in nh3.clean(reference, tags=_TAGS, attributes={}):
        depth += (sign == "“") - (sign == "”" and depth > 0)
        inner = depth > 1 if sign == "“" else depth > 0
        signs.append({"“": "‘", "”": "’"}.get(sign, sign) if inner else sign)
    text = re.sub(r"\s+", " ", "".join(signs)).strip()
    if american:
        text = re.sub(r"((?:</i>)?[”’]{1,4})([.,])", r"\2\1", text)
        text = re.sub(r"([.,?!])\.(?=[”’])", r"\1", text)
    return re.sub(r"\.(</i>)?\.(?!\.)", r".\1", text).translate(_SHOWN)
