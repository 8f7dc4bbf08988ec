"""Files in the Citation Style Language: those of the site, and any prepared for citeproc-py, which misreads some."""

from pathlib import Path

from lxml import etree
from msgspec import Struct

from papercore.processes.children import Unanswerable

STYLES = {
    "apa": ("APA", "apa"),
    "mla": ("MLA", "modern-language-association"),
    "chicago": ("Chicago", "chicago-author-date"),
    "ieee": ("IEEE", "ieee"),
    "nature": ("Nature", "nature"),
    "harvard": ("Harvard", "harvard-cite-them-right"),
    "vancouver": ("Vancouver", "nlm-citation-sequence"),
}
_FOLDER = Path(__file__).parent / "csl"
_CSL = "{http://purl.org/net/xbiblio/csl}"


class PreparedStyle(Struct, frozen=True):
    """A style without what citeproc-py misreads; `telling_apart` is the same with what tells two works apart."""

    plain: bytes
    telling_apart: bytes
    adds_year_suffix: bool
    is_aligned: bool


def style_file(style: str) -> bytes:
    return (_FOLDER / f"{STYLES[style][1]}.csl").read_bytes()


def prepared_style(style: bytes) -> PreparedStyle:
    """Raises Unanswerable where the file is no style, or none that stands alone."""
    if b"<!DOCTYPE" in style or b"<!ENTITY" in style:
        raise Unanswerable("a style with entities is not read")
    try:
        root = etree.fromstring(style, etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True))
    except etree.XMLSyntaxError as error:
        raise Unanswerable(f"it is no XML: {error}") from None
    if root.tag != f"{_CSL}style":
        raise Unanswerable("it is no CSL style")
    citation, bibliography = root.find(f"{_CSL}citation"), root.find(f"{_CSL}bibliography")
    if citation is None or bibliography is None:
        raise Unanswerable("it has no bibliography, or leads to another style")
    _give_initials_where_asked(root)
    _separate_parts_of_dates(root)
    telling_apart = etree.tostring(root)
    _drop_telling_apart(root)
    return PreparedStyle(
        etree.tostring(root),
        telling_apart,
        citation.get("disambiguate-add-year-suffix") == "true",
        bibliography.get("second-field-align") is not None,
    )


def _give_initials_where_asked(root: etree._Element) -> None:
    """`initialize="false"` is not known: each name says for itself whether it has initials."""
    mark = root.get("initialize-with")
    for name in root.iter(f"{_CSL}name"):
        if name.get("initialize") == "false":
            name.attrib.pop("initialize-with", None)
        elif mark is not None and name.get("initialize-with") is None:
            name.set("initialize-with", mark)
    if any(name.get("initialize") == "false" for name in root.iter(f"{_CSL}name")):
        root.attrib.pop("initialize-with", None)


def _separate_parts_of_dates(root: etree._Element) -> None:
    """The delimiter of a date is not known: each part after the first begins with it."""
    for date in root.iter(f"{_CSL}date"):
        for part in list(date)[1:] if date.get("delimiter") else ():
            part.set("prefix", f"{date.get('delimiter')}{part.get('prefix', '')}")


def _drop_telling_apart(root: etree._Element) -> None:
    """A condition on `disambiguate` is taken as met: what is there only to tell works apart goes."""
    for condition in list(root.iter(f"{_CSL}if", f"{_CSL}else-if")):
        if condition.get("disambiguate") != "true":
            continue
        choose = condition.getparent()
        assert choose is not None  # noqa: S101 (a condition is in a choose)
        choose.remove(condition)
        rest = list(choose)
        if rest and rest[0].tag == f"{_CSL}else-if":
            rest[0].tag = f"{_CSL}if"
        elif rest and rest[0].tag == f"{_CSL}else":
            parent = choose.getparent()
            assert parent is not None  # noqa: S101
            at = parent.index(choose)
            parent[at : at + 1] = list(rest[0])
        elif not rest:
            choose.getparent().remove(choose)
