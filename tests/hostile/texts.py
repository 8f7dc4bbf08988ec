"""Hostile bibliographies: BibTeX, RIS, MEDLINE and JSON."""

import json
from collections.abc import Callable

Makers = dict[str, Callable[[], bytes]]
_SIZES = (100, 10_000, 1_000_000)
# What may stand wherever text is expected.
_VALUES: dict[str, bytes] = {
    "nul": b"a\0b" * 1000,
    "bad utf-8": b"\xff\xfe\xfd\xc0\xaf" * 1000,
    "surrogates": b"\xed\xa0\x80" * 1000,
    "controls": bytes(range(1, 32)) * 100,
    "right to left": "\u202e\u200f\u2066".encode() * 1000,
    "combining": "a\u0301\u0302".encode() * 50_000,
    "markup": b"<script>alert(1)</script>" * 1000,
    "formula": b"$" * 50_001,
    "blanks": b" " * 2_000_000 + b"x",
    "digits": b"9" * 100_000,
    "one long word": b"x" * 5_000_000,
    "path": b"../../../../etc/passwd",
    "doi": b"10.1000/" + b"(" * 100_000,
    "names": b" and ".join([b"Ames, Ada"] * 50_000),
}


def bib() -> Makers:
    parts = {
        "open braces": b"{",
        "closed braces": b"}",
        "accents": b"{\\'e}",
        "commands": b"\\textbf{",
        "quotes": b'"',
        "at": b"@",
        "comments": b"@comment{",
        "strings": b"@string{a = ",
        "joined": b'" # "',
        "percent": b"%\n",
        "backslashes": b"\\",
    }
    made: Makers = {
        f"{name} {size:,}": lambda part=part, size=size: b"@article{a, title={" + part * (size // len(part))  # type: ignore[misc]
        for name, part in parts.items()
        for size in _SIZES
    }
    made |= {name: lambda value=value: b"@article{a, title={" + value + b"}}" for name, value in _VALUES.items()}  # type: ignore[misc]
    made["doubling"] = lambda: (
        b'@string{s0 = "ha"}\n'
        + b"".join(b"@string{s%d = s%d # s%d}\n" % (n, n - 1, n - 1) for n in range(1, 60))
        + b"@article{a, title=s59}"
    )
    made["itself"] = lambda: b"@string{a = a}\n@article{a, title=a, crossref={a}}"
    made["many"] = lambda: b"".join(b"@misc{k%d, title={T %d}}\n" % (n, n) for n in range(5_000))
    made["one key"] = lambda: b"@misc{k, title={Same}}\n" * 5_000
    made["many fields"] = lambda: b"@misc{k, " + b"".join(b"f%d={x}," % n for n in range(100_000)) + b"}"
    made["linked file"] = lambda: b"@misc{k, title={T}, file={:/etc/passwd:PDF}}"
    return {f"bib: {name}.bib": make for name, make in made.items()}


def tagged() -> Makers:
    made: Makers = {}
    for name, value in _VALUES.items():
        made[f"ris: {name}.ris"] = lambda value=value: b"TY  - JOUR\nTI  - " + value + b"\nER  - \n"  # type: ignore[misc]
        made[f"nbib: {name}.nbib"] = lambda value=value: b"PMID- 1\nTI  - " + value + b"\n\n"  # type: ignore[misc]
    lines = {"types": b"TY  - JOUR\n", "ends": b"ER  - \n", "authors": b"AU  - A\n", "folded": b"      x\n"}
    for name, line in lines.items():
        for count in (1_000, 30_000):
            made[f"ris: {name} {count:,}.ris"] = lambda line=line, count=count: b"TY  - JOUR\n" + line * count  # type: ignore[misc]
            made[f"nbib: {name} {count:,}.nbib"] = lambda line=line, count=count: b"PMID- 1\n" + line * count  # type: ignore[misc]
    return made


def structured() -> Makers:
    paper = {"title": "Cats", "type": "article-journal"}
    fields = ("title", "author", "issued", "DOI", "abstract", "keyword", "id", "URL")
    wrong: dict[str, object] = {"null": None, "number": 10**400, "list": [[[[]]]], "object": {"a": {"b": {}}}}
    made: Makers = {
        f"{field} {kind}.json": lambda field=field, value=value: json.dumps([paper | {field: value}]).encode()  # type: ignore[misc]
        for field in fields
        for kind, value in wrong.items()
    }
    made |= {
        f"{name}.json": lambda value=value: b'[{"title": "' + value.replace(b'"', b"'") + b'"}]'  # type: ignore[misc]
        for name, value in _VALUES.items()
    }
    made |= {
        "deep lists.json": lambda: b"[" * 1_000_000,
        "deep objects.json": lambda: b'[{"a":' * 200_000,
        "closed deep.json": lambda: b"[" * 100_000 + b"]" * 100_000,
        "nan.json": lambda: b'[{"title": NaN, "issued": Infinity}]',
        "exponents.json": lambda: b'[{"title": "T", "issued": {"date-parts": [[1e999]]}}]',
        "escapes.json": lambda: b'[{"title": "' + b"\\ud800" * 100_000 + b'"}]',
        "many.json": lambda: b"[" + b",".join([b"{}"] * 30_000) + b"]",
        "nulls.json": lambda: b"[" + b"null," * 500_000 + b"null]",
        "cut.json": lambda: b'[{"title": "Cats"}, {"title": "Do',
        "one key.json": lambda: b"[{" + b'"title": "T",' * 100_000 + b'"title": "T"}]',
        "lines.jsonl": lambda: b'{"title": "T"}\n' * 5_000,
        "broken lines.jsonl": lambda: b'{"title": "T"}\n' + b'{"title": \n' * 50_000,
        "one line.jsonl": lambda: b'{"title": "T"}\n{"a": "' + b"x" * 10_000_000,
    }
    return {f"json: {name}": make for name, make in made.items()}
