"""Stored BibTeX entries: read once, within bounds, and never passed off as valid when they are not."""

import logging
from collections.abc import Callable

import pytest

from ingest.bibtex import citation
from ingest.bibtex.citation import BIBTEX_FIELD_CHARS, TOO_LONG, UNBALANCED, UNREADABLE, read_stored_entry
from ingest.bibtex.entries import latex_names
from papercore import limits
from tests.growth import grows_too_fast


@pytest.mark.parametrize(
    "raw",
    [
        "@article{k, title={a}, year=2000}",
        '@ARTICLE {k , title = "a" # { b} }',
        "@article(k, title={a})",
        "@article{k, title={a}, title={b}}",
        "@string{x = {y}}\n@misc{k, title = x, month = jan,}",
    ],
)
def test_an_entry_that_bibtex_reads_has_no_problem(raw: str) -> None:
    assert read_stored_entry(raw).problem == ""


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ("@article{k, title={Attention, year={2017}}", UNBALANCED),
        ("@article{k, title={a}, year=2000", UNBALANCED),
        ("@article{k, title={a}}}", UNBALANCED),
        (r"@article{k, title={a \{ b}}", UNBALANCED),
        ('@article{k, title="a { b"}', UNBALANCED),
        ("@article{k title={a}}", UNREADABLE),
        ("@article{k, title={a},, year={2}}", UNREADABLE),
        ("no entry", UNREADABLE),
        ("", UNREADABLE),
        ("@article{k, title={" + "a" * limits.BIBTEX_CHARS + "}}", TOO_LONG),
    ],
)
def test_one_that_it_cannot_read_says_so(raw: str, problem: str) -> None:
    assert read_stored_entry(raw).problem == problem


def test_an_entry_at_the_bound_is_read_and_one_over_it_is_not() -> None:
    head, tail = "@article{k, volume={7}, note={", "}}"
    raw = head + "a" * (limits.BIBTEX_CHARS - len(head + tail)) + tail
    assert read_stored_entry(raw).citation.volume == "7"
    assert read_stored_entry(raw + " ").citation.volume == ""


def test_fields_that_go_on_for_pages_are_left_out() -> None:
    names = " and ".join(f"M{{\\\"u}}ller{number}, J\\'er\\^ome" for number in range(3_000))
    note = "a" * (BIBTEX_FIELD_CHARS + 1)
    entry = read_stored_entry(f"@article{{k, author={{{names}}}, note={{{note}}}, volume={{7}}}}")
    assert (entry.citation.volume, entry.citation.authors, entry.citation.note, entry.problem) == ("7", (), "", "")


def test_an_entry_is_read_once() -> None:
    raw = "@article{read-once, title={a}}"
    assert read_stored_entry(raw) is read_stored_entry(raw)
    long = f"@article{{k, abstract={{{'a ' * 4_000}}}}}"
    assert read_stored_entry(long) is read_stored_entry(long)


HOSTILE: dict[str, Callable[[int], str]] = {
    "entries that never end": lambda n: "@a{k," * n,
    "entries": lambda n: "@a{k,t={x}}\n" * n,
    "fields": lambda n: "@a{k," + "t={x}," * n + "}",
    "one entry in a field of another": lambda n: "@a{k,t={" + "@b{k,\n" * n,
    "concatenations": lambda n: "@a{k,t=" + "a#" * n + "a}",
    "braces": lambda n: "@a{k,t={" + "{" * n + "}" * n + "}}",
    "accented names": lambda n: "@a{k,author={" + "{\\'E}mile, B and " * n + "C}}",
    "groups": lambda n: "@a{k,abstract={" + "{a}" * n + "}}",
    "macros without arguments": lambda n: "@a{k,abstract={" + "\\frac" * n + "}}",
    "quotes": lambda n: '@a{k,t="' + '"' * n,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_reading_takes_time_in_proportion_to_the_entry(name: str) -> None:
    assert not grows_too_fast(citation._read, HOSTILE[name], 300)


def test_a_library_that_decodes_latex_says_nothing_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        read_stored_entry(r"@a{k,title={\frac\frac}}")
    assert caplog.text == ""


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("Takahashi K and Yamanaka S", ["Takahashi, K", "Yamanaka, S"]),
        ("Jinek M, Hauer M, Doudna JA, et al.", ["Jinek, M", "Hauer, M", "Doudna, JA"]),
        ('M{\\"u}ller J and van der Maaten L', ["Müller, J", "van der Maaten, L"]),
        ("V. Mnih et al.", ["Mnih, V."]),
        ("Malkov, Yu A and Yashunin, Dmitry A", ["Malkov, Yu A", "Yashunin, Dmitry A"]),
        ("Jie LI and Bo WU", ["LI, Jie", "WU, Bo"]),
        ("Li, Y. and Li, Y. and Li, Yan and Li, Yan", ["Li, Y.", "Li, Y.", "Li, Yan"]),
        ("{Team K} and Knuth, Donald E.", ["Team K", "Knuth, Donald E."]),
    ],
)
def test_names_are_read_in_every_common_form(written: str, names: list[str]) -> None:
    assert [name.indexed for name in latex_names(written)] == names
