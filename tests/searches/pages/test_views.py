"""The pages of search sessions, by the requests that a browser sends."""

import csv
import io
import json
import re
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
import rispy
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from paper_search.models import Paper, PaperTag, SourceReport, SynonymMap
from paper_search.workflow.checkpoints import ResultPayload
from papercore.caller import Caller, calling
from papercore.snapshot.file import check, open_read_only
from papersite.accounts import owner
from searches import tools
from searches.models import DecisionRecord, PaperMark, SearchSession, Status
from searches.pages.paper_list import paper_address
from searches.sessions import store
from tests.searches.conftest import finish_work

pytestmark = pytest.mark.usefixtures("database")
QUESTION = "attention in transformers since 2015"
QUESTION_TERMS = "attention in transformers"


@pytest.fixture
def browser() -> Client:
    return Client()


def start(browser: Client, question: str = QUESTION) -> str:
    """Start a search as a form does; its page, once there is something to decide."""
    answer = browser.post("/searches/", {"query": question, "domain": "general", "max_results": "50"})
    assert answer.status_code == 302
    finish_work()
    return str(answer["Location"])


def decide(browser: Client, page: str, action: str, **fields: object) -> int:
    checkpoint = SearchSession.objects.get(pk=page.split("/")[2]).checkpoint_id
    answer = browser.post(f"{page}decide", {"action": action, "checkpoint_id": checkpoint, **fields})
    finish_work()
    return answer.status_code


def text_of(browser: Client, page: str) -> str:
    return re.sub(r"\s+", " ", browser.get(page).content.decode())


def test_a_person_searches_decides_and_downloads_the_papers(browser: Client, tmp_path: Path) -> None:
    page = start(browser)
    shown = text_of(browser, page)
    assert "Confirm the plan" in shown
    assert "This library" in shown
    assert decide(browser, page, "approve") == 302
    shown = text_of(browser, page)
    assert "Review the results" in shown
    assert "Attention Is All You Need" in shown
    assert decide(browser, page, "approve") == 302
    assert "Save as a snapshot" in text_of(browser, page)
    assert json.loads(browser.get(f"{page}export.json").content)["papers"]
    assert browser.get(f"{page}export.bib").content.startswith(b"@inproceedings{vaswani")
    assert browser.get(f"{page}export.md").content.startswith(b"| # | Title |")
    assert rispy.loads(browser.get(f"{page}export.ris").content.decode())
    assert next(csv.DictReader(io.StringIO(browser.get(f"{page}export.csv").content.decode())))["title"]
    assert browser.get(f"{page}export.exe").status_code == 404
    saved = browser.post(f"{page}snapshot")
    assert saved["Content-Disposition"] == 'attachment; filename="attention-in-transformers-since-2015.zip"'
    zipfile.ZipFile(io.BytesIO(saved.content)).extractall(tmp_path / "saved")
    database = tmp_path / "saved" / "paper_snapshot.db"
    connection = open_read_only(database)
    assert check(database, connection).has_bibtex
    connection.close()


def test_an_edited_strategy_is_searched(browser: Client) -> None:
    page = start(browser)
    edit = {
        "topic": "memory cells",
        "concepts": "recurrent networks, memory\n\n",
        "from": "1990",
        "to": "2000",
        "max": "5",
        "src": ["snapshot"],
    }
    assert decide(browser, page, "edit", **edit) == 302
    shown = text_of(browser, page)
    assert "Long Short-Term Memory" in shown
    assert "Attention Is All You Need" not in shown
    assert DecisionRecord.objects.get().decided_by == "person"


def test_what_was_understood_and_learned_is_shown_in_words_that_can_be_edited(browser: Client) -> None:
    page = start(browser, "attention since 2015, not memory, made before lunch")
    shown = text_of(browser, page)
    assert 'name="not" value="memory"' in shown
    assert "“<bdi>before lunch</bdi>”" in shown
    edit = {"concepts": "attention", "src": ["snapshot"], "not": "memory, recurrence", "prefer": "transformer"}
    assert decide(browser, page, "edit", **edit) == 302
    strategy = SearchSession.objects.get().workflow_state.strategy
    assert strategy is not None
    assert strategy.filters.excluded == ["memory", "recurrence"]
    assert strategy.filters.more_like == ["transformer"]


