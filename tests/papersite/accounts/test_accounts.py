"""Accounts: sign in and out, roles, invitations, passwords."""

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError
from django.test import Client
from pytest_django import Settings

from papersite.accounts.roles import invite
from papersite.command.commands import call_command

pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])
PASSWORD = "five grey herons at dusk"


def accept(client: Client, path: str) -> None:
    form = client.get(path)["Location"]
    answer = client.post(form, {"new_password1": PASSWORD, "new_password2": PASSWORD})
    assert answer.status_code == 302, answer.content.decode()


@pytest.mark.parametrize(
    ("role", "add_status", "admin_status"), [("reader", 403, 302), ("editor", 200, 302), ("staff", 200, 200)]
)
def test_whoever_is_invited_chooses_a_password_and_has_the_role(
    role: str, add_status: int, admin_status: int, client: Client, settings: Settings
) -> None:
    settings.ACCESS, settings.SECRET_KEY_KEPT = "private", settings.SECRET_KEY
    out = StringIO()
    call_command("invite", "ada", "--role", role, "--site", "https://papers.example.org/", stdout=out)
    path = out.getvalue().strip().removeprefix("https://papers.example.org")
    accept(client, path)
    assert client.get("/papers/123/").status_code == 200
    assert client.get("/library/add/").status_code == add_status
    assert client.get("/admin/").status_code == admin_status
    assert b"no longer works" in Client().get(path).content, "it works once"


def test_a_reader_signs_in_where_they_wanted_to_go_and_out(client: Client, settings: Settings) -> None:
    settings.ACCESS = "private"
    User.objects.create_user("ada", password=PASSWORD)
    to_login = client.get("/papers/123/", headers={"Accept": "text/html"})["Location"]
    assert to_login == "/sign-in/?next=/papers/123/"
    wrong = client.post(to_login, {"username": "ada", "password": "wrong", "next": "/papers/123/"})
    assert "That did not work" in wrong.content.decode()
    right = {"username": "ada", "password": PASSWORD}
    assert client.post(to_login, {**right, "next": "/papers/123/"})["Location"] == "/papers/123/"
    client.post("/logout/")
    assert client.get("/papers/123/", headers={"Accept": "text/html"}).status_code == 302
    assert client.post("/sign-in/", {**right, "next": "https://elsewhere.example/"})["Location"] == "/"


def test_a_password_is_changed_by_who_knows_it(client: Client) -> None:
    user = User.objects.create_user("ada", password=PASSWORD)
    assert client.get("/password/").status_code == 302
    client.force_login(user)
    new = {"new_password1": "six white swans at dawn", "new_password2": "six white swans at dawn"}
    assert "Nothing was changed" in client.post("/password/", {"old_password": "x", **new}).content.decode()
    assert client.post("/password/", {"old_password": PASSWORD, **new}).status_code == 302
    assert Client().login(username="ada", password="six white swans at dawn")


def test_an_invitation_ends(client: Client, settings: Settings) -> None:
    path = invite("ada", "editor")
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert b"no longer works" in client.get(path).content


def test_a_name_that_has_a_password_is_not_invited_again(settings: Settings) -> None:
    settings.SECRET_KEY_KEPT = settings.SECRET_KEY
    User.objects.create_user("ada", password=PASSWORD)
    with pytest.raises(CommandError, match="already"):
        call_command("invite", "ada", stdout=StringIO())
