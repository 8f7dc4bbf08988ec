"""A bibliography entry beside the works that it may mean: noise is no error, and an error is named."""

import pytest
from msgspec.structs import replace

from papercore.bibliography.checking import BibliographyEntry, KnownWork, check_entry, same_work
from papercore.bibliography.citation import Citation
from papercore.bibliography.fields import PersonName, parse_name

WORK = KnownWork(
    "w1",
    "Semantic Roles by Reconstruction: A Framework",
    ("Iván Tïtov", "Ehsan Khoddam", "Pius von Däniken"),
    2015,
    ("Proceedings of the 2015 Conference of the North American Chapter of the Association", "naacl"),
    frozenset({"10.1/abc"}),
)
OTHER = KnownWork("w2", "Owls in the Dark", ("Ada Ames",), 2001, ("Owl Journal",), frozenset({"10.1/owl"}))
ENTRY = BibliographyEntry(
    "titov15",
    Citation(WORK.title, tuple(map(parse_name, WORK.authors)), "2015", venue=WORK.venues[0], doi="10.1/abc"),
)


def changed(**fields: object) -> BibliographyEntry:
    return replace(ENTRY, citation=replace(ENTRY.citation, **fields))


def judged(entry: BibliographyEntry) -> tuple[str, list[str]]:
    identified = [work for work in (WORK, OTHER) if entry.citation.doi in work.dois]
    found = check_entry(entry, identified, [WORK])
    return found.verdict, [difference.field for difference in found.differences]


@pytest.mark.parametrize(
    "entry",
    [
        ENTRY,
        changed(authors=(PersonName("Titov", "I."), PersonName("Khoddam", "E."), PersonName("von Daniken", "P."))),
        changed(title="Semantic roles by reconstruction"),
        changed(year="2014"),
        changed(venue="NAACL"),
        changed(venue="Proc. Conf. North American Chapter Assoc."),
        changed(doi=""),
        replace(changed(authors=(parse_name("Iván Tïtov"),)), truncated=True),
        changed(authors=(parse_name("Titov I"), parse_name("Khoddam E"), parse_name("von Däniken P"))),
        changed(authors=(PersonName("IV", "Titov"), PersonName("ES", "Khoddam"), PersonName("P", "von Däniken"))),
        changed(authors=(PersonName("Role Labelling Consortium"),)),
        changed(pages="15-32"),
    ],
)
def test_the_usual_noise_is_no_error(entry: BibliographyEntry) -> None:
    assert judged(entry) == ("matches", [])


@pytest.mark.parametrize(
    ("entry", "verdict", "fields"),
    [
        (changed(year="2013"), "differs", ["year"]),
        (changed(venue="Owl Journal"), "differs", ["venue"]),
        (changed(doi="10.9/unknown"), "differs", ["doi"]),
        (changed(authors=ENTRY.citation.authors[:2]), "differs", ["author"]),
        (changed(authors=ENTRY.citation.authors[::-1]), "differs", ["author order"]),
        (changed(authors=(parse_name("Ada Ames"), parse_name("Bo Berg"))), "mixed", ["authors"]),
        (changed(doi="10.1/owl"), "mixed", ["doi", "doi"]),
        (changed(venue="arXiv preprint arXiv:1412.2812", year="2012", doi=""), "preprint_of", []),
    ],
)
def test_an_error_is_found_and_named(entry: BibliographyEntry, verdict: str, fields: list[str]) -> None:
    assert judged(entry) == (verdict, fields)


@pytest.mark.parametrize(
    ("fields", "differing"),
    [
        ({"volume": "45", "issue": "1", "pages": "5-32"}, []),
        ({"volume": "54"}, ["volume"]),
        ({"issue": "2"}, ["issue"]),
        ({"issue": "Suppl. 2"}, []),
        ({"pages": "15-32"}, ["pages"]),
        ({"pages": "5-23"}, ["pages"]),
        ({"pages": "5"}, []),
        ({"pages": "1-28"}, []),
        ({"pages": "e32"}, []),
        ({"volume": "54", "venue": "CoRR"}, []),
    ],
)
def test_the_place_in_a_journal_is_compared(fields: dict[str, str], differing: list[str]) -> None:
    work = KnownWork(
        "f", "Random Forests", year=2001, venues=("Machine Learning",), volume="45", issue="1", pages="5-32"
    )
    entry = BibliographyEntry("f", replace(Citation(work.title, year="2001", venue="Mach. Learn."), **fields))
    assert [item.field for item in check_entry(entry, [], [work]).differences] == differing


def test_pages_may_leave_out_what_the_last_has_of_the_first() -> None:
    work = KnownWork("l", "Long Short-Term Memory", venues=("Neural Computation",), pages="1735-1780")
    entry = BibliographyEntry("l", Citation(work.title, venue="Neural Comput.", pages="1735-80"))
    assert check_entry(entry, [], [work]).verdict == "matches"


@pytest.mark.parametrize(("pages", "verdict"), [("6000-6010", "matches"), ("6500-6510", "differs")])
def test_editions_of_proceedings_count_pages_from_different_starts(pages: str, verdict: str) -> None:
    venue = "Advances in Neural Information Processing Systems"
    work = KnownWork("a", "Attention Is All You Need", venues=(venue,), pages="5998-6008")
    entry = BibliographyEntry("a", Citation(work.title, venue=venue, kind="paper-conference", pages=pages))
    assert check_entry(entry, [], [work]).verdict == verdict


def test_one_of_two_authors_of_one_name_is_missed() -> None:
    work = KnownWork("w", "Silver Linings of Annotation", ("Ada Miletić", "Bo Miletić"))
    entry = BibliographyEntry("m", Citation(work.title, (parse_name("Bo Miletić"),)))
    found = check_entry(entry, [], [work])
    assert [(item.field, item.entry) for item in found.differences] == [("author", "")]


def test_of_works_with_one_title_the_one_that_agrees_counts() -> None:
    twin = replace(WORK, work_id="w3", year=2009, venues=("Owl Journal",), dois=frozenset())
    found = check_entry(changed(doi=""), [], [twin, WORK])
    assert (found.verdict, found.work) == ("matches", WORK)


def test_nothing_known_accuses_nobody_and_a_retraction_is_said() -> None:
    assert check_entry(ENTRY, [], [OTHER]).verdict == "unknown_here"
    title = "RETRACTED: Owls in the Dark"
    entry = BibliographyEntry("x", Citation(title))
    assert check_entry(entry, [], [replace(OTHER, title=title)]).verdict == "retracted"


def test_entries_about_one_work_are_the_same() -> None:
    assert same_work(ENTRY, changed(doi="", year="2014"))
    assert not same_work(ENTRY, changed(doi="", title="Owls in the Dark"))
