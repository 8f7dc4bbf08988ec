"""Summary files, CSL-JSON and JSON lines; hostile values cost one entry, never the build."""

import gzip
import json
from pathlib import Path

import pytest

from ingest.entries.entry import LocatedEntry, PaperEntry, Problem
from ingest.reading.inputs import reader_of
from tests.ingest.library import ATTENTION, build


def read(path: Path, content: str | bytes) -> tuple[list[PaperEntry], list[str]]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    reader = reader_of(path)
    assert reader is not None
    found = list(reader(path))
    entries = [item.entry for item in found if isinstance(item, LocatedEntry)]
    return entries, [str(item).removeprefix(f"{path}:") for item in found if isinstance(item, Problem)]


def test_a_summary_files_template_counts_wherever_it_is_named(tmp_path: Path) -> None:
    text = json.dumps({"papers": [ATTENTION], "note": [1, [2]], "template_tag": "Deep Read!"})
    (entry,), _ = read(tmp_path / "a.json", text)
    assert [summary.template for summary in entry.summaries] == ["deep_read"]
    assert entry.summaries[0].provenance.model == "m1"
    assert entry.institutions == ("Google Brain",)


def test_nested_templates_and_bibtex_fields_are_understood(tmp_path: Path) -> None:
    paper = {
        "paper_title": "T",
        "templates": {"simple": {"summary": "Short."}, "deep": {"module_a": "Long."}, "empty": {}},
        "bibtex": {"key": "k1", "type": "Article", "fields": {"doi": "10.1000/X", "title": "T} evil {"}},
    }
    (entry,), _ = read(tmp_path / "a.json", json.dumps([paper]))
    assert [(summary.template, summary.text) for summary in entry.summaries] == [
        ("simple", "Short."),
        ("deep", "## Module A\n\nLong."),
    ]
    assert entry.doi == "10.1000/x"
    assert entry.bibtex is not None
    assert entry.bibtex.raw == "@article{k1,\n  doi = {10.1000/X},\n  title = {T evil }\n}"


def test_an_arxiv_id_is_found_where_bibtex_keeps_it(tmp_path: Path) -> None:
    paper = {"paper_title": "T", "bibtex": {"fields": {"archiveprefix": "arXiv", "eprint": "1706.03762"}}}
    (entry,), _ = read(tmp_path / "a.json", json.dumps({"papers": [paper]}))
    assert entry.arxiv == "1706.03762"


def test_a_single_object_is_a_file_of_one_paper(tmp_path: Path) -> None:
    (entry,), problems = read(tmp_path / "a.json", '{"title": "Alone", "authors": ["A B"]}')
    assert (entry.title, problems) == ("Alone", [])


def test_csl_json_is_recognised_by_its_content(tmp_path: Path) -> None:
    item = {
        "type": "article-journal",
        "title": "Deep <b>Learning</b>",
        "author": [
            {"family": "Maaten", "given": "Laurens", "non-dropping-particle": "van der"},
            {"literal": "The Team"},
        ],
        "issued": {"date-parts": [[2015, 5, 28]]},
        "container-title": "Nature",
        "DOI": "10.1038/nature14539",
        "abstract": "<jats:p>One.</jats:p><jats:p>Two.</jats:p>",
    }
    (entry,), _ = read(tmp_path / "a.json", json.dumps([item]))
    assert entry.title == "Deep Learning"
    assert entry.authors == ("Laurens van der Maaten", "The Team")
    assert (entry.date, entry.venue, entry.doi) == ("2015-05-28", "Nature", "10.1038/nature14539")
    assert entry.abstract == "One.\nTwo."


def test_items_that_cannot_be_used_are_reported_with_their_line(tmp_path: Path) -> None:
    text = '[\n {"title": "A"},\n 7,\n {"title": ""},\n {"title": {"x": 1}},\n {"title": "B", "authors": 3}\n]'
    entries, problems = read(tmp_path / "a.json", text)
    assert [entry.title for entry in entries] == ["A"]
    assert problems == [
        "3: not an object",
        "4: no title",
        "5: title is neither text nor a number",
        "6: authors is not a list",
    ]


