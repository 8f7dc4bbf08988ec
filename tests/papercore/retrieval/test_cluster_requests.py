"""What is sent to a search cluster, and what happens when it does not answer. No cluster is needed here."""

import socket
import threading
from collections.abc import Iterator

import pytest

from papercore.retrieval import (
    ClusterAddress,
    Document,
    Filters,
    IndexBusy,
    PassageEntry,
    build_index_on_cluster,
    open_cluster,
)
from papercore.retrieval.basics import query
from papercore.retrieval.basics.errors import EngineFailed
from papercore.retrieval.cluster_indexes import ClusterIndexes
from papercore.retrieval.engines.interface import PassageQuery, WordQuery
from papercore.retrieval.engines.opensearch.cluster import FAILURES, REST_SECONDS, CircuitBreaker, Cluster
from papercore.retrieval.engines.opensearch.documents import fill_document, spaced
from papercore.retrieval.engines.opensearch.passages import fill_passages, numbered, search_body
from papercore.retrieval.engines.opensearch.registry import IndexNames
from papercore.retrieval.engines.opensearch.words import ClusterCompiler
from papercore.retrieval.engines.word_clauses import WordClauses
from tests.papercore.retrieval.collection import FACETS, PAPERS

# Whatever parses text on the cluster, or runs as a program there.
PARSERS = {"query_string", "simple_query_string", "script", "script_score", "regexp", "wildcard", "template", "source"}
HOSTILE = [
    '"} , {"match_all": {}}',
    "title:(a OR b) AND +c -d ~2 ^9 *",
    "_exists_:id /.*/ [* TO *]",
    '"neural \\" networks" year:1900..2100 author:smith soup*',
    "{{script}} ${jndi:x} 深度学习 学",
]


@pytest.fixture
def nobody() -> Iterator[ClusterAddress]:
    """An address at which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield ClusterAddress((f"http://127.0.0.1:{taken.getsockname()[1]}",), user="anna", password="s3cret-word")


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_reaches_a_parser_of_the_cluster(text: str) -> None:
    compiler = ClusterCompiler(lambda facet, value: ())
    sought = WordQuery(query.parse(text, ("title", *FACETS)), Filters(values=(("author", text),)), text)
    for ranking in (True, False):
        sent = compiler.query(WordClauses(FACETS, ranking=ranking).query(sought))
        assert PARSERS.isdisjoint(_keys(sent))
        terms = [value for value in _texts(sent) if not value.replace("_", "").replace(" ", "").isalnum()]
        assert terms == [], "only terms that our analysis made are sent"


@pytest.mark.parametrize("text", HOSTILE)
def test_a_search_for_passages_sends_terms_alone(text: str) -> None:
    sent = search_body(PassageQuery(text, 5, frozenset([3, 1])))["query"]
    assert PARSERS.isdisjoint(_keys(sent))
    assert all(value.isalnum() for value in _texts(sent))
    assert sent["bool"]["filter"] == [{"terms": {"document": [1, 3]}}]


def test_passages_are_numbered_in_the_order_of_documents_and_of_their_text() -> None:
    passages = [PassageEntry("Deep networks of 深度学习.", "Methods", b"place"), PassageEntry("The end.")]
    filled = list(fill_passages(Document("a", "Networks", passages=passages)))
    assert (filled[0]["words"], filled[0]["around"]) == ("deep network 深度 度学 学习 习", "network method")
    numbers = [entry["number"] for row in (0, 1, 2**30) for entry in numbered(filled, row)]
    assert numbers == sorted(set(numbers))


def test_a_build_of_a_version_without_passages_is_not_used() -> None:
    listed = {"papers": "site-1", "values": "site-1-values"}
    assert IndexNames.listed(listed) is None
    assert IndexNames.listed({**listed, "passages": "site-1-passages"}) is not None


def _keys(part: object) -> Iterator[str]:
    if isinstance(part, dict):
        for key, value in part.items():
            yield str(key)
            yield from _keys(value)
    elif isinstance(part, list):
        for item in part:
            yield from _keys(item)


def _texts(part: object) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for value in part.values():
            yield from _texts(value)
    elif isinstance(part, list):
        for item in part:
            yield from _texts(item)


def test_a_stop_word_keeps_its_place_between_terms() -> None:
    assert spaced([(1, "state"), (4, "art"), (5, "model")]) == "state _ _ art model"
    assert spaced([]) == ""


def test_every_searched_field_holds_terms_alone() -> None:
    entry = fill_document(PAPERS[0], 0, {"author": [0]})
    for field in ("all", "words_author"):
        assert all(text == text.lower() for text in entry[field])
    assert entry["stored"]["title_text"] == PAPERS[0].title


def test_after_failures_in_a_row_the_cluster_is_left_alone_and_tried_again_by_one() -> None:
    now = [0.0]
    breaker = CircuitBreaker(lambda: now[0])
    for _ in range(FAILURES):
        assert breaker.admit()
        breaker.failed()
    assert not breaker.admit()
    now[0] += REST_SECONDS
    assert [breaker.admit() for _ in range(3)] == [True, False, False]
    breaker.succeeded()
    assert breaker.admit()
    assert not breaker.is_open


def test_a_success_forgives_earlier_failures() -> None:
    breaker = CircuitBreaker(lambda: 0.0)
    for _ in range(3 * FAILURES):
        breaker.failed()
        breaker.succeeded()
    assert breaker.admit()


def test_a_cluster_that_is_gone_has_no_index_and_says_why(nobody: ClusterAddress) -> None:
    indexes = open_cluster(nobody)
    assert [indexes.open("one") for _ in range(5)] == [None] * 5
    assert "cluster" in indexes.problem("one")


def test_the_first_questions_wait_for_the_one_that_opens_the_index() -> None:
    """Whoever asks while the index is being opened gets it, too: here, the reason why there is none."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = ClusterAddress((f"http://127.0.0.1:{silent.getsockname()[1]}",))
        indexes = ClusterIndexes(Cluster(address, seconds=0.5))
        failing: list[bool] = []

        def ask() -> None:
            indexes.open("one")
            failing.append(indexes.failing("one"))

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
    assert failing == [True] * 4


def test_a_build_on_a_cluster_that_is_gone_fails_without_naming_it(nobody: ClusterAddress) -> None:
    with pytest.raises(EngineFailed) as caught:
        build_index_on_cluster(nobody, PAPERS, facets=FACETS, build_id="one")
    assert not isinstance(caught.value, IndexBusy)
    assert "127.0.0.1" not in caught.value.message


def test_credentials_are_not_shown(nobody: ClusterAddress, caplog: pytest.LogCaptureFixture) -> None:
    indexes = open_cluster(nobody)
    indexes.open("one")
    shown = f"{nobody!r} {indexes.problem('one')} {caplog.text}"
    assert "s3cret-word" not in shown
    assert "anna" not in shown
