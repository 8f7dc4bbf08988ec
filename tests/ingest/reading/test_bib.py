"""BibTeX as found in the wild: macros, cross-references, LaTeX, and entries that are broken."""

from pathlib import Path

import pytest
from bibtexparser.entrypoint import parse_string

from ingest.entries.entry import LocatedEntry, PaperEntry, Problem
from ingest.reading.bib import read_bib


def read(tmp_path: Path, text: str | bytes) -> tuple[list[PaperEntry], list[str]]:
    path = tmp_path / "library.bib"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    found = list(read_bib(path))
    entries = [item.entry for item in found if isinstance(item, LocatedEntry)]
    problems = [str(item).removeprefix(f"{tmp_path}/") for item in found if isinstance(item, Problem)]
    return entries, problems


def test_latex_becomes_text_and_given_names_come_first(tmp_path: Path) -> None:
    text = r"""@article{key,
  author = {M{\"u}ller, J{\"o}rg and {Barnes and Noble} and Laurens van der Maaten and King, Jr., Martin and others},
  title = {The {NASA} $x^2$ \emph{Effect}: 100% \& more},
  keywords = {one, two; three},
  doi = {10.1000/a\_b},
  month = mar, year = {2020}
}"""
    ((entry,), problems) = read(tmp_path, text)
    assert not problems
    assert entry.authors == ("Jörg Müller", "Barnes and Noble", "Laurens van der Maaten", "Martin King Jr.")
    assert entry.title == "The NASA $x^2$ Effect: 100% & more"
    assert entry.keywords == ("one", "two", "three")
    assert (entry.doi, entry.date) == ("10.1000/a_b", "2020-03")
    assert entry.bibtex is not None
    assert entry.bibtex.raw == text
    assert (entry.bibtex.key, entry.bibtex.entry_type) == ("key", "article")


def test_macros_are_expanded_and_concatenated(tmp_path: Path) -> None:
    text = '@string{tog = "ACM TOG"}\n@String(where = tog # " Extra")\n'
    text += "@article{a, title={A}, journal=tog}\n@article{b, title={B}, journal = where # { II}}\n"
    entries, problems = read(tmp_path, text)
    assert not problems
    assert [entry.venue for entry in entries] == ["ACM TOG", "ACM TOG Extra II"]
    assert [entry.bibtex.raw for entry in entries if entry.bibtex] == [
        "@article{a, title={A}, journal={ACM TOG}}",
        "@article{b, title={B}, journal = {ACM TOG Extra II}}",
    ]


def test_a_cross_referenced_volume_gives_its_title_and_year(tmp_path: Path) -> None:
    text = "@inproceedings{a, title={A}, author={Ann One}, crossref={vol}}\n"
    text += "@proceedings{vol, title={The Volume}, editor={Ed Itor}, year=1999, doi={10.1000/vol}}\n"
    (paper, volume), _ = read(tmp_path, text)
    assert (paper.venue, paper.date, paper.authors, paper.doi) == ("The Volume", "1999", ("Ann One",), None)
    assert volume.title == "The Volume"


def test_arxiv_ids_are_found_in_eprint_url_and_doi(tmp_path: Path) -> None:
    text = "@misc{a, title={A}, eprint={1706.03762v5}, archiveprefix={arXiv}}\n"
    text += "@misc{b, title={B}, url={https://arxiv.org/abs/1512.03385}}\n"
    text += "@misc{c, title={C}, doi={10.48550/arXiv.1412.6980}}\n"
    entries, _ = read(tmp_path, text)
    assert [entry.arxiv for entry in entries] == ["1706.03762", "1512.03385", "1412.6980"]


def test_a_broken_entry_does_not_affect_the_others(tmp_path: Path) -> None:
    text = "@article{good, title={A}}\n\n@article{open, title={B,\n  year=2020\n\n@article{after, title={C}}\n"
    text += "@article{untitled, year=2020}\n"
    entries, problems = read(tmp_path, text)
    assert [entry.title for entry in entries] == ["A", "C"]
    assert problems == [
        "library.bib:3: open: not BibTeX: a brace, a quote or a comma is missing",
        "library.bib:7: untitled: no title",
    ]


def warnings_of(tmp_path: Path, text: str) -> list[tuple[str, ...]]:
    (tmp_path / "library.bib").write_text(text)
    return [item.warnings for item in read_bib(tmp_path / "library.bib") if isinstance(item, LocatedEntry)]


def test_an_entry_with_a_field_twice_is_kept_with_a_warning(tmp_path: Path) -> None:
    text = "@article{twice, title={D}, title={E}, year=2020}\n"
    (entry,), problems = read(tmp_path, text)
    assert (entry.title, entry.date, problems) == ("D", "2020", [])
    assert warnings_of(tmp_path, text) == [("twice: title comes twice; the first counts",)]