def test_papers_before_broken_json_are_still_read(tmp_path: Path) -> None:
    entries, problems = read(tmp_path / "a.json", '[\n{"title": "A"},\n{"title": "B"\n')
    assert [entry.title for entry in entries] == ["A"]
    assert problems == ["4: not JSON: Expecting ',' delimiter; the rest of the file is skipped"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "1: neither an object nor an array"),
        ("null", "1: neither an object nor an array"),
        (b"[\xff\xff\xff\xff]", "1: neither UTF-8, UTF-16 nor Windows-1252: save the file as UTF-8"),
        ('{"papers": 3}', "1: `papers` is not an array"),
        ('{"papers" []}', "1: not JSON: expected a name and a colon"),
        ('{"papers": [{} {}]}', "1: not JSON: expected a comma or ]"),
        ("[" * 100_000, "1: not usable: nested too deeply"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_problem(tmp_path: Path, content: str | bytes, problem: str) -> None:
    entries, problems = read(tmp_path / "a.json", content)
    assert not entries
    assert [text.removesuffix("; the rest of the file is skipped") for text in problems] == [problem]


def test_json_lines_take_many_spellings_of_the_same_facts(tmp_path: Path) -> None:
    lines = [
        {"title": "A", "authors": "One, Ann; Two, Bo", "year": 2020.0, "month": "Aug 23–27", "journal": "J"},
        {"title": "B", "authors": ["One, Ann", {"given": "Bo", "family": "Two"}], "date": "May 2001"},
        {
            "title": " C\u0000\ud800 \n D ",
            "keywords": "x; y,z",
            "text": "Abstract.",
            "url": "https://doi.org/10.1000/c",
        },
    ]
    entries, problems = read(tmp_path / "a.jsonl", "\n".join(json.dumps(line) for line in lines) + "\n\n")
    assert not problems
    assert [entry.authors for entry in entries] == [("Ann One", "Bo Two"), ("Ann One", "Bo Two"), ()]
    assert [entry.date for entry in entries] == ["2020-08", "May 2001", ""]
    assert entries[2].title == "C D"
    assert (entries[2].keywords, entries[2].abstract, entries[2].doi) == (("x", "y", "z"), "Abstract.", "10.1000/c")


def test_a_bad_line_is_reported_and_the_next_is_read(tmp_path: Path) -> None:
    content = b'{"title": "A"}\n{broken\n\xff\n' + b"[" * 100_000 + b'\n{"title": "B"}\n'
    entries, problems = read(tmp_path / "a.jsonl", content)
    assert [entry.title for entry in entries] == ["A", "B"]
    assert [problem.split(":")[0] for problem in problems] == ["2", "3", "4"]


def test_a_line_with_an_endless_number_is_reported_and_the_next_is_read(tmp_path: Path) -> None:
    lines = ['{"title": "One"}', '{"title": "Two", "year": ' + "9" * 5_000 + "}", '{"title": "Three"}']
    entries, problems = read(tmp_path / "a.jsonl", "\n".join(lines))
    assert [entry.title for entry in entries] == ["One", "Three"]
    assert problems == ["2: not usable: a number has thousands of digits"]
    entries, problems = read(tmp_path / "a.json", f"[{', '.join(lines)}]")
    assert [entry.title for entry in entries] == ["One"]
    assert "thousands of digits" in problems[0]


def test_a_gzip_file_that_is_cut_short_gives_the_lines_it_has(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(json.dumps({"title": f"T{n}"}).encode() + b"\n" for n in range(5000)))
    entries, problems = read(tmp_path / "a.jsonl.gz", whole[: len(whole) // 2])
    assert 0 < len(entries) < 5000
    assert len(problems) == 1
    assert "gzip" in problems[0]


@pytest.mark.parametrize(
    ("issued", "date"),
    [("2019-05", "2019-05"), ({"raw": "May 2019"}, "May 2019"), ({"date-parts": []}, ""), (7, "")],
)
def test_a_csl_date_is_taken_as_far_as_it_goes(issued: object, date: str, tmp_path: Path) -> None:
    (entry,), problems = read(
        tmp_path / "a.json", json.dumps([{"type": "article-journal", "title": "A Paper", "issued": issued}])
    )
    assert (entry.date, problems) == (date, [])


def test_items_of_a_reference_manager_are_read(tmp_path: Path) -> None:
    entries, problems = read(tmp_path / "a.json", '{"items": [{"type": "article", "title": "An Item"}, 5]}')
    assert [entry.title for entry in entries] == ["An Item"]
    assert problems == ["1: not an object"]


def test_csl_items_that_cannot_be_used_do_not_affect_the_others(tmp_path: Path) -> None:
    items = [
        {"type": "article", "title": "A Paper", "number": "arXiv:1706.03762"},
        {"type": "article", "title": ""},
        "no object",
    ]
    entries, problems = read(tmp_path / "a.json", json.dumps(items))
    assert [entry.arxiv for entry in entries] == ["1706.03762"]
    assert len(problems) == 2


@pytest.mark.parametrize(
    ("said", "entry_type", "venue_field"),
    [
        ({"journal": "Nature"}, "article", "journal"),
        ({"booktitle": "Advances in Neural Information Processing Systems"}, "inproceedings", "booktitle"),
        ({"booktitle": "Handbook of Tides", "type": "incollection"}, "incollection", "booktitle"),
        ({"venue": "Proceedings of the 3rd Conference on Rivers"}, "inproceedings", "booktitle"),
        ({"venue": "NeurIPS", "publicationTypes": ["Conference Paper"]}, "inproceedings", "booktitle"),
        ({"venue": "Nature", "publicationTypes": ["JournalArticle", "Review"]}, "article", "journal"),
        ({"venue": "ACL", "type": "proceedings-article"}, "inproceedings", "booktitle"),
        ({"venue": "Nature", "ENTRYTYPE": "article"}, "article", "journal"),
        ({"type": "dissertation", "school": "University of Delta"}, "phdthesis", "school"),
        ({"school": "University of Delta"}, "phdthesis", "school"),
        ({"isbn": "978-0-13-153271-7", "publisher": "Prentice Hall"}, "book", "publisher"),
        ({"type": "posted-content", "arxiv_id": "1706.03762"}, "misc", ""),
        ({"type": "paper-conference", "container-title": "SOSP", "issued": {"date-parts": [[2007]]}}, "inproceedings",
         "booktitle"),
    ],
)  # fmt: skip
def test_a_paper_of_any_shape_becomes_the_right_type_of_bibtex(
    tmp_path: Path, said: dict[str, object], entry_type: str, venue_field: str
) -> None:
    line = {"title": "On Tides", "author": [{"family": "Fluvius", "given": "Ada"}], **said}
    (tmp_path / "a.jsonl").write_text(json.dumps(line) + "\n")
    built = build(tmp_path / "library", tmp_path / "a.jsonl")
    ((raw, found),) = built.rows("SELECT bibtex_raw, entry_type FROM paper_bibtex")
    assert found == entry_type
    assert str(raw).startswith(f"@{entry_type}{{")
    assert not venue_field or f"  {venue_field} = {{" in str(raw)
    assert "author = {Fluvius, Ada}" in str(raw)
