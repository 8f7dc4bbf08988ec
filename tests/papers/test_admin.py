"""The snapshot in the admin: staff may look, nobody may change."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import CompositePrimaryKey, Model
from django.test import Client
from django.urls import reverse

from papers.snapshot import models

pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])
SINGLE_KEY = [
    model for model in apps.get_app_config("papers").get_models() if not isinstance(model._meta.pk, CompositePrimaryKey)
]


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root", "root@example.org", "secret"))
    return client


def address(model: type[Model], page: str, *args: str) -> str:
    return reverse(f"admin:papers_{model._meta.model_name}_{page}", args=args)


def test_every_model_with_a_single_key_is_registered() -> None:
    assert [model for model in SINGLE_KEY if not admin.site.is_registered(model)] == []


@pytest.mark.parametrize("model", SINGLE_KEY, ids=lambda model: model.__name__)
def test_each_list_opens_searches_and_shows_a_row(staff: Client, model: type[Model]) -> None:
    assert staff.get(address(model, "changelist")).status_code == 200
    if admin.site.get_model_admin(model).search_fields:
        assert staff.get(address(model, "changelist"), {"q": "transformer"}).status_code == 200
    first = model._default_manager.first()
    assert first
    assert staff.get(address(model, "change", str(first.pk))).status_code == 200


@pytest.mark.parametrize("model", SINGLE_KEY, ids=lambda model: model.__name__)
def test_not_even_a_superuser_can_add_change_or_delete(staff: Client, model: type[Model]) -> None:
    key = str(model._default_manager.values_list("pk", flat=True)[0])
    assert staff.post(address(model, "add"), {}).status_code == 403
    assert staff.post(address(model, "change", key), {}).status_code == 403
    assert staff.post(address(model, "delete", key), {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("term", ["attention need", "Noam Shazeer", "10.5555/3295222.3295349", "123", "x" * 600])
def test_papers_are_searched_as_on_the_site(staff: Client, term: str) -> None:
    page = staff.get("/admin/papers/paper/", {"q": term})
    assert page.status_code == 200
    assert ("Attention Is All You Need" in page.content.decode()) == (len(term) < 500)


def test_a_paper_shows_its_links(staff: Client) -> None:
    page = staff.get("/admin/papers/paper/123/change/").content.decode()
    assert "noam shazeer" in page
    assert "deep_read, simple" in page


def test_a_visitor_is_sent_to_the_login(client: Client) -> None:
    answer = client.get("/admin/papers/paper/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/admin/login/?next=/admin/papers/paper/")


def test_rows_lead_to_their_pages_on_the_site(staff: Client) -> None:
    listing = staff.get(address(models.Paper, "changelist")).content.decode()
    assert '<a href="/papers/123/">Read</a>' in listing
    author = models.Author.objects.get(value="noam shazeer")
    page = staff.get(address(models.Author, "change", str(author.pk))).content.decode()
    assert 'href="/by/author/noam%20shazeer/"' in page


def test_the_page_to_log_in_has_a_heading(client: Client) -> None:
    assert client.get(reverse("admin:login")).content.decode().count("<h1") == 1
