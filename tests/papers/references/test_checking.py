"""A bibliography checked against the library, as tool and over REST."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from ingest.reading.bibliography import WARM_READER, BibliographyReader
from paper_search.sources.cited_works import CitedWorks
from papercore import limits
from papercore.errors import InvalidInput
from papers import tools
from papers.references.checking import StatedReference, checked_bibliography
from tests.paper_search.http_server import Answer
from tests.paper_search.sources.test_lookup import sources

ACCENTS = r"{\'e}"
BIBTEX = """
@article{lstm, title = {Long Short-Term Memory}, author = {S. Hochreiter and J{\\"u}rgen Schmidhuber},
  journal = {Neural Comput.}, year = 1997, doi = {10.1162/neco.1997.9.8.1735}}
@article{late, title = {Long Short-Term Memory}, author = {Hochreiter, Sepp and Schmidhuber, J.}, year = {2001}}
@inproceedings{mixed, title = {Attention Is All You Need}, author = {Ashish Vaswani and others}, year = 2017,
  doi = {10.1162/neco.1997.9.8.1735}}
@inproceedings{invented, title = {Owls that Never Were Written About}, author = {Nobody, No}, year = 2020}
@article{again, title = {Long short-term memory}, author = {Hochreiter, Sepp and Schmidhuber, J.}, year = {1997}}
"""


def test_each_entry_gets_its_verdict_and_what_differs() -> None:
    checked = tools.check_bibliography(BIBTEX)
    verdicts = {entry.key: entry.verdict for entry in checked.entries}
    assert verdicts == {
        "lstm": "matches",
        "late": "differs",
        "mixed": "mixed",
        "invented": "unknown_here",
        "again": "duplicate",
    }
    late = checked.entries[1]
    assert [(item.field, item.entry, item.record) for item in late.differences] == [("year", "2001", "1997")]
    assert late.paper_id == "456"
    assert checked.entries[2].note == "Its DOI is that of “Long Short-Term Memory”."
    assert checked.entries[4].note == "The same work as lstm."
    assert checked.counts == {"matches": 1, "differs": 1, "mixed": 1, "unknown_here": 1, "duplicate": 1}


def test_what_is_known_here_is_told_retracted_by_a_source() -> None:
    record = {
        "DOI": "10.1162/neco.1997.9.8.1735",
        "title": ["RETRACTED: Long Short-Term Memory"],
        "author": [{"given": "Sepp", "family": "Hochreiter"}, {"given": "Jürgen", "family": "Schmidhuber"}],
        "issued": {"date-parts": [[1997]]},
    }
    with sources(crossref=Answer({"message": record})) as (config, services):
        checked = checked_bibliography(WARM_READER.read(BIBTEX), CitedWorks(config).look_up)
    lstm, late = checked.entries[:2]
    assert (lstm.verdict, lstm.paper_id) == ("retracted", "456")
    assert lstm.note == "Crossref's record says that this work was retracted."
    # Known here, and without an identifier: nobody is asked.
    assert late.verdict == "differs"
    assert [asked.path for asked in services["crossref"].asked][1:] == ["/works/10.1162%2Fneco.1997.9.8.1735", "/works"]


def test_what_cannot_be_read_is_said_by_its_line() -> None:
    checked = tools.check_bibliography("@article{a, title = {Owls}, year = 2001}\n@article{b, title = {Open\n")
    assert ([entry.key for entry in checked.entries], checked.unreadable_lines) == (["a"], [2])


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([f"@misc{{k{n}, title = {{T{n}}}}}" for n in range(limits.BIBLIOGRAPHY_ENTRIES + 1)], "at most 1,000 entries"),
        (["@a{b,}"] * 100_000, "at most 1,000 entries"),
        pytest.param(
            [f"@misc{{k{n}, title = {{{ACCENTS * 395}}}}}" for n in range(490)],
            "takes more than 20 s",
            marks=pytest.mark.long,
        ),
    ],
    ids=["one more", "tiny", "accents"],
)
def test_what_is_more_than_a_thesis_has_or_takes_too_long_is_refused(entries: list[str], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        tools.check_bibliography("\n".join(entries))
    assert tools.check_bibliography(BIBTEX).counts["matches"] == 1


@pytest.mark.parametrize("text", [r"$\alpha$ " * 40_000, ACCENTS * 80_000, "Owl " * 100_000])
def test_a_title_for_pages_is_not_compared_and_not_repeated(text: str) -> None:
    checked = tools.check_bibliography(f"@misc{{long, title = {{{text}}}, author = {{{text}}}}}\n{BIBTEX}")
    assert checked.entries[0].note.startswith("Not compared, because it is too long: title, author.")
    assert checked.counts["matches"] == 1
    assert len(checked.model_dump_json()) < 3_000


def test_differences_of_a_long_entry_are_cut() -> None:
    authors = " and ".join(f"Bird, {n} {'x' * 500}" for n in range(30))
    (checked,) = tools.check_bibliography(
        f"@misc{{a, title = {{Long Short-Term Memory}}, author = {{{authors} and Hochreiter, Sepp}}}}"
    ).entries
    assert checked.verdict == "mixed"
    assert [len(item.entry) for item in checked.differences] == [300]


def test_a_duplicate_is_found_behind_hundreds_of_others() -> None:
    others = "".join(f"@misc{{k{n}, title = {{The {n}th Night of the Owl}}}}\n" for n in range(300))
    last = tools.check_bibliography(f"{BIBTEX}{others}@misc{{twin, title = {{Long shortterm memory}}}}").entries[-1]
    assert (last.verdict, last.note, last.line) == ("duplicate", "The same work as lstm.", 309)


def test_a_file_larger_than_a_bibliography_is_not_read(tmp_path: Path) -> None:
    large = tmp_path / "large.bib"
    with large.open("wb") as file:
        file.truncate(10**10)
    with closing(BibliographyReader([large])) as reader, pytest.raises(InvalidInput, match=r"large\.bib .* characters"):
        reader.read(large)


def test_references_are_taken_as_a_list_too() -> None:
    title = "Long Short-Term Memory"
    right = StatedReference(title=title, authors=("Hochreiter S", "Schmidhuber J"), year="1997")
    late = StatedReference(key="late", title=title, authors=("Hochreiter, S.", "et al."), year="2001")
    some = StatedReference(key="some", title="Attention Is All You Need", authors=("A. Vaswani et al.",), year="2017")
    checked = tools.check_bibliography(references=(right, late, some))
    verdicts = [(entry.key, entry.verdict) for entry in checked.entries]
    assert verdicts == [("1", "matches"), ("late", "differs"), ("some", "matches")]


@pytest.mark.parametrize("others", ["others", "et al.", "{et al.}", "{others}"])
def test_authors_that_are_not_named_are_missed_by_nobody(others: str) -> None:
    entry = f"@misc{{v, title = {{Attention Is All You Need}}, author = {{Ashish Vaswani and {others}}}}}"
    assert [item.verdict for item in tools.check_bibliography(entry).entries] == ["matches"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "There is nothing to check: pass entries in `bibtex`, or a list in `references`."),
        (
            {"bibtex": "x"},
            "No entry was found in `bibtex`: an entry begins with @ and its type, as in @article{key, ...}.",
        ),
        ({"entries": "@book{a}"}, "entries: is no argument; there are bibtex, references"),
        ({"references": "Long Short-Term Memory"}, "references: must be a list"),
    ],
)
def test_a_wrong_call_is_told_what_to_pass(arguments: dict[str, Any], said: str) -> None:  # Any: wrong on purpose
    with pytest.raises(InvalidInput) as refused:
        tools.check_bibliography(**arguments)
    assert refused.value.message == said


def test_authors_that_are_missing_are_named_together() -> None:
    checked = tools.check_bibliography("@misc{v, title = {Attention Is All You Need}, author = {Ashish Vaswani}}")
    assert checked.entries[0].note == "2 of the record's authors missing: Noam Shazeer; Łukasz Kaiser"


def test_it_answers_over_rest(client: Client) -> None:
    answer = client.post("/api/checked-bibliographies", {"bibtex": BIBTEX}, content_type="application/json")
    assert answer.status_code == 200
    assert [entry["verdict"] for entry in answer.json()["entries"]][:2] == ["matches", "differs"]
