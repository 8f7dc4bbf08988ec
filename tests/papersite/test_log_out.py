"""Who is logged in can log out, wherever they are."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])
PAGES = ["/", "/papers/", "/papers/123/", "/stats/", "/basket/", "/connect/", "/api/docs", "/none/", "/papers/?page=0"]


def page(client: Client, url: str) -> str:
    return client.get(url).content.decode()


@pytest.mark.parametrize("url", PAGES)
def test_who_is_logged_in_can_log_out_on_every_page(client: Client, url: str) -> None:
    assert "Log out" not in page(client, url)
    client.force_login(User.objects.create_user("reader"))
    assert re.search(r'<form method="post" action="/logout/">.*Log out', page(client, url), re.DOTALL)


def test_logging_out_leads_home_and_takes_the_button_away(client: Client) -> None:
    client.force_login(User.objects.create_user("reader"))
    before = client.get("/papers/")
    assert client.post("/logout/").headers["Location"] == "/"
    after = client.get("/papers/", headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert "Log out" not in after.content.decode()
