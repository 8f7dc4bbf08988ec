"""The index beside the snapshot: built by command, taken up by itself, asked through the tools, done without."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path

import django
import pytest
from django.core.management import CommandError
from django.db import connections
from django.test import Client
from pytest_django import Settings

from ingest import BuildFolders, build_snapshot
from ingest.workers import Workers
from papercore.errors import InvalidInput
from papercore.snapshot.assets import FolderStore
from papers import tools
from papers.catalogue.schemas import SearchPage
from papers.library import index_build
from papers.snapshot import served
from papers.snapshot.errors import PaperNotFound
from papersite.command.commands import call_command
from tests import snapshot as sample
from tests.snapshot import PAPERS, SamplePaper


def ids(page: SearchPage) -> list[str]:
    return [paper.paper_id for paper in page.papers]


@pytest.fixture(scope="module")
def indexed_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("indexed")
    sample.build(folder)
    call_command("build_index", folder, stdout=StringIO(), stderr=StringIO())
    return folder


def serve(folder: Path, settings: Settings) -> Iterator[Path]:
    settings.SNAPSHOT, settings.ASSETS = folder / "paper_snapshot.db", str(folder / "static")
    served.renew()
    yield folder
    connections["snapshot"].close()


@pytest.fixture
def indexed(indexed_folder: Path, settings: Settings) -> Iterator[Path]:
    yield from serve(indexed_folder, settings)


@pytest.fixture(params=["indexed", "bare"])
def either(request: pytest.FixtureRequest, indexed_folder: Path, tmp_path: Path, settings: Settings) -> Iterator[Path]:
    """A snapshot with an index, and one without: the same questions, the same answers."""
    folder = indexed_folder
    if request.param == "bare":
        folder = tmp_path / "bare"
        sample.build(folder)
    yield from serve(folder, settings)


class TestBothWays:
    @pytest.mark.parametrize(
        ("query", "paper_id"),
        [
            ("Jürgen", "456"),
            ("jurgen", "456"),
            ("注意力机制", "123"),
            ("混合分词", "cjk-1"),
            ("10.1162/neco.1997.9.8.1735", "456"),
            ("https://arxiv.org/abs/1706.03762", "123"),
            ('"memory cell"', "456"),
            ("transformer attention", "123"),
        ],
    )
    def test_the_right_paper_comes_first(self, either: Path, query: str, paper_id: str) -> None:
        assert ids(tools.search_papers(query))[0] == paper_id

    @pytest.mark.parametrize("query", ["AND", "x AND", '"', "NEAR(a b)", "title:", "*", "-", "(", "a\0b", "{}"])
    def test_nothing_a_user_types_is_an_error(self, either: Path, query: str) -> None:
        assert len(tools.search_papers(query, facets=("author", "year")).papers) <= 20

    def test_an_empty_query_lists_the_newest_and_undated_papers_last(self, either: Path) -> None:
        assert ids(tools.search_papers(" ")) == ["cjk-1", "789", "123", "456", "undated"]

    @pytest.mark.parametrize(
        ("filters", "found"),
        [
            ({"author": "Noam Shazeer"}, {"123", "789"}),
            ({"author": "shazeer"}, {"123", "789"}),
            ({"venue": "neurips"}, {"123"}),
            ({"venue": "Neural Information Processing Systems"}, {"123"}),
            ({"keyword": "transformer", "year_from": 2018}, {"789"}),
            ({"tag": "classic"}, {"456"}),
            ({"institution": "tu münchen"}, {"456"}),
            ({"year_from": 1990, "year_to": 2000}, {"456"}),
            ({"has_source": True}, {"123", "456", "cjk-1"}),
            ({"has_source": False}, {"789", "undated"}),
            ({"language": "zh"}, {"123"}),
            ({"author": "nobody at all"}, set()),
        ],
    )
    def test_filters_narrow(self, either: Path, filters: dict[str, object], found: set[str]) -> None:
        assert set(ids(tools.search_papers("", **filters))) == found  # type: ignore[arg-type]
        assert set(ids(tools.search_papers("attention transformer memory 分词 notes", **filters))) <= found  # type: ignore[arg-type]

    def test_hits_can_be_sorted(self, either: Path) -> None:
        assert ids(tools.search_papers("transformer", sort="year", mode="words")) == ["789", "123"]
        assert ids(tools.search_papers("transformer", sort="title", mode="words")) == ["123", "789"]

    def test_pages_follow_each_other_without_gap(self, either: Path) -> None:
        first = tools.search_papers("transformer", limit=1, mode="words")
        second = tools.search_papers("transformer", page=2, page_size=1, mode="words")
        assert (first.total, first.next_offset, second.offset, second.next_offset) == (2, 1, 1, None)
        assert set(ids(first) + ids(second)) == {"123", "789"}

    def test_similar_papers_leave_out_the_paper_itself(self, either: Path) -> None:
        similar = [paper.paper_id for paper in tools.get_similar_papers("123", limit=3).papers]
        assert "123" not in similar
        with pytest.raises(PaperNotFound):
            tools.get_similar_papers("nothing")

    def test_suggestions_complete_names(self, either: Path) -> None:
        found = (
            tools.suggest("jür", kinds=("author",)).suggestions or tools.suggest("sepp", kinds=("author",)).suggestions
        )
        assert found[0].value in {"Jürgen Schmidhuber", "Sepp Hochreiter"}
        titles = tools.suggest("long sh", kinds=("title",)).suggestions
        assert [item.value for item in titles] == ["Long Short-Term Memory"]
        assert tools.suggest("").suggestions == []


class TestIndexed:
    def test_a_hit_shows_authors_as_they_are_written_and_why_it_matched(self, indexed: Path) -> None:
        hit = tools.search_papers("attention alone").papers[0]
        assert hit.authors == ["Ashish Vaswani", "Noam Shazeer", "Łukasz Kaiser"]
        assert (hit.year, hit.venue) == (2017, "NeurIPS")
        assert "**attention**" in hit.snippet_markdown.lower()
        assert hit.matched[0] == "title"
        assert hit.score is not None

    def test_facets_are_counted_over_all_hits(self, indexed: Path) -> None:
        page = tools.search_papers("transformer", limit=1, mode="words", facets=("author", "year"))
        assert page.facets["author"][0].model_dump() == {"value": "Noam Shazeer", "paper_count": 2}
        assert {item.value for item in page.facets["year"]} == {"2017", "2019"}

    def test_the_query_language_works(self, indexed: Path) -> None:
        assert ids(tools.search_papers("transformer -bidirectional")) == ["123"]
        assert ids(tools.search_papers("author:devlin")) == ["789"]
        assert ids(tools.search_papers("transformer year:2018..2020")) == ["789"]

    def test_a_slip_is_mended_and_said_with_a_way_back(self, indexed: Path, client: Client) -> None:
        found = tools.search_papers("atention alone")
        assert (found.corrected_query, ids(found)[:1]) == ("attention alone", ["123"])
        page = client.get("/papers/", {"q": "atention alone", "venue": "neurips"}).content.decode()
        assert "Showing results for" in page
        assert 'href="/papers/?q=attention+alone&amp;venue=neurips"' in page
        assert 'href="/papers/?q=atention+alone&amp;venue=neurips&amp;as_typed=1"' in page
        assert "Showing results for" not in client.get("/papers/?q=atention+alone&as_typed=1").content.decode()

    def test_what_only_shares_a_word_is_listed_apart(self, indexed: Path, client: Client) -> None:
        page = client.get("/papers/?q=recurrent+networks").content.decode()
        counted, sharing = page.split("And 1 paper that shares a word")
        assert 'href="/papers/456/?' in counted
        assert 'href="/papers/123/?' not in counted
        assert 'href="/papers/123/?' in sharing
        assert "shares a word" not in client.get("/papers/?q=recurrent+networks&sort=year").content.decode()

    def test_names_and_years_are_read_as_such_and_shown(self, indexed: Path, client: Client) -> None:
        found = tools.search_papers("devlin 2019")
        assert ids(found)[:1] == ["789"]
        assert found.understood is not None
        assert (found.understood.authors, found.understood.year) == (["devlin"], 2019)
        page = client.get("/papers/?q=devlin+2019").content.decode()
        assert "<b>by</b> <bdi>devlin</bdi>" in page
        assert 'href="/papers/?q=devlin+2019&amp;as_typed=1"' in page
        assert "Among the first" not in client.get("/papers/?q=devlin+2019&as_typed=1").content.decode()

    def test_a_slip_in_a_question_is_mended_for_passages_and_said(self, indexed: Path, client: Client) -> None:
        found = tools.search_passages("atention alone")
        assert found.corrected_query == "attention alone"
        assert found.passages == tools.search_passages("attention alone").passages
        page = client.get("/ask/?q=atention+alone").content.decode()
        assert 'href="/ask/?q=atention+alone&amp;as_typed=1"' in page
        assert "Showing results for" not in client.get("/ask/?q=atention&as_typed=1").content.decode()

    def test_conditions_in_words_are_shown_each_with_the_words_without_it(self, indexed: Path, client: Client) -> None:
        found = tools.search_papers("by Jacob Devlin since 2018")
        assert found.understood is not None
        assert (ids(found), found.understood.only) == (["789"], ["by Jacob Devlin", "since 2018"])
        page = client.get("/papers/?q=by+Jacob+Devlin+since+2018").content.decode()
        assert 'href="/papers/?q=since+2018"' in page
        assert 'href="/papers/?q=by+Jacob+Devlin"' in page
        assert tools.search_passages("transformers by Jacob Devlin").only == ["by Jacob Devlin"]
        assert 'href="/ask/?q=transformers"' in client.get("/ask/?q=transformers+by+Jacob+Devlin").content.decode()

    def test_a_snippet_cannot_bring_markup_along(self, indexed: Path) -> None:
        assert "<b>" not in tools.search_papers("friends").papers[0].snippet_markdown.replace("\\<b\\>", "")

    def test_the_state_says_what_serves(self, indexed: Path) -> None:
        assert served.index_state().status == "ready"

    def test_a_wrong_category_is_refused(self, indexed: Path) -> None:
        with pytest.raises(InvalidInput):
            tools.search_papers("x", facets=("colour",))  # type: ignore[arg-type]


def test_a_snapshot_without_an_index_says_so(own_library: Path) -> None:
    assert served.current_index() is None
    assert served.index_state().status == "missing"


def test_an_index_is_taken_up_without_restart_and_dropped_with_its_snapshot(own_library: Path) -> None:
    assert tools.search_papers("attention").papers[0].score is None
    call_command("build_index", stdout=StringIO(), stderr=StringIO())
    assert tools.search_papers("attention").papers[0].score is not None
    sample.build(own_library.parent, [*PAPERS, SamplePaper("new", "A New Paper", ["Ann Other"])], build_id="b" * 32)
    served.renew()
    assert served.index_state().status == "missing"
    assert ids(tools.search_papers("new paper"))[0] == "new"
    call_command("build_index", stdout=StringIO(), stderr=StringIO())
    assert ids(tools.search_papers("ann other"))[0] == "new"


def test_only_what_changed_is_embedded_again(own_library: Path) -> None:
    call_command("build_index", stdout=StringIO(), stderr=StringIO())
    out = StringIO()
    call_command("build_index", stdout=out, stderr=StringIO())
    assert "5 papers indexed, 0 of them embedded anew" in out.getvalue()


def test_an_index_that_fits_is_left_alone_if_asked(own_library: Path) -> None:
    call_command("build_index", stdout=StringIO(), stderr=StringIO())
    out = StringIO()
    call_command("build_index", if_needed=True, stdout=out, stderr=StringIO())
    assert out.getvalue() == ""


def test_a_legacy_snapshot_is_indexed(tmp_path: Path, settings: Settings) -> None:
    sample.build(tmp_path, legacy=True)
    call_command("build_index", tmp_path, stdout=StringIO(), stderr=StringIO())
    for _ in serve(tmp_path, settings):
        assert ids(tools.search_papers("10.1162/neco.1997.9.8.1735")) == ["456"]


def test_missing_assets_leave_an_index_of_what_the_tables_say(tmp_path: Path, settings: Settings) -> None:
    sample.build(tmp_path)
    shutil.rmtree(tmp_path / "static")
    call_command("build_index", tmp_path, stdout=StringIO(), stderr=StringIO())
    for _ in serve(tmp_path, settings):
        assert tools.search_papers("attention").papers[0].authors[0] == "Ashish Vaswani"


def test_a_missing_snapshot_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="missing"):
        call_command("build_index", tmp_path / "nothing.db", stdout=StringIO(), stderr=StringIO())


def test_answers_stay_whole_while_snapshot_and_index_are_replaced(own_library: Path) -> None:
    """Each build's titles carry its number; no answer mixes two, and none fails."""

    def publish(number: int) -> None:
        papers = [SamplePaper(f"p{i}", f"Neural networks {number}, part {i}", ["Ann Other"]) for i in range(5)]
        sample.build(own_library.parent, papers, build_id=f"{number:032}")
        call_command("build_index", stdout=StringIO(), stderr=StringIO())

    done, errors, answers = threading.Event(), [], []

    def ask() -> None:
        while not done.is_set():
            served.renew()
            try:
                answers.append({hit.title.partition(",")[0] for hit in tools.search_papers("neural networks").papers})
            except (OSError, RuntimeError, ValueError, AssertionError) as error:
                errors.append(error)
        connections["snapshot"].close()

    publish(0)
    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for number in range(1, 6):
        publish(number)
    done.set()
    for thread in threads:
        thread.join(timeout=30)
    assert not errors
    assert {len(titles) for titles in answers} == {1}


