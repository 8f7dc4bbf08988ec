"""Of several entries about one paper each field has the best claim: nothing gets poorer by what comes later."""

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.entries.entry import BibtexEntry, LocatedEntry, PaperEntry, Trust
from ingest.entries.text import surname
from ingest.ledger.rows import EntryFiles, StoredEntry
from ingest.matching.corrections import corrections_of, record_of, typed
from ingest.matching.facts import facts_of
from ingest.matching.records import Record
from ingest.reading.bib import read_bib

FULL = """@article{mine, title={On Rivers and Sand}, author={Fluvius, Ada and Delta, Bea and Coe, Carla}, year={2002},
  month=mar, journal={Journal of Rivers}, doi={10.5555/abc}, abstract={Rivers carry sand to the sea.}}
"""
LATER = """@article{theirs, title={On rivers and sand}, author={Fluvius, A. and Delta, B.}, year={2002},
  journal={J. Riv.}, volume={3}, number={2}, pages={1--9}, publisher={Pub}, doi={10.5555/abc}, abstract={Short.}}
"""
BOOK = "@book{hoare, title={Communicating Sequential Processes}, author={C. A. R. Hoare}, publisher={Prentice Hall}}\n"
PEOPLE = ("Ada Fluvius", "Bea Delta", "Carla Coe", "Dana Ebb")


def read(folder: Path, text: str) -> list[PaperEntry]:
    (folder / "a.bib").write_text(text, encoding="utf-8")
    return [found.entry for found in read_bib(folder / "a.bib") if isinstance(found, LocatedEntry)]


def test_an_entry_with_more_fields_takes_nothing_from_a_fuller_author_list_abstract_or_venue(tmp_path: Path) -> None:
    records = [record_of(order) for order in permutations(read(tmp_path, FULL + LATER))]
    assert records[0] == records[1]
    values = typed(records[0])
    assert values["authors"] == "Ada Fluvius\nBea Delta\nCarla Coe"
    assert values["abstract"] == "Rivers carry sand to the sea."
    assert (values["venue"], values["date"], values["pages"]) == ("Journal of Rivers", "2002-03", "1-9")
    bibtex = records[0].bibtex
    assert bibtex is not None
    assert "author = {Fluvius, Ada and Delta, Bea and Coe, Carla}" in bibtex.raw
    assert "journal = {Journal of Rivers}" in bibtex.raw
    assert "Rivers carry sand" in bibtex.raw
    assert "Short." not in bibtex.raw


def test_what_was_looked_up_stands_between_bibliographies_and_references() -> None:
    own = PaperEntry(title="On Rivers", authors=("Ada Fluvius",), date="2002")
    looked_up = PaperEntry(
        title="On Rivers and Sand", trust=Trust.LOOKED_UP, authors=("A. Fluvius", "B. Delta"), date="2003", venue="X"
    )
    cited = PaperEntry(title="On Rivers", trust=Trust.REFERENCES, venue="Journal of Rivers")
    record = record_of([cited, looked_up, own])
    assert (record.title, record.authors, record.year, record.venue) == ("On Rivers", ("Ada Fluvius",), "2002", "X")


def test_what_an_earlier_version_looked_up_is_no_bibliography() -> None:
    entry = PaperEntry(title="On Rivers", doi="10.5555/abc")
    body = entry.model_dump_json(exclude_defaults=True)
    for collection, trust in (("looked up at Crossref: 10.5555/abc", Trust.LOOKED_UP), ("a.bib", Trust.BIBLIOGRAPHY)):
        stored = StoredEntry(1, body, facts_of(entry, "meta:1", collection, body), EntryFiles(), "")
        assert stored.entry.trust == trust


def test_a_list_that_ends_with_others_goes_on_as_whoever_knows_the_rest_says() -> None:
    own = PaperEntry(title="On Rivers", authors=("Ada Fluvius",), has_more_authors=True)
    looked_up = PaperEntry(title="On Rivers", trust=Trust.LOOKED_UP, authors=("A. Fluvius", "B. Delta"))
    assert record_of([own, looked_up]).authors == ("Ada Fluvius", "B. Delta")