def test_marks_leave_papers_out_and_keep_others(browser: Client) -> None:
    page = start(browser, "transformer attention memory")
    decide(browser, page, "approve")
    state = SearchSession.objects.get().workflow_state
    assert state.collection is not None
    first, second = [paper.id for paper in state.collection.papers[:2]]
    marks = {"paper-1": first, "verdict-1": "irrelevant", "paper-2": second, "verdict-2": "relevant"}
    assert decide(browser, page, "edit", note="more on memory", **marks) == 302
    assert "“<bdi>more on memory</bdi>”" in text_of(browser, page)
    decide(browser, page, "approve")
    assert "1 paper kept from earlier rounds" in text_of(browser, page)
    decide(browser, page, "approve")
    exported = json.loads(browser.get(f"{page}export.json").content)["papers"]
    assert second in [paper["id"] for paper in exported]
    assert first not in [paper["id"] for paper in exported]


def test_synonyms_kinds_and_the_language_are_edited_in_fields(browser: Client) -> None:
    page = start(browser)
    edit = {"concepts": "attention, focus, gaze", "src": ["snapshot"], "kind": ["dataset"], "language": "de"}
    assert decide(browser, page, "edit", **edit) == 302
    strategy = SearchSession.objects.get().workflow_state.strategy
    assert strategy is not None
    assert strategy.queries[0].synonym_map == [SynonymMap(keyword="attention", synonyms=["focus", "gaze"])]
    assert strategy.queries[0].boolean_query == "(attention OR focus OR gaze)"
    assert (strategy.filters.language_codes, strategy.filters.kinds) == (["de"], [PaperTag.dataset])


def test_a_search_starts_with_a_plan_in_fields(browser: Client) -> None:
    fields = {"query": "my question", "concepts": "attention, focus\nmemory", "src": ["snapshot"], "max": "7"}
    assert browser.post("/searches/", fields).status_code == 302
    finish_work()
    state = SearchSession.objects.get().workflow_state
    assert state.intent is not None
    assert (state.query, state.intent.concepts) == ("my question", ["attention", "memory"])
    assert state.intent.constraints.max_results == 7


def test_a_form_that_is_refused_keeps_what_was_typed(browser: Client) -> None:
    page = start(browser)
    typed = {"action": "edit", "concepts": "my concept", "topic": "my topic", "language": "fr", "not": "my word"}
    shown = browser.post(f"{page}decide", typed).content.decode()
    for text in ("my concept</textarea>", 'value="my topic"', 'value="my word"', 'value="fr" selected'):
        assert text in re.sub(r"\s+", " ", shown)


def papers_of(page: str) -> list[str]:
    collection = SearchSession.objects.get(pk=page.split("/")[2]).workflow_state.collection
    assert collection is not None
    return [paper.id for paper in collection.papers]


def checked(browser: Client, page: str, number: int) -> str:
    """The mark that the page shows for a paper."""
    shown = re.sub(r"\s+", " ", browser.get(page).content.decode())
    found = re.search(rf'name="verdict-{number}" value="(\w*)" checked', shown)
    return found[1] if found else "none"


def test_marks_survive_a_reload_and_are_there_on_another_device(browser: Client) -> None:
    page = start(browser, "transformer attention memory")
    decide(browser, page, "approve")
    assert checked(browser, page, 1) == ""
    mark = {"paper-1": papers_of(page)[0], "verdict-1": "unsure"}
    saved = browser.post(f"{page}marks", mark, headers={"Accept": "application/json"})
    assert (saved.status_code, saved.content) == (204, b"")
    assert checked(browser, page, 1) == checked(Client(), page, 1) == "unsure"
    assert "0 relevant, 1 unsure, 0 not relevant" in text_of(browser, page)
    line = tools.get_session(page.split("/")[2]).model_dump()["checkpoint"]["payload"]["papers"][0]
    assert line["mark"] == "unsure"
    browser.post(f"{page}marks", {**mark, "verdict-1": ""})
    assert checked(browser, page, 1) == ""


def test_an_agent_that_approves_takes_the_marks_that_a_person_saved(browser: Client) -> None:
    page = start(browser, "transformer attention memory")
    decide(browser, page, "approve")
    first, second, *others = papers_of(page)
    marks = {"paper-1": first, "verdict-1": "irrelevant", "paper-2": second, "verdict-2": "irrelevant"}
    browser.post(f"{page}marks", marks)
    session = page.split("/")[2]
    tools.get_session(session)
    answer = tools.decide(session, "approve", {"marked_relevant": [second]})
    decided = DecisionRecord.objects.get(kind="result_review").checkpoint_id
    again = tools.decide(session, "approve", {"marked_relevant": [second]}, checkpoint_id=decided)
    assert again == answer
    exported = json.loads(tools.export_results(session, "json").text)["papers"]
    assert {paper["id"] for paper in exported} == {second, *others}


