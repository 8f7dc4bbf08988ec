"""Exports hold exactly what went in, whatever titles and names are made of."""

import csv
import io
import json
import re
from typing import get_args

import pytest
import rispy
from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares import LatexDecodingMiddleware, SeparateCoAuthors
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from pylatexenc.latex2text import LatexNodes2Text

from paper_search.export import (
    EXPORT_FORMATS,
    ToolFormat,
    export_bibtex,
    export_csv,
    export_json,
    export_markdown,
    export_ris,
    short_authors,
)
from paper_search.models import PaperCollection
from papercore.bibliography.citation import Citation
from papercore.bibliography.fields import parse_name
from papercore.text import one_line
from tests.paper_search.samples import collection, paper

HOSTILE = st.text(
    st.one_of(
        st.sampled_from(list("&%_#{}$~^\\|`'\"-@=+,<>[]*!?\n\r\t ()aé量")),
        st.characters(exclude_categories=["Cs"]),
    ),
    min_size=1,
    max_size=30,
).filter(lambda text: bool(one_line(text)))
NAMES = st.lists(HOSTILE, max_size=4)


def read_bibtex(text: str) -> list[dict[str, str]]:
    library = parse_string(text, append_middleware=[LatexDecodingMiddleware()])
    assert not library.failed_blocks
    return [{field.key: field.value for field in entry.fields} for entry in library.entries]


def in_bibtex_order(name: str) -> str:
    parsed = parse_name(name)
    return ", ".join(part for part in (parsed.family, parsed.suffix, parsed.given) if part)


def markdown_rows(text: str) -> list[list[str]]:
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        if token.type == "inline":
            rows[-1].append("".join(child.content for child in token.children or []))
    return rows


@pytest.mark.scenario("search-product / Export as BibTeX / Entries read back")
@settings(max_examples=150, deadline=None)
@given(title=HOSTILE, names=NAMES, venue=HOSTILE)
def test_bibtex_reads_back_equal(title: str, names: list[str], venue: str) -> None:
    text = export_bibtex(collection(paper(title, *names, venue=venue, year=2020), paper("Next")))
    first, second = read_bibtex(text)
    assert first["title"] == one_line(title)
    venue_field = "booktitle" if Citation(title, venue=venue).known_kind == "paper-conference" else "journal"
    assert first[venue_field] == one_line(venue)
    assert second["title"] == "Next"
    authors = parse_string(text, append_middleware=[SeparateCoAuthors()]).entries[0]["author"]
    assert [LatexNodes2Text().latex_to_text(name) for name in authors] == (
        [in_bibtex_order(name) for name in names] or ["Unknown"]
    )


@pytest.mark.scenario("search-product / Export as Markdown / One row per paper")
@settings(max_examples=150, deadline=None)
@given(title=HOSTILE, names=NAMES, venue=HOSTILE)
def test_markdown_rows_stay_rows_and_cells_read_back_equal(title: str, names: list[str], venue: str) -> None:
    text = export_markdown(collection(paper(title, *names, venue=venue), paper("Next")))
    assert len(text.splitlines()) == 4
    _, first, second = markdown_rows(text)
    assert first[1:3] == [one_line(title), one_line(short_authors(names))]
    assert first[4] == one_line(venue)
    assert second[1] == "Next"


@pytest.mark.scenario("search-product / Export as JSON / JSON round trip")
@settings(max_examples=80, deadline=None)
@given(title=HOSTILE, names=NAMES, venue=HOSTILE)
def test_json_csv_and_ris_read_back_equal(title: str, names: list[str], venue: str) -> None:
    whole = collection(paper(title, *names, venue=venue, year=1999))
    assert PaperCollection.model_validate_json(export_json(whole)) == whole
    row = next(csv.DictReader(io.StringIO(export_csv(whole))))
    escaped = "'" if one_line(title).startswith(("=", "+", "-", "@")) else ""
    assert row["title"] == escaped + one_line(title)
    record = rispy.loads(export_ris(whole))[0]
    assert record["title"] == one_line(title).strip()
    assert record["year"] == "1999"
    assert len(record.get("authors", [])) == len(names)


