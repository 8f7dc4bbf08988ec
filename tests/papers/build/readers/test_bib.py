"""BibTeX as found in the wild: macros, cross-references, LaTeX, and entries that are broken."""

from pathlib import Path

from papers.build.entry import LocatedEntry, PaperEntry, Problem
from papers.build.readers.bib import read_bib


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
    text += "@article{untitled, year=2020}\n@article{twice, title={D}, title={E}}\n"
    entries, problems = read(tmp_path, text)
    assert [entry.title for entry in entries] == ["A", "C"]
    assert [problem.split(": ")[:2] for problem in problems] == [
        ["library.bib:3", "open"],
        ["library.bib:7", "untitled"],
        ["library.bib:8", "twice"],
    ]


def test_an_entry_that_is_not_utf8_is_reported(tmp_path: Path) -> None:
    content = b"@article{good, title={A}}\n@article{latin, title={Sch\xf6n}}\n"
    entries, problems = read(tmp_path, content)
    assert [entry.title for entry in entries] == ["A"]
    assert problems == ["library.bib:2: latin: not UTF-8"]


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