def test_papers_without_a_text_are_indexed_and_texts_without_a_paper_are_not(own_library: Path) -> None:
    ghost = "INSERT INTO paper_fts VALUES ('ghost', 'Ghost', '', '', '', '')"
    sample.change(own_library, "DELETE FROM paper_fts WHERE paper_id = '456'", ghost)
    store = FolderStore(str(own_library.parent / "static"))
    found = {document.id for document in index_build.documents(own_library, store)}
    assert found == {paper.paper_id for paper in PAPERS}


def test_documents_are_the_same_from_several_processes(own_library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = FolderStore(str(own_library.parent / "static"))
    alone = list(index_build.documents(own_library, store))
    monkeypatch.setattr(index_build, "PAPERS_WORTH_PROCESSES", 1)
    monkeypatch.setattr("ingest.workers._PAPERS_AT_ONCE", 2)
    with closing(Workers(django.setup)) as workers:
        assert list(index_build.documents(own_library, store, workers)) == alone
    assert len(alone) == len(PAPERS)


def test_some_papers_are_the_same_documents_wherever_their_texts_are(own_library: Path) -> None:
    store = FolderStore(str(own_library.parent / "static"))
    wanted = [document for document in index_build.documents(own_library, store) if document.id in ("123", "456")]
    moved = "UPDATE paper_fts SET rowid = rowid + 1000"
    sample.change(own_library, moved)
    found = index_build.documents_of(own_library, store, ["456", "nobody", "123"])
    assert sorted(found, key=lambda document: document.id) == sorted(wanted, key=lambda document: document.id)


def test_an_abstract_that_stands_for_a_summary_is_indexed_once(tmp_path: Path) -> None:
    records = tmp_path / "papers.jsonl"
    records.write_text('{"title": "Soup", "authors": ["Ada Smith"], "abstract": "Boil *water* first. Add a carrot."}\n')
    build_snapshot([records], tmp_path / "library", BuildFolders())
    library = tmp_path / "library" / "paper_snapshot.db"
    [document] = index_build.documents(library, FolderStore(str(library.parent / "static")))
    assert document.text.count("carrot") == 1
    assert [entry.text for entry in document.passages] == ["Boil *water* first. Add a carrot."]


def test_similar_papers_follow_a_new_build(tmp_path: Path, settings: Settings) -> None:
    """They are kept from one view of a paper to the next, as long as the index is the same."""

    def similar(papers: list[SamplePaper]) -> list[str]:
        sample.build(tmp_path, papers, build_id=f"{len(papers):032x}")
        call_command("build_index", tmp_path, stdout=StringIO(), stderr=StringIO())
        settings.SNAPSHOT, settings.ASSETS = tmp_path / "paper_snapshot.db", str(tmp_path / "static")
        served.renew()
        found = [paper.paper_id for paper in tools.get_similar_papers("a").papers]
        assert found == [paper.paper_id for paper in tools.get_similar_papers("a").papers]
        return found

    cats = [SamplePaper(name, f"On the weight of cats, {name}", ["Ada Ames"]) for name in "abc"]
    assert similar(cats[:2]) == ["b"]
    assert sorted(similar(cats)) == ["b", "c"]
    connections["snapshot"].close()
