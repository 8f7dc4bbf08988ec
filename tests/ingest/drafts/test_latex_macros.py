"""Macros that a draft defines itself, units, what is switched off, and chapters that are not there."""

from itertools import pairwise
from pathlib import Path

import pytest

from ingest.drafts.latex_macros import macros_defined, without_switched_off, written_out
from ingest.drafts.manuscript import Manuscript
from ingest.drafts.reading import read_draft
from tests.growth import grows_too_fast

DEFINED = r"""\newcommand{\corp}{Yahoo}
\renewcommand*\score[2][BLEU]{#2~#1}
\def\twice#1{#1 and #1}
\newcommand{\whole}{all of \corp}
"""


def read(folder: Path, text: str) -> Manuscript:
    (folder / "main.tex").write_text(text, encoding="utf-8")
    return read_draft(folder / "main.tex")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (r"Written at \corp{} by 2004.", "Written at Yahoo by 2004."),
        (r"It scores \score{29.4} and \score[F1]{91}.", "It scores 29.4 BLEU and 91 F1."),
        (r"They are \twice{old} at \whole.", "They are old and old at all of Yahoo."),
        (r"It scores \SI{29.4}{BLEU}, \qty{3,5}{\kilo\gram}, \num{1000}.", "It scores 29.4 BLEU, 3.5 kg, 1000."),
        ("It is\n\\twice{\nold}\nhere.", "It is old and old here."),
    ],
)
def test_own_macros_and_measures_are_read_as_what_they_say(tmp_path: Path, written: str, said: str) -> None:
    sentence = read(tmp_path, f"{DEFINED}\\begin{{document}}\n{written}\n\nThe end.\n\\end{{document}}")
    first, last = sentence.sentences
    assert (first.claim.replace("\xa0", " "), first.has_gap) == (said, False)
    assert last.place == 8 + written.count("\n")


@pytest.mark.parametrize(
    "command", [r"\corp{}", r"\gls{yahoo}", r"\SI{about 3}{m}", r"\num{3e5}", r"\qty{3}{\furlong}"]
)
def test_a_command_for_words_that_nobody_knows_leaves_a_gap(tmp_path: Path, command: str) -> None:
    first, last = read(
        tmp_path, f"Written at {command} by 2004. The \\textbf{{end}} is near\\footnote{{So}}."
    ).sentences
    assert (first.has_gap, last.has_gap) == (True, False)


def test_macros_of_a_file_that_the_preamble_reads_are_known(tmp_path: Path) -> None:
    (tmp_path / "own.sty").write_text(DEFINED, encoding="utf-8")
    found = read(tmp_path, "\\usepackage{natbib, own}\n\\begin{document}At \\corp.\\end{document}")
    assert [sentence.claim for sentence in found.sentences] == ["At Yahoo."]


def test_what_is_switched_off_is_no_text_and_cites_nothing(tmp_path: Path) -> None:
    text = (
        "One.\n\\iffalse Not \\cite{a} \\ifx\\a\\b x\\fi\nthis.\\fi\n\\begin{comment}\nNor \\cite{b}.\n\\end{comment}\n"
        "% \\iffalse\n\nTwo \\cite{c}. \\iffalse no \\else Three.\\fi"
    )
    found = read(tmp_path, text)
    assert [sentence.claim for sentence in found.sentences] == ["One.", "Two.", "Three."]
    assert [(sentence.keys, sentence.place) for sentence in found.sentences if sentence.keys] == [(("c",), 9)]


def test_a_chapter_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert read(tmp_path, "Words. \\include{chapters/lost}").note == "chapters/lost is not there, so it was not read."


def test_macros_that_call_themselves_or_grow_end() -> None:
    growing = "".join(f"\\def\\{name}{{\\{after}\\{after}\\{after}}}" for name, after in pairwise("abcdefghi"))
    source = f"\\def\\x{{\\x\\x}}{growing} \\x \\a"
    assert len(written_out(source, macros_defined(source), 5_000)) <= 5_000
    assert without_switched_off("a \\iffalse b") == "a "


def test_time_grows_with_the_length_of_a_source() -> None:
    def act(source: str) -> None:
        written_out(without_switched_off(source), macros_defined(source), 10**7)

    part = DEFINED + "\\iffalse x \\fi \\corp{} \\newcommand{\\y}{z} \\twice{{a}} \\twice{"
    assert not grows_too_fast(act, lambda size: part * size, 20)
