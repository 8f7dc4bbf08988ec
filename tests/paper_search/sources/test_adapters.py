"""The network sources against a local server: what they ask for, and what they make of the answer."""

import asyncio
import logging

import pytest

from paper_search.config import KNOWN_SOURCES, AppConfig, SearchSourceConfig
from paper_search.models import PaperTag, QueryBuilderInput, RawPaper, SearchConstraints, SearchQuery, SourceFacts
from paper_search.plan import SearchPlan
from paper_search.skills.query_builder import RuleQueryBuilder
from paper_search.skills.searcher import SourceSearcher
from paper_search.skills.thesaurus import Thesaurus
from paper_search.sources.arxiv import with_prefix
from paper_search.sources.interface import SourceError
from paper_search.workflow.assembly import make_source
from tests.paper_search.http_server import Answer, Service, serving
from tests.paper_search.sources.answers import EMPTY, GOOD, ODD

QUERY = SearchQuery(keywords=["graph networks"], boolean_query='("graph networks" OR gnn) AND molecules NOT sodium')


YEARS = SearchConstraints(year_from=2010, year_to=2020, max_results=50)


NETWORK = sorted(set(KNOWN_SOURCES) - {"snapshot"})


PLAN = SearchPlan.model_validate(
    {
        "concepts": [["graph networks", "gnn"], ["molecules"]],
        "not": ["sodium"],
        "authors": ["Kipf", "Max Welling"],
        "not_authors": ["Nobody"],
        "venues": ["ICLR"],
        "kinds": ["survey"],
        "year_from": 2015,
        "languages": ["en"],
        "max_results": 5,
    }
)


async def no_sleep(seconds: float) -> None:
    pass


async def ask(
    service: Service,
    name: str,
    filters: SearchConstraints = YEARS,
    domain: str = "general",
    key: str = "secret-key",
    query: SearchQuery = QUERY,
) -> list[RawPaper]:
    config = SearchSourceConfig(name=name, api_key=key, rate_limit=1000, base_url=service.address)
    source = make_source(config, AppConfig(domain=domain, contact="me@example.org", timeout=5))
    source.client.sleep = no_sleep  # type: ignore[attr-defined]  # the network sources have one
    return await source.search(query, filters)


def papers(name: str, *answers: Answer) -> list[RawPaper]:
    with serving(*answers) as service:
        return asyncio.run(ask(service, name))


def test_openalex_is_read() -> None:
    first, second = papers("openalex", GOOD["openalex"])
    assert first.model_dump(exclude={"facts"}) == RawPaper(
        id="openalex:W2741809807",
        doi="10.7717/peerj.4375",
        title="The state of OA: a large-scale analysis",
        authors=[{"name": "Heather Piwowar"}],
        abstract="Despite growth and growth",
        year=2018,
        venue="PeerJ",
        source="openalex",
        citation_count=1042,
        full_text_url="https://peerj.com/articles/4375.pdf",
    ).model_dump(exclude={"facts"})
    assert (second.venue, second.abstract, second.year, second.citation_count) == (None, None, None, 0)


def test_openalex_follows_cursors_until_there_are_enough() -> None:
    def page(number: int, cursor: str | None) -> Answer:
        return Answer(
            {"meta": {"next_cursor": cursor}, "results": [{"id": f"x/W{number}", "display_name": f"Paper {number}"}]}
        )

    with serving(page(1, "c2"), page(2, "c3"), page(3, None)) as service:
        found = asyncio.run(ask(service, "openalex", SearchConstraints(max_results=2)))
    assert [paper.id for paper in found] == ["openalex:W1", "openalex:W2"]
    assert [asked.params["cursor"] for asked in service.asked] == ["*", "c2"]


def test_openalex_is_asked_for_a_language_and_odd_abstracts_are_left_out() -> None:
    odd = {"id": "x/W1", "display_name": "One", "abstract_inverted_index": {"far": [10_000_000, "no"], "near": [0]}}
    with serving(Answer({"meta": {}, "results": [odd]})) as service:
        (paper,) = asyncio.run(ask(service, "openalex", SearchConstraints(language="de", max_results=1)))
    assert "language:de" in service.asked[0].params["filter"]
    assert paper.abstract == "near"


