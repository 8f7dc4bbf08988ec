"""The state page: for staff alone, with parts, tokens and errors."""

import logging
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from mcpapi.models import create_token
from papers.drafts.kept_checks import CHECKS, CheckState
from papers.library.additions import ADDITIONS, AdditionState
from papersite import logs
from papersite.accounts import owner
from papersite.last_errors import FILE_BYTES, LastErrors, last_errors
from papersite.pages import state
from searches.model_budget import today
from searches.models import ModelUsage
from tests.mcpapi.site import request

pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])


def test_strangers_are_sent_to_the_login_and_readers_refused(client: Client) -> None:
    assert client.get("/state/")["Location"] == "/sign-in/?next=/state/"
    client.force_login(User.objects.create_user("reader"))
    assert client.get("/state/").status_code == 403


def test_the_owner_sees_it_on_a_site_that_has_one(client: Client, settings: Settings) -> None:
    settings.LIBRARY_CHANGES = "local"
    client.cookies[owner.cookie_name()] = owner.cookie_value()
    page = client.get("/state/").content.decode()
    for word in ("confined", ">index<", 'href="/state/"'):
        assert word in page, word
    settings.LIBRARY_CHANGES = "staff"
    assert client.get("/state/").status_code == 302


def test_staff_see_parts_tokens_and_errors_by_code(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "ERRORS_SHOWN", 1_000)  # those of the tests before are counted, too
    token = create_token("agent", "read")
    call = request("tools/call", {"name": "get_paper_metadata", "arguments": {"paper_id": "none"}})
    client.post("/mcp", call, content_type="application/json", headers={"host": "localhost"})
    client.force_login(User.objects.create_user("operator", is_staff=True))
    page = client.get("/state/").content.decode()
    for word in ("snapshot", "database", "agent", "get_paper_metadata", "paper_not_found", "GB free"):
        assert word in page, word
    assert token not in page


@pytest.fixture
def logger(tmp_path: Path, settings: Settings) -> logging.Logger:
    settings.DATA = tmp_path
    found = logging.Logger("papersite.tests")
    found.addHandler(LastErrors(logging.WARNING))
    return found


def test_staff_see_what_is_at_work_proposed_and_asked_of_models(
    client: Client, logger: logging.Logger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "ERRORS_SHOWN", 1_000)  # those of the tests before are counted, too
    CHECKS.new(CheckState()).save(CheckState(created="2026-01-02T03:04:05+00:00", message="Sentences: 5 of 9"))
    CHECKS.new(CheckState()).save(CheckState(status="done", message="over"))
    ADDITIONS.new(AdditionState()).save(AdditionState(status="ready", proposed=True))
    ModelUsage.objects.create(day=today(), calls=12, tokens=34_567)
    logger.error("internal error", extra={"fields": {"route": "papers/"}})
    client.get("/nothing-here/")
    client.force_login(User.objects.create_user("operator", is_staff=True))
    page = " ".join(client.get("/state/").content.decode().split())
    assert "Check of a draft since 2026-01-02 03:04: Sentences: 5 of 9" in page
    assert "over" not in page.partition("Work</h2>")[2].partition("</section>")[0]
    assert "1 proposed by agents" in page
    assert "12 of 2,000 calls, 34,567 of 10,000,000 tokens" in page
    assert "internal error</td> <td><code>papers/</code>" in page
    assert "<code>/unknown</code>: 404," in page


def test_last_errors_tell_time_code_and_request_and_no_text(logger: logging.Logger, tmp_path: Path) -> None:
    token = logs.request_id.set("abc123")
    try:
        logger.info("not an error")
        logger.warning("a tool is unavailable", extra={"fields": {"tool": "get_paper_source", "code": "asset_error"}})
        try:
            raise ValueError("a secret of the paper")
        except ValueError:
            logger.exception("internal error", extra={"fields": {"route": "papers/"}})
    finally:
        logs.request_id.reset(token)
    newest, before = last_errors(10)
    assert (newest.event, newest.where, newest.code, newest.request_id) == (
        *("internal error", "papers/", "ValueError", "abc123"),
    )
    assert (before.where, before.code) == ("get_paper_source", "asset_error")
    assert "secret" not in (tmp_path / "last-errors.jsonl").read_text()


def test_last_errors_are_bounded_and_the_newest_stay(logger: logging.Logger, tmp_path: Path) -> None:
    for number in range(2_000):
        logger.error("number %s", number)
    assert (tmp_path / "last-errors.jsonl").stat().st_size <= FILE_BYTES
    assert [error.event for error in last_errors(3)] == ["number 1999", "number 1998", "number 1997"]
    assert [path.name for path in tmp_path.iterdir()] == ["last-errors.jsonl"]


def test_errors_are_not_kept_where_nothing_can_be_written(logger: logging.Logger, settings: Settings) -> None:
    settings.DATA = Path("/proc/nowhere")
    logger.error("lost")
    assert last_errors(10) == []