def test_marks_of_papers_that_are_not_under_review_are_dropped(browser: Client) -> None:
    page = start(browser)
    browser.post(f"{page}marks", {"paper-1": "x", "verdict-1": "relevant"})
    decide(browser, page, "approve")
    browser.post(f"{page}marks", {"paper-1": "x", "verdict-1": "relevant", "paper-2": "y" * 600, "verdict-2": "?"})
    assert not PaperMark.objects.exists()


def test_papers_marked_unsure_are_exported_when_they_are_asked_for(browser: Client) -> None:
    page = start(browser, "transformer attention memory")
    decide(browser, page, "approve")
    first, *others = papers_of(page)
    decide(browser, page, "approve", **{"paper-1": first, "verdict-1": "unsure"})
    assert "With the 1 paper marked unsure" in text_of(browser, page)

    def exported(address: str) -> list[str]:
        return [paper["id"] for paper in json.loads(browser.get(f"{page}{address}").content)["papers"]]

    assert exported("export.json") == others
    assert exported("export.json?unsure=1") == [*others, first]
    assert tools.export_results(page.split("/")[2], include_unsure=True).paper_count == len(others) + 1


def review_of(browser: Client, count: int) -> str:
    """The page of a review with this many papers."""
    page = start(browser)
    decide(browser, page, "approve")
    row = SearchSession.objects.get()
    state = row.workflow_state
    assert state.collection is not None
    assert state.checkpoint is not None
    papers = [
        Paper(id=f"x:{number}", title=f"Paper {number}", doi=f"10.1/{number}", abstract=f"Attention, says {number}.")
        for number in range(1, count + 1)
    ]
    state.collection = state.collection.model_copy(update={"papers": papers})
    state.checkpoint.payload = ResultPayload(collection=state.collection)
    row.state = state.model_dump_json()
    row.save()
    return page


def test_all_papers_can_be_reviewed_by_pages_and_each_page_saves_its_marks(browser: Client) -> None:
    page = review_of(browser, 45)
    shown = text_of(browser, page)
    assert "1–20 of 45 papers" in shown
    assert "Paper 20<" in shown
    assert "Paper 21<" not in shown
    assert '<a href="https://doi.org/10.1/7" target="_blank" rel="noreferrer">doi:10.1/7</a>' in shown
    assert "<mark>Attention</mark>, says 7." in shown
    turned = browser.post(f"{page}marks", {"go": "3", "page": "1", "paper-1": "x:1", "verdict-1": "relevant"})
    assert turned["Location"] == f"{page}?page=3"
    last = text_of(browser, turned["Location"])
    assert "41–45 of 45 papers" in last
    assert "1 relevant, 0 unsure, 0 not relevant" in last
    assert "41–45 of 45 papers" in text_of(browser, f"{page}?page=99")
    assert "1–20 of 45 papers" in text_of(browser, f"{page}?page=x")
    decide(browser, page, "approve", **{"paper-45": "x:45", "verdict-45": "irrelevant"})
    assert "1–20 of 44 papers" in text_of(browser, page)
    assert '?page=3"' in text_of(browser, page)


def test_an_agent_reads_all_papers_under_review_by_pages(browser: Client) -> None:
    session = review_of(browser, 45).split("/")[2]
    pages = [tools.get_session(session, offset=offset).model_dump() for offset in (0, 20, 40, 60)]
    found = [page["checkpoint"]["payload"] for page in pages]
    assert [len(page["papers"]) for page in found] == [20, 20, 5, 0]
    assert [page["papers_not_shown"] for page in found] == [25, 5, 0, 0]
    line = found[1]["papers"][0]
    assert (line["title"], line["doi"], line["link"]) == ("Paper 21", "10.1/21", "https://doi.org/10.1/21")
    assert line["passage"] == "Attention, says 21."


def test_home_and_navigation_tell_what_waits_for_a_decision(browser: Client) -> None:
    assert "waiting for a decision" not in text_of(browser, "/").lower()
    page = start(browser)
    etag = browser.get("/")["ETag"]
    home = text_of(browser, "/")
    assert "Waiting for your decision" in home
    assert f'<a href="{page}"><bdi>{QUESTION}</bdi></a>' in home
    assert "waiting for a decision: </span>1" in text_of(browser, "/stats/")
    decide(browser, page, "approve")
    decide(browser, page, "approve")
    changed = browser.get("/", headers={"If-None-Match": etag})
    assert changed.status_code == 200
    assert "waiting for a decision" not in changed.content.decode().lower()