def test_crossref_is_read() -> None:
    first, second = papers("crossref", GOOD["crossref"])
    assert (first.title, first.year, first.venue, first.citation_count) == ("Deep learning", 2015, "Nature", 50000)
    assert [author.name for author in first.authors] == ["Yann LeCun", "A Consortium"]
    assert first.abstract == "Deep learning allows <models>."
    assert (second.title, second.year, second.venue) == ("Odd", None, None)


def test_crossref_leaves_out_what_is_no_paper() -> None:
    items = [
        {"DOI": "10.1/a", "title": ["Figure 1"], "type": "component"},
        {"DOI": "10.1/b", "title": ["Review of a paper"], "type": "peer-review"},
        {"DOI": "10.1/c", "title": ["A paper"], "type": "journal-article", "language": "de"},
    ]
    (paper,) = papers("crossref", Answer({"message": {"items": items}}))
    assert (paper.title, paper.facts.language) == ("A paper", "de")


def test_signs_in_an_abstract_are_no_markup() -> None:
    item = {"DOI": "10.1/a", "title": ["T"], "abstract": "<jats:p>p < 0.05 in A, and r > 0.8 <i>here</i></jats:p>"}
    (paper,) = papers("crossref", Answer({"message": {"items": [item]}}))
    assert paper.abstract == "p < 0.05 in A, and r > 0.8 here"


def test_europe_pmc_has_whole_names_and_languages() -> None:
    author = {"fullName": "Smith J", "firstName": "Jane", "lastName": "Smith"}
    record = {"id": "1", "title": "T", "authorList": {"author": [author]}}
    with serving(Answer({"resultList": {"result": [record]}})) as service:
        (paper,) = asyncio.run(ask(service, "europe_pmc", SearchConstraints(language="de", max_results=1)))
    assert paper.authors[0].name == "Jane Smith"
    assert service.asked[0].params["query"].endswith('AND LANG:"ger"')


def test_openalex_flags_retractions_and_asks_for_the_fields_it_reads() -> None:
    item = {"id": "x/W1", "display_name": "One", "is_retracted": True, "language": "en"}
    with serving(Answer({"meta": {}, "results": [item]})) as service:
        (paper,) = asyncio.run(ask(service, "openalex", SearchConstraints(max_results=1)))
    assert paper.facts == SourceFacts(language="en", retracted=True)
    assert "abstract_inverted_index" in service.asked[0].params["select"]


def test_crossref_and_europe_pmc_flag_retractions_too() -> None:
    item = {"DOI": "10.1/a", "title": ["T"], "updated-by": [{"type": "retraction", "DOI": "10.1/b"}]}
    (paper,) = papers("crossref", Answer({"message": {"items": [item]}}))
    assert paper.facts == SourceFacts(retracted=True)
    record = {"id": "1", "title": "T", "pubTypeList": {"pubType": ["Journal Article", "Retracted Publication"]}}
    (paper,) = papers("europe_pmc", Answer({"resultList": {"result": [record]}}))
    assert paper.facts == SourceFacts(retracted=True)
    odd = {"id": "1", "title": "T", "pubTypeList": {"pubType": "Review"}}
    (paper,) = papers("europe_pmc", Answer({"resultList": {"result": [odd]}}))
    assert paper.facts == SourceFacts()


def test_kinds_that_are_not_wanted_are_left_out_where_the_service_can() -> None:
    filters = SearchConstraints(excluded_kinds=[PaperTag.review, PaperTag.thesis], max_results=1)
    with serving(Answer({"meta": {}, "results": []})) as service:
        asyncio.run(ask(service, "openalex", filters))
    assert service.asked[0].params["filter"] == "type:!review,type:!dissertation"
    with serving(Answer({"resultList": {}})) as service:
        asyncio.run(ask(service, "europe_pmc", filters))
    assert service.asked[0].params["query"].endswith('NOT PUB_TYPE:"Review"')


