"""The last step of rendering: it lets only these elements and attributes through."""

import nh3

_TEXT = "a abbr b blockquote br code del dd div dl dt em h2 h3 h4 h5 h6 hr i img kbd li ol p pre s section"
_TEXT += " span strong sub sup u ul"
_TABLE = "table caption thead tbody tfoot tr th td"
_FORM = "button input label"
_MATH = "math mrow mi mn mo mtext mspace ms mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup"
_MATH += " munder mover munderover mmultiscripts mprescripts mtable mtr mtd menclose"
_MATH_ATTRIBUTES = "accent accentunder columnalign depth display displaystyle fence form height largeop"
_MATH_ATTRIBUTES += " linethickness lspace mathvariant maxsize minsize movablelimits notation rowspacing rspace"
_MATH_ATTRIBUTES += " scriptlevel separator stretchy symmetric tabindex voffset width"
_ATTRIBUTES = {
    "a": {"href", "title", "id", "class", "aria-label"},
    "button": {"class", "type", "data-copy"},
    "code": {"class"},
    "blockquote": {"id"},
    "em": {"class"},
    "div": {"id", "class", "tabindex", "role", "aria-label"},
    "img": {"src", "alt", "title", "loading"},
    "input": {"type", "checked", "disabled", "class"},
    "li": {"id", "class"},
    "ol": {"start", "class"},
    "p": {"id"},
    "pre": {"id", "class", "tabindex", "role", "aria-label"},
    "section": {"class", "role", "aria-label"},
    "span": {"class"},
    "sup": {"class"},
    "td": {"colspan", "rowspan", "class"},
    "th": {"colspan", "rowspan", "scope", "class"},
    "ul": {"class"},
}
_ATTRIBUTES |= {f"h{level}": {"id"} for level in range(2, 7)}
_ATTRIBUTES |= {name: set(_MATH_ATTRIBUTES.split()) for name in _MATH.split()}


def _relative(url: str) -> str | None:
    """Keep anchors and paths of this site; other relative URLs were relative to where the text came from."""
    own = url.startswith("#") or (url.startswith("/") and url[1:2] not in ("/", "\\"))
    return url if own else None


_cleaner = nh3.Cleaner(
    tags=set(f"{_TEXT} {_TABLE} {_FORM} {_MATH}".split()),
    attributes=_ATTRIBUTES,
    clean_content_tags={"script", "style"},
    url_schemes={"http", "https", "mailto", "doi"},
    link_rel="nofollow noopener noreferrer",
    url_relative=_relative,
)
# A table of raw HTML in a text may contain cells, and marks inside them.
_table_cleaner = nh3.Cleaner(
    tags=set(f"{_TABLE} b br em i strong sub sup u".split()),
    attributes={"td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"}},
    clean_content_tags={"script", "style"},
)


def clean(html: str) -> str:
    return str(_cleaner.clean(html))


def clean_table(html: str) -> str:
    return str(_table_cleaner.clean(html))
