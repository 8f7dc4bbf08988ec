"""What holds on every page: accessible in both themes, no sideways scroll, nothing from elsewhere."""

import logging
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import expect
from pytest_django import Settings

from mcpapi.models import create_token
from papers.drafts.kept_checks import CHECKS, CheckState
from papersite.last_errors import LastErrors
from tests.browser.conftest import OpenPage
from tests.browser.looks import looks_right

PAGES = [
    "/",
    "/papers/",
    "/papers/?q=networks&keyword=topic+1&year_from=1995",
    "/papers/?q=nothingatall&venue=neurips",
    "/papers/123/",
    "/papers/123/?cite",
    "/papers/123/source/",
    "/papers/123/source/?find=heads+attend&hit=1",
    "/papers/123/translation/zh/",
    "/papers/123/bibtex/",
    "/papers/123/cite/",
    "/papers/123/references/",
    "/papers/123/pdf/",
    "/papers/123/side-by-side/",
    "/papers/undated/",
    "/ask/?q=what+are+networks",
    "/check/",
    "/by/keyword/",
    "/by/author/ada%20lovelace/",
    "/stats/",
    "/basket/",
    "/connect/",
    "/api/docs",
    "/sign-in/",
]


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_accessible_in_both_themes_and_fits_every_screen(open_page: OpenPage, path: str) -> None:
    looks_right(open_page(path))


@pytest.mark.django_db(transaction=True)
def test_the_state_page_shows_staff_tables_that_fit_every_screen(
    open_page: OpenPage, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA = tmp_path
    CHECKS.new(CheckState()).save(CheckState(created="2026-01-02T03:04:05+00:00", message="Sentences: 5 of 9"))
    create_token("agent of the reading group", "write")
    logger = logging.Logger("papersite.tests")
    logger.addHandler(LastErrors(logging.WARNING))
    logger.error("internal error", extra={"fields": {"route": "papers/<id:paper_id>/source/", "status": 500}})
    staff = Client()
    staff.force_login(User.objects.create_user("operator", is_staff=True))
    page = open_page("/")
    page.context.add_cookies([{"name": "sessionid", "value": staff.cookies["sessionid"].value, "url": page.url}])
    page.goto("/state/")
    expect(page.get_by_text("Sentences: 5 of 9")).to_be_visible()
    looks_right(page)
