"""A bibliography checked against the library, as tool and over REST."""

import pytest
from django.test import Client

from papercore import limits
from papercore.errors import InvalidInput
from papers import tools

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


def test_what_cannot_be_read_is_said_by_its_line() -> None:
    checked = tools.check_bibliography("@article{a, title = {Owls}, year = 2001}\n@article{b, title = {Open\n")
    assert ([entry.key for entry in checked.entries], len(checked.unreadable_lines)) == (["a"], 1)


def test_more_entries_than_a_thesis_has_are_refused() -> None:
    many = "\n".join(f"@misc{{k{n}, title = {{T{n}}}}}" for n in range(limits.BIBLIOGRAPHY_ENTRIES + 1))
    with pytest.raises(InvalidInput):
        tools.check_bibliography(many)


def test_it_answers_over_rest(client: Client) -> None:
    answer = client.post("/api/checked-bibliographies", {"bibtex": BIBTEX}, content_type="application/json")
    assert answer.status_code == 200
    assert [entry["verdict"] for entry in answer.json()["entries"]][:2] == ["matches", "differs"]