def test_and_not_is_one_operator_on_arxiv() -> None:
    assert with_prefix("graphs AND NOT trees", "all:") == "all:graphs ANDNOT all:trees"
    assert with_prefix("graphs NOT trees", "all:") == "all:graphs ANDNOT all:trees"


def test_further_pages_are_fetched_until_there_are_enough() -> None:
    def page(first: int, count: int) -> Answer:
        return Answer({"data": [{"paperId": str(first + number), "title": "T"} for number in range(count)]})

    with serving(page(0, 100), page(100, 40)) as service:
        found = asyncio.run(ask(service, "semantic_scholar", SearchConstraints(max_results=300)))
    assert len(found) == 140
    assert [asked.params["offset"] for asked in service.asked] == ["0", "100"]


def test_lone_surrogates_and_deep_json_do_not_get_through() -> None:
    lone = '{"data": [{"paperId": "1", "title": "Odd \\ud800 title"}]}'
    (paper,) = papers("semantic_scholar", Answer(lone))
    assert paper.model_dump_json()
    with pytest.raises(SourceError, match="not JSON"):
        papers("semantic_scholar", Answer('{"data": ' + "[" * 200_000))


def test_arxiv_is_read() -> None:
    first, second = papers("arxiv", GOOD["arxiv"])
    assert (first.id, first.title, first.year) == ("arxiv:1706.03762", "Attention Is All You Need", 2017)
    assert (first.doi, first.venue) == ("10.5555/3295222", "NeurIPS 2017")
    assert first.abstract == "We propose a model with p < 0.05."
    assert (second.id, second.venue, second.abstract) == ("arxiv:hep-th/9901001", "arXiv", None)


def test_arxiv_refuses_entities_and_error_feeds() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "b">]><feed/>'
    error = (
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/api/errors#bad</id>'
        "<title>Error</title></entry></feed>"
    )
    with pytest.raises(SourceError, match="not a feed"):
        papers("arxiv", Answer(bomb))
    with pytest.raises(SourceError, match="refused the query"):
        papers("arxiv", Answer(error))


def test_semantic_scholar_is_read() -> None:
    (paper,) = papers("semantic_scholar", GOOD["semantic_scholar"])
    assert (paper.venue, paper.abstract, paper.doi) == (None, None, None)
    assert paper.facts == SourceFacts(arxiv_id="1710.10903")
    assert paper.bibtex == "@article{v, title={Graph Attention Networks}}"


def test_europe_pmc_is_read() -> None:
    first, second = papers("europe_pmc", GOOD["europe_pmc"])
    assert (first.title, first.year, first.venue) == ("Cancer in mice", 2019, "Cell")
    assert first.abstract == "Background Mice & men."
    assert [author.name for author in first.authors] == ["Smith J", "The Group"]
    assert first.full_text_url == "https://europepmc.org/x"
    assert [author.name for author in second.authors] == ["Doe J", "Roe R"]


def test_a_record_without_title_or_id_is_no_paper() -> None:
    records = [{"id": "1"}, {"title": "No id"}]
    with serving(Answer({"resultList": {"result": records}})) as service:
        assert asyncio.run(ask(service, "europe_pmc", SearchConstraints())) == []


def test_serpapi_is_read() -> None:
    (paper,) = papers("serpapi", GOOD["serpapi"])
    assert (paper.year, paper.venue, paper.citation_count) == (2009, "Journal of the American", 25000)
    assert [author.name for author in paper.authors] == ["A Kojima", "K Teshima"]


def test_serpapi_without_a_key_says_so() -> None:
    source = make_source(SearchSourceConfig(name="serpapi"), AppConfig())
    with pytest.raises(SourceError, match="needs an API key"):
        asyncio.run(source.search(QUERY, YEARS))


