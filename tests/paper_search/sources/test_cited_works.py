"""Entries of a bibliography looked up online, against local servers that answer in the sources' shapes."""

import pytest

from ingest.reading.bibliography import WARM_READER
from paper_search.sources.cited_works import CitedWorks
from papercore.bibliography.checking import BibliographyEntry, FoundElsewhere, check_entry
from tests.paper_search.http_server import Answer
from tests.paper_search.sources.answers import EMPTY, GOOD
from tests.paper_search.sources.test_lookup import CROSSREF_WORK, OPENALEX_WORK, sources

DEEP = "title = {Deep Learning}, author = {LeCun, Yann and {A Consortium}}, year = 2015, journal = {Nature}"
ATTENTION = "title = {Attention is all you need}, author = {Ashish Vaswani and Noam Shazeer}"


def entry_of(fields: str) -> BibliographyEntry:
    return WARM_READER.read(f"@article{{key, {fields}}}").entries[0].entry


def look_up(fields: str, **answers: Answer) -> FoundElsewhere:
    with sources(**answers) as (config, _):
        return next(CitedWorks(config).look_up([entry_of(fields)]))


def verdict(fields: str, **answers: Answer) -> str:
    found = look_up(fields, **answers)
    works = [found.work] if found.work else []
    return check_entry(entry_of(fields), *((works, []) if found.by_identifier else ([], works))).verdict


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (f"{DEEP}, doi = {{10.1038/nature14539}}", "matches"),
        (f"{DEEP.replace('2015', '2011')}, doi = {{10.1038/nature14539}}", "differs"),
        ("title = {Owls of the Northern Woods}, year = 2015, doi = {10.1038/nature14539}", "mixed"),
        ("title = {Deep learning}, author = {Owl, A. and Crow, B.}, doi = {10.1038/nature14539}", "mixed"),
    ],
)
def test_an_entry_is_compared_with_the_record_of_its_doi(fields: str, said: str) -> None:
    assert verdict(fields, crossref=Answer(CROSSREF_WORK)) == said


@pytest.mark.parametrize("mark", [{"updated-by": [{"type": "retraction"}]}, {"title": ["RETRACTED: Deep learning"]}])
def test_what_the_source_calls_retracted_is(mark: dict[str, object]) -> None:
    record = CROSSREF_WORK["message"] | mark
    answer = Answer({"message": record})
    assert verdict(f"{DEEP}, doi = {{10.1038/nature14539}}", crossref=answer) == "retracted"


def test_a_doi_that_leads_to_another_is_no_difference() -> None:
    assert verdict(f"{DEEP}, doi = {{10.1000/older}}", crossref=Answer(CROSSREF_WORK)) == "matches"


def test_a_subtitle_that_is_registered_apart_belongs_to_the_title() -> None:
    answer = Answer({"message": CROSSREF_WORK["message"] | {"title": ["Depth"], "subtitle": ["A Tree System"]}})
    fields = f"{DEEP.replace('Deep Learning', 'Depth: A Tree System')}, doi = {{10.1038/nature14539}}"
    assert verdict(fields, crossref=answer) == "matches"


def test_a_preprint_does_not_tell_when_and_where_a_work_was_published() -> None:
    published = (
        f"{ATTENTION}, year = 2020, journal = {{Transactions of Owls}}, url = {{https://arxiv.org/abs/1706.03762}}"
    )
    assert verdict(published, arxiv=GOOD["arxiv"]) == "matches"


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        (DEEP, True),
        (DEEP.replace("2015", "2009"), True),
        (DEEP.replace("LeCun, Yann and ", ""), True),
        ("title = {Deep Learning}, author = {Owl, A.}, year = 2009", False),
        ("title = {Deep Learning}", False),
        (DEEP.replace("Deep Learning", "Deeper Learning"), False),
    ],
)
def test_a_title_counts_only_with_its_first_author_or_year(fields: str, found: bool) -> None:
    answer = look_up(fields, crossref=GOOD["crossref"], openalex=EMPTY["openalex"], arxiv=EMPTY["arxiv"])
    assert (answer.work is not None) == found
    if not found:
        assert answer.note == "Crossref, OpenAlex and arXiv have no paper with this title and its first author or year."


def test_a_title_is_asked_of_one_after_the_other() -> None:
    with sources(crossref=EMPTY["crossref"], openalex=EMPTY["openalex"], arxiv=GOOD["arxiv"]) as (config, services):
        found = next(CitedWorks(config).look_up([entry_of(ATTENTION)]))
    assert found.work
    assert found.work.source == "arXiv"
    assert services["crossref"].asked[0].params["query.bibliographic"].lower() == "attention is all you need"
    assert services["openalex"].asked[0].params["search"].lower() == '"attention is all you need"'
    assert services["arxiv"].asked[0].params["search_query"].lower() == '(all:"attention is all you need")'


def test_what_could_not_be_asked_is_said_of_each_entry_and_accuses_nobody() -> None:
    limited = Answer("slow down", 429, {"Retry-After": "3600"})
    entries = [entry_of(DEEP), entry_of(f"{DEEP}, doi = {{10.1000/1}}")]
    with sources(crossref=limited, openalex=limited, arxiv=limited) as (config, services):
        first, second = CitedWorks(config).look_up(entries)
    assert first.note.startswith("Not looked up online: Crossref rate limit (429); OpenAlex rate limit (429)")
    assert second.note == "Not looked up online: Crossref rate limit (429); OpenAlex rate limit (429)."
    assert (first.work, second.work) == (None, None)
    assert [len(services[name].asked) for name in ("crossref", "openalex", "arxiv")] == [1, 1, 1]


def test_it_is_bounded_in_count_and_in_time() -> None:
    entries = [entry_of(f"{DEEP}, doi = {{10.7717/peerj.4375}}")] * 3
    with sources(openalex=Answer(OPENALEX_WORK)) as (config, services):
        notes = [found.note for found in CitedWorks(config, most=1).look_up(entries)]
        late = [found.note for found in CitedWorks(config, seconds=0).look_up(entries)]
    assert notes == ["", *["Not looked up online: too many entries for one check."] * 2]
    assert late == ["Not looked up online: the time for one check was used up."] * 3
    assert len(services["openalex"].asked) == 1
