"""Reads a draft in LaTeX: its words without commands, comments and displayed formulas, and every variant of \\cite."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path

from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latex2text import get_default_latex_context_db as default_words
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

from ingest.drafts.latex_macros import LatexMacro, macros_defined, without_switched_off, written_out
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
_READ_BEFORE = re.compile(r"\\(input|include|usepackage|RequirePackage)(?:\[[^][]{0,500}\])?\{([^{}]{1,1000})\}")
_SECTIONS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "title")
# What is said before and after the words of a command.
_AROUND = {"enquote": ("“", "”"), "footnote": (" (", ")"), "caption": ("", "")}
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
# Layout: they stand for no word.
_WORDLESS = frozenset(
    r"""noindent indent par centering raggedright raggedleft tiny scriptsize footnotesize small normalsize large Large
    LARGE huge Huge newpage clearpage cleardoublepage pagebreak nopagebreak linebreak newline smallskip medskip bigskip
    hfill vfill tableofcontents listoffigures listoftables bf it em sc tt rm sl sf bfseries itshape scshape ttfamily
    sffamily rmfamily mdseries upshape slshape normalfont protect xspace appendix frontmatter mainmatter backmatter left
    right big Big bigl bigr Bigl Bigr displaystyle textstyle limits nolimits footnotemark printbibliography maketitle
    onehalfspacing doublespacing singlespacing sloppy allowbreak break relax ignorespaces unskip phantomsection qed
    qedhere FloatBarrier balance toprule midrule bottomrule hline bibitem operatorname mbox hbox uppercase
    MakeUppercase nolinkurl path textnormal centerline thanks vskip hskip / @ ( ) [ ] and else fi""".split()  # noqa: SIM905
)
_SIUNITX = {"SI": "[{[{", "qty": "[{{", "num": "[{", "si": "[{", "unit": "[{"}
_UNITS = {"percent": "%", "per": "/", "squared": "²", "cubed": "³", "meter": "m", "metre": "m", "second": "s"}
_UNITS |= {"gram": "g", "liter": "l", "litre": "l", "hertz": "Hz", "watt": "W", "volt": "V", "kelvin": "K", "byte": "B"}
_UNITS |= {
    "hour": "h",
    "minute": "min",
    "day": "day",
    "celsius": "°C",
    "degreeCelsius": "°C",
    "joule": "J",
    "mole": "mol",
}
_UNITS |= {"kilo": "k", "mega": "M", "giga": "G", "tera": "T", "centi": "c", "milli": "m", "micro": "µ", "nano": "n"}
_KNOWN_WORDS = default_words()
_FILES = 100


class LatexReader:
    """Collects the words of a file and of those that it includes from its folder."""

    def __init__(self, collected: CollectedText, folder: Path) -> None:
        self._collected = collected
        self._folder = folder
        self._plain = LatexNodes2Text(keep_comments=False)
        self._opened: list[Path] = []
        self._macros: dict[str, LatexMacro] = {}
        self._file = ""
        self._line_ends: list[int] = []

    def read(self, path: Path) -> None:
        if path in self._opened or len(self._opened) >= _FILES:
            return
        self._opened.append(path)
        outer = self._file, self._line_ends
        source = without_switched_off(self._source(path))
        self._define(source)
        self._file = str(path.relative_to(self._folder))
        for names in _BIBLIOGRAPHY.findall(_COMMENT.sub("", source)):
            self._collected.bibliographies += [f"{name.strip().removesuffix('.bib')}.bib" for name in names.split(",")]
        source = _MANY.sub(_as_one, written_out(source, self._macros, 2 * limits.DRAFT_CHARS))
        self._line_ends = [match.start() for match in re.finditer("\n", source)]
        context = get_default_latex_context_db()
        citing = [MacroSpec(name, "*[[{") for name in sorted(set(_CITING.findall(source)))]
        plain = [MacroSpec(name, "{") for name in _TAKES_WORDS]
        units = [MacroSpec(name, arguments) for name, arguments in _SIUNITX.items()]
        context.add_context_category("draft", macros=[*citing, *plain, *units], prepend=True)
        nodes = LatexWalker(source, latex_context=context, tolerant_parsing=True).get_latex_nodes()[0]
        body = [node for node in nodes if getattr(node, "environmentname", "") == "document"]
        self._nodes(body or nodes)
        self._file, self._line_ends = outer

    def _source(self, path: Path) -> str:
        source = decode_file(path.read_bytes())[0]
        if len(source) > limits.DRAFT_CHARS:
            raise Unanswerable(f"it has more than {limits.DRAFT_CHARS:,} characters")
        return source

    def _define(self, source: str) -> None:
        """The macros of a file, and of what its preamble reads from the draft's folder."""
        preamble = _COMMENT.sub("", source.partition("\\begin{document}")[0])
        for kind, names in _READ_BEFORE.findall(preamble):
            for name in names.split(",")[:_FILES]:
                path = self._found(name.strip(), ".sty" if kind in ("usepackage", "RequirePackage") else ".tex")
                if path and path not in self._opened:
                    self._macros |= macros_defined(without_switched_off(self._source(path)))
        self._macros |= macros_defined(source)
        kept = {"cite", *_SILENT, *_SECTIONS, *_OPENS_FILE}
        self._macros = {
            name: macro
            for name, macro in self._macros.items()
            if name not in kept and not _CITING.fullmatch(f"\\{name}")
        }

    def _nodes(self, nodes: Sequence[LatexNode | None]) -> None:
        for node in nodes:
            if node is None or isinstance(node, LatexCommentNode):
                continue
            if isinstance(node, LatexCharsNode):
                self._collected.add(node.chars, self._line(node), self._file)
            elif isinstance(node, LatexGroupNode):
                self._nodes(node.nodelist)
            elif isinstance(node, LatexMathNode):
                self._say(" ", node) if node.displaytype == "display" else self._say_known(node)
            elif isinstance(node, LatexEnvironmentNode):
                self._environment(node)
            elif isinstance(node, LatexMacroNode):
                self._command(node)
            else:
                self._say_known(node)

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
        elif name == "item":
            self._collected.add("\n\n", self._line(node), self._file)
        elif name in _AROUND:
            before, after = _AROUND[name]
            self._say(before, node)
            self._nodes(content)
            self._say(after, node)
        elif name in _SIUNITX:
            self._measure(name, [found.latex_verbatim().strip("{}") for found in groups], node)
        elif groups and name.startswith(("text", "emph", "under", "mbox")):
            self._nodes(content)
        elif name not in _SILENT and name not in _NOT_CITING and name not in _WORDLESS:
            self._say_known(node)

    def _cite_aside(self, written: str, node: LatexNode) -> None:
        if keys := _keys(written):
            self._collected.cited_aside.append(CitedAside(keys, self._line(node), self._file))

    def _include(self, name: str) -> None:
        """A file below the draft's folder; of one that is not there, or elsewhere, a note says so."""
        path = self._found(name, ".tex")
        if path and len(self._opened) < _FILES:
            self._collected.add("\n\n", 1, self._file)
            self.read(path)
        elif not path:
            self._collected.notes.append(f"{name or 'a file without a name'} is not there, so it was not read")

    def _found(self, name: str, ending: str) -> Path | None:
        for path in (self._folder / f"{name}{ending}", self._folder / name):
            if name and path.resolve().is_relative_to(self._folder.resolve()) and path.is_file():
                return path
        return None

    def _measure(self, name: str, written: Sequence[str], node: LatexNode) -> None:
        """`\\SI{29.4}{BLEU}` as 29.4 BLEU; a number or unit that is written otherwise is not known."""
        number = written[0].replace(" ", "") if name not in ("si", "unit") else ""
        units = "".join(written if not number else written[1:])
        named = re.findall(r"\\([A-Za-z]+)", units)
        known = all(unit in _UNITS for unit in named) and re.fullmatch(r"(?:[+-]?\d+(?:[.,]\d+)?)?", number)
        if known:
            unit = re.sub(r"\\([A-Za-z]+)\s{0,9}", lambda found: _UNITS[found[1]], units)
            self._say(f"{number.replace(',', '.')} {unit}".strip(), node)
        else:
            self._collected.add_gap(node.latex_verbatim(), self._line(node), self._file)

    def _words(self, nodes: Sequence[LatexNode]) -> str:
        """On one line, with the blanks at either end."""
        text = str(self._plain.nodelist_to_text(list(nodes)))
        blanks = " " if text[:1].isspace() else "", " " if text[-1:].isspace() and text.strip() else ""
        return f"{blanks[0]}{one_line(text)}{blanks[1]}"

    def _has_unknown(self, nodes: Sequence[LatexNode | None]) -> bool:
        """Whether a command stands for words that nobody can know."""
        for node in nodes:
            if isinstance(node, LatexMacroNode):
                name = str(node.macroname)
                spec = _KNOWN_WORDS.get_macro_spec(name)
                is_known = (
                    getattr(spec, "macroname", "") or name in _WORDLESS or name in _SILENT or name in _TAKES_WORDS
                )
                if not is_known:
                    return True
            inner = [*(getattr(node, "nodelist", None) or ())]
            arguments = getattr(node, "nodeargd", None)
            if self._has_unknown([*inner, *((arguments.argnlist if arguments else None) or ())]):
                return True
        return False

    def _say_known(self, node: LatexNode) -> None:
        if self._has_unknown([node]):
            self._collected.add_gap(one_line(node.latex_verbatim()), self._line(node), self._file)
        else:
            self._say(self._words([node]), node)

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
