"""Reads a draft in LaTeX: its words without commands, comments and displayed formulas, and every variant of \\cite."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path

from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import (
    LatexCharsNode,
    LatexCommentNode,
    LatexEnvironmentNode,
    LatexGroupNode,
    LatexMacroNode,
    LatexMathNode,
    LatexNode,
    LatexWalker,
    get_default_latex_context_db,
)
from pylatexenc.macrospec import MacroSpec

from ingest.drafts.manuscript import CitedAside, CollectedText
from ingest.reading.lines import decode_file
from papercore import limits
from papercore.processes.children import Unanswerable
from papercore.text import one_line

_CITING = re.compile(r"\\([A-Za-z]{0,20}[Cc]ite[A-Za-z]{0,20})")
_NOT_CITING = ("nocite", "citestyle", "setcitestyle", "citefield", "defcitealias")
# biblatex's \parencites[1]{a}[2]{b} cites as \parencites{a,b} does.
_MANY = re.compile(
    r"\\([A-Za-z]{0,20}[Cc]ites)((?:\([^()]{0,200}\)){0,2}"
    r"(?:(?:\[[^][]{0,200}\]){0,2}\{[^{}]{1,1000}\}\s{0,9}){2,30})"
)
_CITED_IN_TABLE = re.compile(
    r"\\(?!cite(?:style|field)|setcite|defcite)[A-Za-z]{0,20}[Cc]ite[A-Za-z]{0,20}\*?(?:\[[^][]{0,200}\]){0,2}\{([^{}]{1,1000})\}"
)
_TABLES = ("tabular", "longtable")
_GROUP = re.compile(r"\{([^{}]*)\}")
_COMMENT = re.compile(r"(?<!\\)%.*")
_BIBLIOGRAPHY = re.compile(r"\\(?:bibliography|addbibresource)(?:\[[^][]{0,200}\])?\{([^{}]{1,500})\}")
_SECTIONS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "title")
_OPENS_FILE = ("input", "include", "subfile")
_WITHOUT_WORDS = (
    *("equation", "align", "alignat", "gather", "multline", "eqnarray", "displaymath", "math", "flalign"),
    *("verbatim", "lstlisting", "minted", "tikzpicture", "tabular", "tabularx", "longtable", "thebibliography"),
)
# Commands whose argument is no part of the text.
_SILENT = (
    *("label", "ref", "eqref", "pageref", "autoref", "cref", "Cref", "usepackage", "documentclass", "bibliography"),
    *("bibliographystyle", "addbibresource", "includegraphics", "hspace", "vspace", "newcommand", "renewcommand"),
    *("setlength", "pagestyle", "url", "hypersetup", "graphicspath", "addtolength", "definecolor", "nocite"),
)
# Commands with an argument that pylatexenc does not know.
_TAKES_WORDS = (
    *("enquote", "subfile", "autoref", "cref", "Cref", "addbibresource", "bibliographystyle", "pagestyle"),
    *("graphicspath", "hypersetup", "nocite", "citestyle"),
)
_FILES = 100


class LatexReader:
    """Collects the words of a file and of those that it includes from its folder."""

    def __init__(self, collected: CollectedText, folder: Path) -> None:
        self._collected = collected
        self._folder = folder
        self._plain = LatexNodes2Text(keep_comments=False)
        self._opened: list[Path] = []
        self._file = ""
        self._line_ends: list[int] = []

    def read(self, path: Path) -> None:
        if path in self._opened or len(self._opened) >= _FILES:
            return
        self._opened.append(path)
        outer = self._file, self._line_ends
        source = decode_file(path.read_bytes())[0]
        if len(source) > limits.DRAFT_CHARS:
            raise Unanswerable(f"it has more than {limits.DRAFT_CHARS:,} characters")
        self._file = str(path.relative_to(self._folder))
        self._line_ends = [match.start() for match in re.finditer("\n", source)]
        for names in _BIBLIOGRAPHY.findall(_COMMENT.sub("", source)):
            self._collected.bibliographies += [f"{name.strip().removesuffix('.bib')}.bib" for name in names.split(",")]
        source = _MANY.sub(_as_one, source)
        context = get_default_latex_context_db()
        citing = [MacroSpec(name, "*[[{") for name in sorted(set(_CITING.findall(source)))]
        plain = [MacroSpec(name, "{") for name in _TAKES_WORDS]
        context.add_context_category("draft", macros=[*citing, *plain], prepend=True)
        nodes = LatexWalker(source, latex_context=context, tolerant_parsing=True).get_latex_nodes()[0]
        body = [node for node in nodes if getattr(node, "environmentname", "") == "document"]
        self._nodes(body or nodes)
        self._file, self._line_ends = outer

    def _nodes(self, nodes: Sequence[LatexNode | None]) -> None:
        for node in nodes:
            if node is None or isinstance(node, LatexCommentNode):
                continue
            if isinstance(node, LatexCharsNode):
                self._collected.add(node.chars, self._line(node), self._file)
            elif isinstance(node, LatexGroupNode):
                self._nodes(node.nodelist)
            elif isinstance(node, LatexMathNode):
                self._say(" " if node.displaytype == "display" else self._words([node]), node)
            elif isinstance(node, LatexEnvironmentNode):
                self._environment(node)
            elif isinstance(node, LatexMacroNode):
                self._command(node)
            else:
                self._say(self._words([node]), node)

    def _environment(self, node: LatexEnvironmentNode) -> None:
        name = node.environmentname.rstrip("*")
        if name not in _WITHOUT_WORDS:
            self._collected.add("\n\n", self._line(node), self._file)
            self._nodes(node.nodelist)
            self._collected.add("\n\n", self._line(node), self._file)
        elif name.startswith(_TABLES):
            for citing in _CITED_IN_TABLE.finditer(_COMMENT.sub("", node.latex_verbatim())):
                self._cite_aside(citing[1], node)

    def _command(self, node: LatexMacroNode) -> None:
        name = str(node.macroname)
        arguments = [found for found in (node.nodeargd.argnlist if node.nodeargd else None) or () if found is not None]
        groups = [found for found in arguments if isinstance(found, LatexGroupNode)]
        content = groups[-1].nodelist if groups else arguments
        # The last group of a file may have no end.
        written = groups[-1].latex_verbatim().removeprefix("{").removesuffix("}").strip() if groups else ""
        if _CITING.fullmatch(f"\\{name}") and name not in _NOT_CITING:
            keys = _keys(written)
            self._collected.cite(keys, f"[{'; '.join(keys)}]", self._line(node), self._file)
        elif name == "nocite":
            self._cite_aside(written, node)
        elif name in _OPENS_FILE:
            self._include(written)
        elif name in _SECTIONS:
            self._collected.head(self._words(content), self._line(node), self._file)
        elif name == "enquote":
            self._say("“", node)
            self._nodes(content)
            self._say("”", node)
        elif name == "item":
            self._collected.add("\n\n", self._line(node), self._file)
        elif name in ("footnote", "caption"):
            self._say(" (" if name == "footnote" else "", node)
            self._nodes(content)
            self._say(")" if name == "footnote" else "", node)
        elif groups and name.startswith(("text", "emph", "under", "mbox")):
            self._nodes(content)
        elif name not in _SILENT and name not in _NOT_CITING:
            self._say(self._words([node]), node)

    def _cite_aside(self, written: str, node: LatexNode) -> None:
        if keys := _keys(written):
            self._collected.cited_aside.append(CitedAside(keys, self._line(node), self._file))

    def _include(self, name: str) -> None:
        """A file below the draft's folder; one that is not there, or elsewhere, is left out."""
        for path in (self._folder / f"{name}.tex", self._folder / name):
            inside = path.resolve().is_relative_to(self._folder.resolve())
            if name and inside and path.is_file() and len(self._opened) < _FILES:
                self._collected.add("\n\n", 1, self._file)
                self.read(path)
                return

    def _words(self, nodes: Sequence[LatexNode]) -> str:
        """On one line, with the blanks at either end."""
        text = str(self._plain.nodelist_to_text(list(nodes)))
        blanks = " " if text[:1].isspace() else "", " " if text[-1:].isspace() and text.strip() else ""
        return f"{blanks[0]}{one_line(text)}{blanks[1]}"

    def _say(self, text: str, node: LatexNode) -> None:
        self._collected.add(text, self._line(node), self._file)

    def _line(self, node: LatexNode) -> int:
        return bisect_left(self._line_ends, node.pos) + 1


def _keys(written: str) -> tuple[str, ...]:
    """Without what follows a key whose brace was not closed."""
    keys = (re.split(r"[\s\\]", key.strip(), maxsplit=1)[0] for key in written.split(","))
    return tuple(key for key in keys if key not in ("", "*"))


def _as_one(citing: re.Match[str]) -> str:
    """On as many lines as before, and as long."""
    one = f"\\{citing[1]}{{{','.join(_GROUP.findall(citing[2]))}}}"
    lines = "%\n" * citing[0].count("\n")
    return f"{one}{' ' * (len(citing[0]) - len(one) - len(lines))}{lines}"