def test_a_search_that_an_agent_started_waits_for_whoever_opened_its_page(browser: Client) -> None:
    page = f"/searches/{tools.start_search(QUESTION).session_id}/"
    assert page not in text_of(browser, "/")
    browser.get(page)
    assert page in text_of(browser, "/")
    assert page in text_of(browser, "/searches/")


def test_the_queries_that_a_source_was_asked_are_shown(browser: Client) -> None:
    page = start(browser)
    decide(browser, page, "approve")
    row = SearchSession.objects.get()
    state = row.workflow_state
    state.sources["arxiv"] = SourceReport(count=3, steps=['"a b": 0', "(a AND b): 3"], ignored=["languages"])
    row.state = state.model_dump_json()
    row.save()
    shown = text_of(browser, page)
    assert "2 queries, from strict to loose" in shown
    assert "<code>(a AND b): 3</code>" in shown
    assert "cannot filter by languages" in shown


def test_nothing_is_chosen_beforehand(browser: Client) -> None:
    page = start(browser)
    assert not re.search(r'name="action"[^>]*checked', browser.get(page).content.decode())
    assert decide(browser, page, "") == 400


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"action": "edit", "concepts": " ", "topic": " ", "src": "snapshot"}, "The plan is empty"),
        ({"action": "edit", "concepts": "x"}, "Sources"),
        ({"action": "edit", "concepts": "x", "src": "snapshot", "from": "soon"}, "From year"),
        ({"action": "edit", "concepts": "x", "src": "snapshot", "max": "0"}, "At most"),
        ({"action": "edit", "concepts": "x", "src": "snapshot", "not": "y" * 101}, "Without"),
        ({"action": "edit", "concepts": "x", "src": "snapshot", "to": "9" * 5000}, "To year"),
        ({"action": "edit", "concepts": "x", "src": "snapshot", "language": "all of them"}, "Language"),
        ({"action": "edit", "concepts": "x\n" * 21, "src": "snapshot"}, "Concepts"),
        ({"action": "edit", "concepts": "x", "src": "snapshot", "from": "2020", "to": "2010"}, "year_from"),
        ({"action": "accept"}, "Choose one"),
        ({}, "Choose one"),
    ],
)
def test_a_form_that_cannot_be_used_is_shown_again(browser: Client, fields: dict[str, str], words: str) -> None:
    page = start(browser)
    answer = browser.post(f"{page}decide", fields)
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert SearchSession.objects.get().status == Status.WAITING


def test_whoever_decides_second_learns_that_it_was_not_taken(browser: Client) -> None:
    page = start(browser)
    checkpoint = SearchSession.objects.get().checkpoint_id
    tools.decide(page.split("/")[2], "approve")
    answer = browser.post(f"{page}decide", {"action": "approve", "checkpoint_id": checkpoint})
    assert answer.status_code == 409
    assert "Your decision was not accepted" in answer.content.decode()


def test_a_decision_in_the_browser_that_comes_too_late_or_says_too_little_is_explained(client: Client) -> None:
    session = tools.start_search("attention").session_id
    page = f"/searches/{session}/decide"
    tools.decide(session, "approve")
    finish_work()
    checkpoint = SearchSession.objects.get(pk=session).checkpoint_id
    answer = client.post(page, {"action": "reject", "checkpoint_id": checkpoint})
    assert "Write a note" in answer.content.decode()
    tools.decide(session, "approve")
    finish_work()
    late = client.post(page, {"action": "approve", "checkpoint_id": checkpoint})
    assert "Somebody else has decided already" in late.content.decode()


def test_a_paper_is_read_here_or_at_its_doi_or_where_it_was_found() -> None:
    paper = Paper(id="openalex:W1", title="One", source="openalex")
    assert paper_address(paper) == ""
    assert paper_address(paper.model_copy(update={"doi": "10.1/x"})) == "https://doi.org/10.1/x"
    assert paper_address(paper.model_copy(update={"source": "snapshot", "id": "123"})) == "/papers/123/"


def test_the_page_asks_for_changes_and_gets_only_them(browser: Client) -> None:
    page = start(browser)
    version = SearchSession.objects.get().version
    same = browser.get(f"{page}?seen={version}", headers={"HX-Request": "true"})
    assert (same.content, same["HX-Reswap"]) == (b"", "none")
    changed = browser.get(f"{page}?seen={version - 1}", headers={"HX-Request": "true"})
    assert re.match(rb'<div\s+id="session"', changed.content)