def test_a_service_that_refuses_the_query_is_an_error_and_one_without_hits_is_none() -> None:
    nothing = {"error": "Google hasn't returned any results for this query."}
    with serving(Answer(nothing), Answer({"error": "Your account is closed."})) as service:
        assert asyncio.run(ask(service, "serpapi", SearchConstraints())) == []
        with pytest.raises(SourceError, match="refused"):
            asyncio.run(ask(service, "serpapi", SearchConstraints()))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "openalex",
            {
                "search": QUERY.boolean_query,
                "filter": "from_publication_date:2010-01-01,to_publication_date:2020-12-31,"
                "primary_topic.field.id:25|16|31",
                "per_page": "50",
                "cursor": "*",
                "api_key": "secret-key",
            },
        ),
        (
            "crossref",
            {
                "query.bibliographic": "graph networks",
                "rows": "50",
                "filter": "from-pub-date:2010,until-pub-date:2020",
                "mailto": "me@example.org",
            },
        ),
        (
            "arxiv",
            {
                "search_query": '((all:"graph networks" OR all:gnn) AND all:molecules ANDNOT all:sodium) AND '
                "(cat:cond-mat* OR cat:physics.chem-ph OR cat:physics.app-ph) AND "
                "submittedDate:[201001010000 TO 202012312359]",
                "start": "0",
                "max_results": "50",
                "sortBy": "relevance",
            },
        ),
        ("semantic_scholar", {"year": "2010-2020", "fieldsOfStudy": "Materials Science,Chemistry,Physics"}),
        ("europe_pmc", {"query": f"({QUERY.boolean_query}) AND PUB_YEAR:[2010 TO 2020]", "resultType": "core"}),
        ("serpapi", {"q": '("graph networks" OR gnn) molecules -sodium', "as_ylo": "2010", "as_yhi": "2020"}),
    ],
)
def test_each_source_is_asked_in_its_own_form(name: str, expected: dict[str, str]) -> None:
    with serving(GOOD[name]) as service:
        asyncio.run(ask(service, name, domain="materials_science"))
    assert expected.items() <= service.asked[0].params.items()
    assert service.asked[0].headers.get("x-api-key") == ("secret-key" if name == "semantic_scholar" else None)


@pytest.mark.parametrize("name", ["arxiv", "europe_pmc", "semantic_scholar", "openalex"])
def test_without_years_none_are_asked_for(name: str) -> None:
    with serving(EMPTY[name]) as service:
        assert asyncio.run(ask(service, name, SearchConstraints(), key="")) == []
    assert "2999" not in str(service.asked[0].params)
    assert not {"year", "api_key"} & set(service.asked[0].params)


@pytest.mark.parametrize("name", NETWORK)
def test_nothing_found_is_no_error(name: str) -> None:
    assert papers(name, EMPTY[name]) == []


@pytest.mark.parametrize("name", NETWORK)
def test_odd_fields_are_skipped(name: str) -> None:
    assert papers(name, ODD[name]) == []


@pytest.mark.parametrize("name", NETWORK)
@pytest.mark.parametrize("body", ["<html>Bad gateway</html>", "[1, 2]", "{", "", "\x00\xff"])
def test_an_answer_of_another_shape_is_reported(name: str, body: str) -> None:
    with pytest.raises(SourceError, match="answered"):
        papers(name, Answer(body))


@pytest.mark.parametrize("name", NETWORK)
def test_a_short_rate_limit_is_waited_for(name: str) -> None:
    assert papers(name, Answer("slow down", 429, {"Retry-After": "1"}), Answer("", 503), GOOD[name])


@pytest.mark.parametrize(
    ("answer", "message", "requests"),
    [
        (Answer("", 429), "rate limit \\(429\\)", 3),
        (Answer("", 429, {"Retry-After": "3600"}), "rate limit \\(429\\)", 1),
        (Answer("", 429, {"Retry-After": "Wed, 21 Oct 2099 07:28:00 GMT"}), "rate limit \\(429\\)", 1),
        (Answer("", 429, {"x-ratelimit-remaining": "0"}), "rate limit \\(429\\)", 1),
        (Answer("", 500), "server error \\(500\\)", 3),
        (Answer("", 403), "access refused \\(403\\)", 1),
        (Answer("", 406), "refused the query \\(406\\)", 1),
        (Answer("", 302, {"Location": "http://example.org"}), "refused the query \\(302\\)", 1),
    ],
)
def test_a_refusal_is_reported_in_a_few_words(answer: Answer, message: str, requests: int) -> None:
    with serving(answer) as service:
        with pytest.raises(SourceError, match=message) as caught:
            asyncio.run(ask(service, "openalex"))
        assert "secret-key" not in caught.value.message
    assert len(service.asked) == requests


