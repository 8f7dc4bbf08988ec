"""What people may say of a paper, and what is refused: nonsense, and what is another paper's."""

from pathlib import Path

import pytest

from ingest import BelongsToOther, BuildError, edit_paper, history, known_paper, undo, update_library
from ingest.matching.corrections import Value, corrections_of

PAPERS = """@article{sand, title={On Rivers and Sand}, author={Fluvius, Ada}, year={2002}, doi={10.5555/sand}}

@article{tides, title={Tides}, author={Delta, Bea}, year={2003}, doi={10.5555/tides}, eprint={2003.00001}}

@article{plain, title={Plains}, author={Coe, Carla}, year={2004}}
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    (tmp_path / "a.bib").write_text(PAPERS, encoding="utf-8")
    update_library(tmp_path / "library", [tmp_path / "a.bib"])
    return tmp_path / "library"


def test_what_another_paper_is_known_by_is_refused_and_the_paper_named(library: Path) -> None:
    for given in ({"doi": "10.5555/tides"}, {"arxiv": "2003.00001"}, {"key": "tides"}):
        with pytest.raises(BelongsToOther, match="belongs to “Tides”"):
            edit_paper(library, "sand", corrections_of(given))
    assert len(history(library)) == 1
    edit_paper(library, "sand", corrections_of({"doi": "10.5555/sand", "key": "sand"}))


def test_a_key_alone_is_a_change_that_is_listed_and_can_be_taken_back(library: Path) -> None:
    (change,) = edit_paper(library, "sand", corrections_of({"key": "fluvius2002"})).changes
    assert [(field.name, field.old, field.new) for field in change.fields] == [("key", "sand", "fluvius2002")]
    assert not change.matched_by
    known = known_paper(library, change.paper_id)
    assert known
    assert known.values["key"] == "fluvius2002"
    assert history(library)[0].about() == "sand key"
    undo(library)
    known = known_paper(library, change.paper_id)
    assert known
    assert known.values["key"] == "sand"


def test_the_history_names_papers_by_their_titles(library: Path) -> None:
    paper_id = edit_paper(library, "sand", corrections_of({"date": "2001"})).changes[0].paper_id
    edit_paper(library, paper_id, corrections_of({"date": "2000-03"}))
    assert history(library)[0].about() == "“On Rivers and Sand” date"
    assert history(library)[0].about(paper_id) == "date"


@pytest.mark.parametrize(
    ("field", "typed", "meant"),
    [
        ("date", "1978-08-21", "1978-08-21"),
        ("date", "August 1978", "1978-08"),
        ("kind", "phdthesis", "thesis"),
        ("kind", "motion_picture", "motion_picture"),
        ("authors", "Müller, Jörg and Weber, Anna", ("Jörg Müller", "Anna Weber")),
        ("authors", "{Ross Road Collective} and Müller, Jörg", ("Ross Road Collective", "Jörg Müller")),
        ("authors", "Ada Lovelace; Hoare, C. A. R.", ("Ada Lovelace", "C. A. R. Hoare")),
        (
            "authors",
            "Ministry of Food and Agriculture\nGoogle, Inc.",
            ("Ministry of Food and Agriculture", "Google, Inc."),
        ),
        ("tags", "rivers and sand; tides", ("rivers and sand", "tides")),
    ],
)
def test_what_is_typed_is_understood(field: str, typed: str, meant: Value) -> None:
    assert corrections_of({field: typed}) == {field: meant}


@pytest.mark.parametrize(
    ("field", "typed"), [("date", "1978-13"), ("date", "2020-15"), ("date", "2021-02-30"), ("kind", "banana")]
)
def test_what_makes_no_sense_is_refused(field: str, typed: str) -> None:
    with pytest.raises(BuildError, match=f"{typed} is no {field}"):
        corrections_of({field: typed})
