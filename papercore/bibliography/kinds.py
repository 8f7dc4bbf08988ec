"""Kinds of publications: CSL's names for them, and what BibTeX and RIS call them."""

import re

# CSL's name, BibTeX's entry type, RIS's type. For a BibTeX or RIS name that comes twice, the first line counts.
_KINDS = (
    ("article-journal", "article", "JOUR"),
    ("article-magazine", "article", "MGZN"),
    ("article-newspaper", "article", "NEWS"),
    ("paper-conference", "inproceedings", "CPAPER"),
    ("chapter", "incollection", "CHAP"),
    ("book", "book", "BOOK"),
    ("thesis", "phdthesis", "THES"),
    ("report", "techreport", "RPRT"),
    ("webpage", "online", "ELEC"),
    ("post-weblog", "online", "BLOG"),
    ("dataset", "dataset", "DATA"),
    ("software", "software", "COMP"),
    ("patent", "patent", "PAT"),
    ("manuscript", "unpublished", "UNPB"),
    ("entry-encyclopedia", "inreference", "ENCYC"),
    ("entry-dictionary", "inreference", "DICT"),
    ("document", "misc", "GEN"),
    ("article", "misc", "GEN"),
)
_BIBTEX_NAMES = {csl: bibtex for csl, bibtex, _ in _KINDS}
_RIS_NAMES = {csl: ris for csl, _, ris in _KINDS}
_OF_BIBTEX = {bibtex: csl for csl, bibtex, _ in reversed(_KINDS)} | {
    "conference": "paper-conference",
    "inbook": "chapter",
    "mvbook": "book",
    "collection": "book",
    "proceedings": "book",
    "mastersthesis": "thesis",
    "thesis": "thesis",
    "report": "report",
    "manual": "report",
    "electronic": "webpage",
    "www": "webpage",
}
_OF_RIS = {ris: csl for csl, _, ris in reversed(_KINDS)} | {
    "CONF": "paper-conference",
    "EJOUR": "article-journal",
    "JFULL": "article-journal",
    "ABST": "article-journal",
    "INPR": "article-journal",
    "EDBOOK": "book",
    "EBOOK": "book",
    "ECHAP": "chapter",
    "WEB": "webpage",
}
# Kinds whose number is that of the work itself; for others it is the issue of the volume.
NUMBERED_KINDS = frozenset(("article", "report", "patent", "thesis", "manuscript", "dataset", "software", "webpage"))
_KIND_NAME = re.compile(r"[a-z]+(?:[-_][a-z]+)*")


def kind_of_csl(name: str) -> str:
    return name if _KIND_NAME.fullmatch(name) else ""


def bibtex_type(kind: str) -> str:
    return _BIBTEX_NAMES.get(kind, "misc")


def ris_type(kind: str) -> str:
    return _RIS_NAMES.get(kind, "GEN")


def bibtex_subtype(kind: str) -> str:
    """What a BibTeX entry must say beside its type for its kind to be read back; mostly nothing."""
    return kind if kind != kind_of_bibtex(bibtex_type(kind)) else ""


def kind_of_bibtex(entry_type: str, subtype: str = "") -> str:
    """The kind of an entry; empty where `misc` or an unknown type says nothing."""
    entry_type = entry_type.lower()
    if kind_of_csl(subtype) and bibtex_type(subtype) == entry_type:
        return subtype
    if entry_type == "article" and f"article-{subtype}" in _BIBTEX_NAMES:
        return f"article-{subtype}"
    return "" if entry_type == "misc" else _OF_BIBTEX.get(entry_type, "")


def kind_of_ris(name: str) -> str:
    return _OF_RIS.get(name.upper(), "")
