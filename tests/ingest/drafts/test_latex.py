"""A draft in LaTeX: what is prose, what is cited, and where."""

from contextlib import suppress
from pathlib import Path

import pytest

from ingest.drafts.manuscript import Manuscript
from ingest.drafts.reading import UnreadableDraft, read_draft
from papercore import limits

MAIN = r"""\documentclass{article}
\usepackage{natbib}
\addbibresource{refs.bib} % \addbibresource{old.bib}
\newcommand{\model}[1]{\cite{#1}}
\begin{document}
\section{Attention}
Attention helps~\citep[see][p.~3]{vaswani2017, bahdanau2015}. Others disagree \citet*{jain2019}. % \cite{never}
It costs $O(n^2)$ steps \parencites[1]{child2019}[2]{kitaev2020}.
\begin{equation} E = mc^2 \cite{inmath} \end{equation}
They write ``all you need''~\cite{vaswani2017} and \enquote{not an explanation at all} \autocite{jain2019}.

\input{chapters/memory}
\input{../outside}
\bibliography{refs, more}
\end{document}
"""
MEMORY = "\\subsection{Memory}\nGates keep errors\nfrom vanishing \\textcite{hochreiter1997}.\n"


@pytest.fixture
def draft(tmp_path: Path) -> Manuscript:
    folder = tmp_path / "thesis"
    (folder / "chapters").mkdir(parents=True)
    (folder / "main.tex").write_text(MAIN, encoding="utf-8")
    (folder / "chapters" / "memory.tex").write_text(MEMORY, encoding="utf-8")
    (tmp_path / "outside.tex").write_text("Not of this draft.", encoding="utf-8")
    return read_draft(folder / "main.tex")


def test_every_way_to_cite_is_read_with_its_sentence_and_line(draft: Manuscript) -> None:
    cited = [(sentence.keys, sentence.place, sentence.file) for sentence in draft.sentences if sentence.keys]
    assert cited == [
        (("vaswani2017", "bahdanau2015"), 7, "main.tex"),
        (("jain2019",), 7, "main.tex"),
        (("child2019", "kitaev2020"), 8, "main.tex"),
        (("vaswani2017", "jain2019"), 10, "main.tex"),
        (("hochreiter1997",), 2, "chapters/memory.tex"),
    ]


def test_claims_are_words_without_citations_comments_and_displayed_formulas(draft: Manuscript) -> None:
    claims = [sentence.claim for sentence in draft.sentences]
    assert claims[:4] == ["Attention", "Attention helps.", "Others disagree.", "It costs O(n^2) steps."]
    assert "Gates keep errors from vanishing." in claims
    assert not [claim for claim in claims if "mc" in claim or "never" in claim or "Not of this draft" in claim]
    assert [sentence.text for sentence in draft.sentences if sentence.is_heading] == ["Attention", "Memory"]


def test_quotations_come_with_what_they_cite(draft: Manuscript) -> None:
    quotes = [(item.quote, item.keys, item.place) for item in draft.quotes]
    assert quotes == [("all you need", ("vaswani2017",), 10), ("not an explanation at all", ("jain2019",), 10)]


def test_the_bibliographies_that_it_names_are_listed(draft: Manuscript) -> None:
    assert draft.bibliographies == ("refs.bib", "more.bib")


BROKEN = ["{" * 5000, "\\begin{a}" * 3000, "\\cite{", "\\cite", "\\input{main}", "", "%", "$"]


@pytest.mark.parametrize("source", BROKEN)
def test_broken_sources_are_read_or_refused_in_a_sentence(tmp_path: Path, source: str) -> None:
    path = tmp_path / "main.tex"
    path.write_text(source, encoding="utf-8")
    with suppress(UnreadableDraft):
        assert read_draft(path).place_kind == "line"


def test_a_source_over_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "main.tex"
    path.write_text("a" * (limits.DRAFT_CHARS + 1), encoding="utf-8")
    with pytest.raises(UnreadableDraft, match=r"more than 2,000,000 characters"):
        read_draft(path)


def test_keys_without_a_sentence_are_kept_with_their_place(tmp_path: Path) -> None:
    table = "\\begin{tabular}{ll}\nA & \\citep[p. 3]{intable, other} \\\\\n% \\cite{never}\n\\end{tabular}"
    (tmp_path / "main.tex").write_text(f"\\nocite{{aside}}\n\\nocite{{*}}\nWords.\n\n{table}\n", encoding="utf-8")
    aside = read_draft(tmp_path / "main.tex").cited_aside
    assert [(item.keys, item.place) for item in aside] == [(("aside",), 1), (("intable", "other"), 5)]


def test_a_citation_without_end_and_letters_of_latin_1_are_read(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_bytes("Schr\xf6dinger wrote it \\cite{vaswani2017attention".encode("latin-1"))
    (sentence,) = read_draft(tmp_path / "main.tex").sentences
    assert (sentence.claim, sentence.keys) == ("Schr\xf6dinger wrote it", ("vaswani2017attention",))
    (tmp_path / "main.tex").write_text("\\begin{document}\nIt is \\cite{here, open\n\\end{document}\n")
    assert read_draft(tmp_path / "main.tex").sentences[0].keys == ("here", "open")