@pytest.mark.parametrize("beside", ["", "@book{b, title={Communicating Sequential Processes}, year={1985}}\n"])
def test_a_publisher_is_no_journal_of_a_corrected_or_merged_book(tmp_path: Path, beside: str) -> None:
    record = record_of(read(tmp_path, BOOK + beside), frozenset(), corrections_of({"title": "CSP"}))
    assert record.bibtex is not None
    assert "journal" not in record.bibtex.raw
    assert (typed(record)["venue"], typed(record)["publisher"]) == ("", "Prentice Hall")


def test_editors_of_a_book_are_not_written_as_its_authors(tmp_path: Path) -> None:
    (entry,) = read(tmp_path, "@book{b, title={Rivers}, editor={Ada Fluvius and Bea Delta}}")
    record = record_of([entry], frozenset(), corrections_of({"date": "2001"}))
    assert record.bibtex is not None
    assert "author" not in record.bibtex.raw


def test_the_entry_of_a_stub_is_not_cited_beside_one_that_says_more() -> None:
    raw = "@misc{x1, title={arXiv:1810.04805}, eprint={1810.04805}}"
    bibtex = BibtexEntry(raw=raw, key="x1", entry_type="misc")
    stub = PaperEntry(title="arXiv:1810.04805", arxiv="1810.04805", bib_key="x1", bibtex=bibtex)
    looked_up = PaperEntry(title="BERT", trust=Trust.LOOKED_UP, arxiv="1810.04805")
    record = record_of([stub, looked_up])
    assert (record.title, record.bibtex, record.bib_keys) == ("BERT", None, ("x1",))


@st.composite
def entries(draw: st.DrawFn) -> PaperEntry:
    """As somebody may have them who writes given names out, or leaves people out at the end."""
    people = PEOPLE[: draw(st.integers(0, len(PEOPLE)))]
    shortened = [draw(st.booleans()) for _ in people]
    parts = zip(people, shortened, strict=True)
    return PaperEntry(
        title="On Rivers",
        trust=draw(st.sampled_from([Trust.BIBLIOGRAPHY, Trust.LIBRARY, Trust.LOOKED_UP, Trust.PDF])),
        authors=tuple(f"{name[0]}. {name.split()[1]}" if short else name for name, short in parts),
        has_more_authors=draw(st.booleans()),
        date=draw(st.sampled_from(["", "2002", "2002-03", "2002-03-12"])),
        venue=draw(st.sampled_from(["", "J. Riv.", "Journal of Rivers"])),
        abstract=draw(st.sampled_from(["", "Short.", "Rivers carry sand."])),
        doi=draw(st.sampled_from([None, "10.5555/abc"])),
        keywords=draw(st.sampled_from([(), ("sand",)])),
    )


def fullness(record: Record) -> list[int]:
    """Of each field how much it says, and of each person how much of the name is written out."""
    written = {surname(name): len(name) for name in record.authors}
    texts = (record.date, record.abstract, record.venue.replace("unknown", ""), record.doi or "", *record.keywords)
    return [len(record.authors), *(written.get(surname(name), 0) for name in PEOPLE), *map(len, texts)]


@settings(max_examples=150, deadline=None)
@given(st.lists(entries(), min_size=1, max_size=4), entries())
def test_no_field_gets_poorer_by_what_comes_later(before: list[PaperEntry], later: PaperEntry) -> None:
    had = record_of(before)
    has = record_of([*before, later])
    assert has == record_of([later, *reversed(before)])
    if len({entry.trust.place for entry in (*before, later)}) == 1:
        assert all(now >= then for then, now in zip(fullness(had), fullness(has), strict=False))
    # Whoever is trusted more may say less, but nothing is lost.
    assert all(now or not then for then, now in zip(fullness(had)[5:], fullness(has)[5:], strict=False))