@pytest.mark.scenario("search-product / Edge cases of export / Empty collection")
def test_an_empty_collection_exports_to_the_empty_form_of_each_format() -> None:
    empty = collection()
    assert json.loads(export_json(empty))["papers"] == []
    assert export_bibtex(empty) == ""
    assert export_markdown(empty).splitlines() == [
        "| # | Title | Authors | Year | Venue | Score |",
        "|---|-------|---------|------|-------|-------|",
    ]


@pytest.mark.scenario("search-product / Export as BibTeX / Missing fields are left out")
@pytest.mark.scenario("search-product / Edge cases of export / Paper without authors")
def test_a_paper_without_authors_is_by_unknown_and_missing_fields_are_left_out() -> None:
    assert export_bibtex(collection(paper("Graphs"))) == (
        "@misc{unknown_nd_graphs,\n  title = {Graphs},\n  author = {Unknown}\n}"
    )


@pytest.mark.scenario("search-product / Edge cases of export / Special characters in a title")
def test_special_characters_are_escaped() -> None:
    text = export_bibtex(collection(paper("A & B 100% x_y #1 {z}")))
    assert r"title = {A \& B 100\% x\_y \#1 \{z\}}" in text


def test_a_brace_without_its_partner_does_not_break_the_entry() -> None:
    text = export_bibtex(collection(paper("Open { brace"), paper("Closed } brace")))
    assert text.count("{") == text.count("}")
    assert [entry["title"] for entry in read_bibtex(text)] == ["Open { brace", "Closed } brace"]


@pytest.mark.scenario("search-product / Export as BibTeX / Keys are unique")
def test_equal_keys_get_suffixes_beyond_z() -> None:
    entries = export_bibtex(collection(*[paper("Graphs", "A B", year=2020) for _ in range(30)])).split("\n\n")
    keys = [found[1] for entry in entries if (found := re.match(r"@\w+\{(\w+),", entry))]
    assert [keys[0], keys[1], keys[26], keys[27]] == [
        "b_2020_graphs",
        "b_2020_graphs_a",
        "b_2020_graphs_z",
        "b_2020_graphs_aa",
    ]
    assert len(set(keys)) == 30


STORED = "@inproceedings{Key2020,\n  title = {The {Real} One},\n  year = 2020\n}"


def test_a_stored_entry_is_preferred_and_its_key_made_unique() -> None:
    first, second = export_bibtex(collection(paper("x", bibtex=STORED), paper("y", bibtex=STORED))).split("\n\n")
    assert first == STORED
    assert second == STORED.replace("Key2020", "Key2020_a")


@pytest.mark.parametrize(
    "broken",
    [
        "",
        "not bibtex",
        "@article{k, title = {open",
        "@article{k, title={x}} trailing }",
        "@article{k,\n@misc{j,}}",
    ],
)
def test_a_stored_entry_that_is_not_whole_is_replaced_by_our_own(broken: str) -> None:
    assert export_bibtex(collection(paper("Graphs", bibtex=broken))).startswith("@misc{unknown_nd_graphs,")


def test_addresses_are_verbatim() -> None:
    text = export_bibtex(collection(paper("x", doi="10.1/a_b%20c", full_text_url="https://x.org/{a} b#c_d")))
    entry = parse_string(text).entries[0]
    assert entry["doi"] == "10.1/a_b%20c"
    assert entry["url"] == "https://x.org/%7Ba%7D%20b#c_d"


@pytest.mark.scenario("search-product / Export as Markdown / Gaps and long author lists")
def test_four_authors_become_et_al_and_missing_cells_a_dash() -> None:
    row = export_markdown(collection(paper("x", "A", "B", "C", "D"))).splitlines()[2]
    assert row == "| 1 | x | A et al. | - | - | 0.00 |"
    assert short_authors(["A", "B", "C"]) == "A, B, C"


def test_the_formats_by_name_and_suffix() -> None:
    assert {name: export_format.suffix for name, export_format in EXPORT_FORMATS.items()} == {
        "json": "json",
        "bibtex": "bib",
        "markdown": "md",
        "ris": "ris",
        "csv": "csv",
    }
    assert set(get_args(ToolFormat)) < set(EXPORT_FORMATS)