def test_keys_stay_out_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "httpx"), serving(GOOD["openalex"]) as service:
        asyncio.run(ask(service, "openalex"))
    assert "api_key=..." in caplog.text
    assert "secret-key" not in caplog.text


# What each source is sent of the plan, and what it has no field for.
REQUESTS = {
    "arxiv": (
        {
            "search_query": '((all:"graph networks" OR all:gnn) AND all:molecules) AND '
            '(au:kipf OR au:"max welling") AND (jr:iclr OR co:iclr) AND submittedDate:[201501010000 TO 299912312359] '
            "ANDNOT (ti:sodium) ANDNOT (au:nobody)"
        },
        ["kinds"],
        ["languages"],
    ),
    "crossref": (
        {
            "query.bibliographic": "graph networks molecules",
            "query.author": "Kipf Max Welling",
            "query.container-title": "learning representations",
            "filter": "from-pub-date:2015",
        },
        ["languages", "authors", "venues", "kinds", "not", "not_authors"],
        [],
    ),
    "europe_pmc": (
        {
            "query": '(("graph networks" OR gnn) AND molecules) AND PUB_YEAR:[2015 TO 2999] AND '
            '(AUTH:"kipf" OR AUTH:"max welling") AND JOURNAL:"iclr" AND LANG:"eng" AND PUB_TYPE:"Review" '
            'NOT TITLE:"sodium" NOT AUTH:"nobody"'
        },
        ["kinds"],
        [],
    ),
    "openalex": (
        {
            "search": '("graph networks" OR gnn) AND molecules',
            "filter": "from_publication_date:2015-01-01,language:en,raw_author_name.search:kipf|max welling,"
            "primary_location.source.id:S4306419637,type:review",
        },
        ["kinds", "not", "not_authors"],
        [],
    ),
    "semantic_scholar": (
        {"query": "graph networks molecules", "year": "2015-", "venue": "ICLR", "publicationTypes": "Review"},
        ["authors", "kinds", "not", "not_authors"],
        ["languages"],
    ),
    "serpapi": (
        {
            "q": '("graph networks" OR gnn) molecules (author:kipf OR author:"max welling") source:iclr '
            "-intitle:sodium",
            "as_ylo": "2015",
            "lr": "lang_en",
        },
        ["kinds", "not_authors"],
        [],
    ),
}


@pytest.mark.parametrize("name", NETWORK)
def test_the_plan_reaches_each_source_in_its_own_fields_and_the_report_says_what_did_not(name: str) -> None:
    builder = RuleQueryBuilder([name], Thesaurus())
    strategy = asyncio.run(builder.build(QueryBuilderInput(intent=PLAN.intent())))
    venue = Answer({"results": [{"id": "https://openalex.org/S4306419637"}]})
    expected, checked_here, ignored = REQUESTS[name]
    with serving(*([venue] if name == "openalex" else []), EMPTY[name]) as service:
        config = SearchSourceConfig(name=name, api_key="key", rate_limit=1000, base_url=service.address)
        source = make_source(config, AppConfig(timeout=5))
        source.client.sleep = no_sleep  # type: ignore[attr-defined]  # the network sources have one
        report = asyncio.run(SourceSearcher({name: source}).search(strategy)).reports[name]
    asked = next(request for request in service.asked if "sources" not in request.path)
    assert {field: asked.params.get(field) for field in expected} == expected
    assert (report.error, report.checked_here, report.ignored) == (None, checked_here, ignored)


def test_a_venue_that_openalex_does_not_know_is_told() -> None:
    with serving(Answer({"results": []})) as service, pytest.raises(SourceError, match="knows no venue"):
        asyncio.run(ask(service, "openalex", SearchConstraints(venues=["Nowhere"], max_results=1)))