def test_hostile_text_stays_text(browser: Client) -> None:
    page = start(browser, '<script>alert(1)</script> attention " onload=x')
    decide(browser, page, "reject", note="</textarea><img src=x onerror=alert(1)>")
    shown = browser.get(page).content.decode()
    assert "<script>alert" not in shown
    assert "<img src=x" not in shown


@pytest.mark.parametrize("fields", [{"query": ""}, {"query": "x" * 501}, {"query": "x", "max": "many"}])
def test_a_search_that_cannot_start_says_why(browser: Client, fields: dict[str, str]) -> None:
    answer = browser.post("/searches/", fields)
    assert answer.status_code == 400
    assert "The search was not started" in answer.content.decode()
    assert not SearchSession.objects.exists()


def test_a_browser_lists_its_own_searches_and_a_login_all(browser: Client) -> None:
    start(browser, "attention of mine")
    with calling(Caller(key="token:secret")):
        tools.start_search("attention of a token")
    assert "attention of mine" in text_of(browser, "/searches/")
    assert "attention of a token" not in text_of(browser, "/searches/")
    stranger = Client()
    assert "attention of" not in text_of(stranger, "/searches/")
    stranger.force_login(User.objects.create_user("reader"))
    listed = text_of(stranger, "/searches/")
    assert "attention of mine" in listed
    assert "attention of a token" in listed


def test_a_tokens_session_is_hidden_from_strangers_and_open_to_a_login(browser: Client) -> None:
    with calling(Caller(key="token:secret")):
        session_id = tools.start_search(QUESTION).session_id
    page = f"/searches/{session_id}/"
    for address in (page, f"{page}export.json"):
        assert browser.get(address).status_code == 404
    assert browser.post(f"{page}decide", {"action": "approve"}).status_code == 404
    assert browser.post(f"{page}snapshot").status_code == 404
    browser.force_login(User.objects.create_user("reader"))
    assert browser.get(page).status_code == 200
    assert decide(browser, page, "approve") == 302


def test_pages_of_what_is_not_there(browser: Client) -> None:
    assert browser.get(f"/searches/{'0' * 32}/").status_code == 404
    assert browser.get("/searches/nothing/").status_code == 404
    page = start(browser)
    assert browser.get(f"{page}export.json").status_code == 409
    assert browser.get(f"{page}decide").status_code == 405


def test_ended_sessions_say_what_happened(browser: Client) -> None:
    page = start(browser)
    SearchSession.objects.update(status=Status.EXPIRED, checkpoint_id="")
    assert "The search expired" in text_of(browser, page)
    SearchSession.objects.update(status=Status.FAILED, error="The disk is full.")
    assert "The disk is full." in text_of(browser, page)
    until = timezone.now() + timedelta(seconds=store.LEASE_SECONDS)
    SearchSession.objects.update(status=Status.RUNNING, error="", lease="x", lease_until=until)
    assert "The search is running" in text_of(browser, page)


def test_an_agents_search_finds_the_owner_of_the_site(settings: LazySettings) -> None:
    settings.LIBRARY_CHANGES = "local"
    session_id = tools.start_search(QUESTION).session_id
    finish_work()
    mine, elsewhere = Client(), Client()
    mine.cookies[owner.cookie_name()] = owner.cookie_value()
    for path in ("/searches/", "/", "/searches/waiting.atom"):
        assert f"/searches/{session_id}/" in mine.get(path).content.decode()
        assert f"/searches/{session_id}/" not in elsewhere.get(path).content.decode()
    assert "a plan to confirm" in mine.get("/searches/waiting.atom").content.decode()


def test_a_search_that_expired_is_taken_up_again(browser: Client) -> None:
    page = start(browser)
    SearchSession.objects.update(status=Status.EXPIRED, checkpoint_id="")
    assert "Take it up again" in text_of(browser, page)
    answer = browser.post(f"{page}again")
    finish_work()
    assert answer.status_code == 302
    assert "Confirm the plan" in text_of(browser, answer["Location"])


def test_the_admin_shows_sessions(browser: Client) -> None:
    page = start(browser)
    browser.force_login(User.objects.create_superuser("root"))
    assert QUESTION in text_of(browser, "/admin/searches/searchsession/")
    assert QUESTION in text_of(browser, f"/admin/searches/searchsession/{page.split('/')[2]}/change/")
