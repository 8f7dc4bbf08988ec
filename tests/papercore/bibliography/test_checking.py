"""A bibliography entry beside the works that it may mean: noise is no error, and an error is named."""

import pytest
from msgspec.structs import replace

from papercore.bibliography.checking import BibliographyEntry, KnownWork, check_entry, same_venue, same_work
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
        (changed(authors=(parse_name("Ada Ames"), parse_name("Bo Berg"))), "mixed", ["authors"]),
        (changed(doi="10.1/owl"), "mixed", ["doi", "doi"]),
        (changed(venue="arXiv preprint arXiv:1412.2812", year="2012", doi=""), "preprint_of", []),
    ],
)
def test_an_error_is_found_and_named(entry: BibliographyEntry, verdict: str, fields: list[str]) -> None:
    assert judged(entry) == (verdict, fields)


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


def test_venues_are_known_by_words_abbreviations_and_initials() -> None:
    assert same_venue("NeurIPS 2017", "Advances in Neural Information Processing Systems 30")
    assert same_venue("EMNLP", "Empirical Methods in Natural Language Processing")
    assert same_venue("J. Mach. Learn. Res.", "Journal of Machine Learning Research")
    assert not same_venue("Owl Journal", "Journal of Machine Learning Research")