@pytest.mark.parametrize("between", ["\n", " "])
def test_two_entries_with_one_key_are_both_kept_with_a_warning(tmp_path: Path, between: str) -> None:
    text = f"@misc{{k, title={{First}}}}{between}@misc{{k, title={{Second}}}}\n"
    entries, problems = read(tmp_path, text)
    assert ([entry.title for entry in entries], problems) == (["First", "Second"], [])
    assert warnings_of(tmp_path, text) == [(), ("k: another entry has the same key; both are kept",)]


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"The \texttt{grep} tool", "The grep tool"),
        (r"A \textsf{Coq} \mbox{proof script}", "A Coq proof script"),
        (r"Typeset in \LaTeX by {\LaTeX}", "Typeset in LaTeX by LaTeX"),
        (r"See \href{https://example.org/a_b}{the page} now", "See the page now"),
        (r"Sorting\index{sorting} fast", "Sorting fast"),
        (r"\unknownmacro{Kept} text", "Kept text"),
        (r"Costs 5\,\% more\footnote{Thanks.}", "Costs 5 % more"),
    ],
)
def test_latex_macros_leave_the_right_text(tmp_path: Path, latex: str, text: str) -> None:
    (entry,), _ = read(tmp_path, f"@misc{{k, title={{{latex}}}}}")
    assert entry.title == text


def test_a_name_that_begins_with_a_macro_is_whole(tmp_path: Path) -> None:
    (entry,), _ = read(tmp_path, r"@misc{k, title={T}, author={A B and \O. Ulfstad and \'Emile Zola and et al.}}")
    assert entry.authors == ("A B", "Ø. Ulfstad", "Émile Zola")


@pytest.mark.parametrize(
    ("journal", "venue"),
    [
        (r"\mnras", "Monthly Notices of the Royal Astronomical Society"),
        (r"{\apj}", "The Astrophysical Journal"),
        (r"\aap", "Astronomy and Astrophysics"),
        (r"Journal of \textbf{X}", "Journal of X"),
    ],
)
def test_journal_macros_of_astronomers_are_names(tmp_path: Path, journal: str, venue: str) -> None:
    (entry,), _ = read(tmp_path, f"@article{{k, title={{T}}, journal={{{journal}}}}}")
    assert entry.venue == venue


def test_a_subtitle_is_part_of_the_title(tmp_path: Path) -> None:
    text = "@book{a, title={Main}, subtitle={The Rest}}\n@book{b, title={Why?}, subtitle={Because}}\n"
    entries, _ = read(tmp_path, text)
    assert [entry.title for entry in entries] == ["Main: The Rest", "Why? Because"]


@pytest.mark.parametrize(
    "fields",
    [
        "journal={arXiv preprint arXiv:1706.03762}",
        "journal={CoRR}, volume={abs/1706.03762}",
        "eprint={1706.03762}",
        "howpublished={arXiv:1706.03762v5 [cs.CL]}",
    ],
)
def test_an_arxiv_id_is_found_where_people_put_it(tmp_path: Path, fields: str) -> None:
    (entry,), _ = read(tmp_path, f"@article{{k, title={{T}}, {fields}}}")
    assert entry.arxiv == "1706.03762"


def test_what_an_entry_inherits_is_in_its_own_text(tmp_path: Path) -> None:
    text = "@inproceedings{a, title={A}, crossref={vol}, pages={1--2}}\n"
    (paper, _), _ = read(tmp_path, text + "@proceedings{vol, title={The Volume}, publisher={ACM}, year=1999}\n")
    assert paper.bibtex is not None
    fields = parse_string(paper.bibtex.raw).entries[0].fields_dict
    assert {name: field.value for name, field in fields.items()} == {
        "title": "A",
        "pages": "1--2",
        "booktitle": "The Volume",
        "publisher": "ACM",
        "year": "1999",
    }


def test_a_keyword_in_braces_may_have_a_comma_and_all_keep_their_case(tmp_path: Path) -> None:
    (entry,), _ = read(tmp_path, "@misc{k, title={T}, keywords={DNA Repair, {Cells, Cultured}; mRNA}}")
    assert entry.keywords == ("DNA Repair", "Cells, Cultured", "mRNA")


def test_two_entries_on_one_line_are_two_papers(tmp_path: Path) -> None:
    entries, _ = read(tmp_path, "@misc{a, title={A}} @misc{b, title={B}}\n")
    assert [entry.title for entry in entries] == ["A", "B"]


def test_comments_and_text_between_entries_are_ignored(tmp_path: Path) -> None:
    text = 'Exported by hand.\n@comment{jabref-meta: x}\n@preamble{"\\newcommand"}\n% note\n@misc{a, title={A}}\ntail'
    entries, problems = read(tmp_path, text)
    assert [entry.title for entry in entries] == ["A"]
    assert not problems
    assert entries[0].bibtex is not None
    assert entries[0].bibtex.raw == "@misc{a, title={A}}"


def test_macros_that_double_each_other_do_not_fill_the_memory(tmp_path: Path) -> None:
    text = "@string{a0 = {laugh}}\n" + "".join(f"@string{{a{n} = a{n - 1} # a{n - 1}}}\n" for n in range(1, 60))
    (entry,), _ = read(tmp_path, text + "@misc{k, title = a59}\n")
    assert len(entry.title) == 10_000


def test_nesting_without_end_is_kept_as_text(tmp_path: Path) -> None:
    (entry,), _ = read(tmp_path, "@misc{k, title={" + "{" * 5000 + "x" + "}" * 5000 + "}}")
    assert "x" in entry.title


def test_a_file_without_entries_is_empty(tmp_path: Path) -> None:
    assert read(tmp_path, "Nothing but prose.\n") == ([], [])
