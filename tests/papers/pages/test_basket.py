"""The basket needs no script, no account and no database."""

import json

from django.test import Client


def put(client: Client, paper_id: str, **headers: str) -> int:
    return client.post("/basket/toggle/", {"toggle": paper_id}, headers=headers).status_code


def test_papers_go_in_and_out(client: Client) -> None:
    assert put(client, "123") == 302
    put(client, "789")
    put(client, "123")
    assert client.cookies["basket"].value == "789"
    assert "BERT" in client.get("/basket/").content.decode()


def test_with_script_the_button_and_the_counts_come_back(client: Client) -> None:
    response = client.post("/basket/toggle/", {"toggle": "123", "small": "1"}, headers={"HX-Request": "true"})
    page = response.content.decode()
    assert '<button class="btn small plain" id="basket-123"' in " ".join(page.split())
    assert "In basket" in page
    assert "Attention Is All You Need" in page
    assert 'aria-pressed="true"' in page
    assert '<span class="num" id="basket-count" hx-swap-oob="true">(1)</span>' in page


def test_the_reader_goes_back_to_the_page_of_the_form_and_nowhere_else(client: Client) -> None:
    there = client.post("/basket/toggle/", {"toggle": "123"}, headers={"referer": "http://testserver/papers/?q=x"})
    elsewhere = client.post("/basket/toggle/", {"toggle": "123"}, headers={"referer": "https://evil.example/"})
    assert (there["Location"], elsewhere["Location"]) == ("http://testserver/papers/?q=x", "/basket/")


def test_only_papers_of_the_library_go_in(client: Client) -> None:
    assert put(client, "none") == 404
    assert put(client, "<script>") == 404
    assert put(client, "\0") == 400
    assert "basket" not in client.cookies


def test_the_basket_is_exported_as_one_file(client: Client) -> None:
    put(client, "123")
    put(client, "456")
    response = client.get("/basket/papers.json")
    assert [paper["paper_id"] for paper in json.loads(response.content)] == ["123", "456"]
    assert "attachment" in response["Content-Disposition"]
    assert client.get("/basket/papers.bib").content.decode().count("@") == 2


def test_a_basket_of_nonsense_is_empty(client: Client) -> None:
    client.cookies["basket"] = "<script>!;!..!" + "x" * 200
    assert "The basket is empty" in client.get("/basket/").content.decode()


def test_emptying_leaves_no_cookie(client: Client) -> None:
    put(client, "123")
    client.post("/basket/empty/")
    assert client.cookies["basket"].value == ""


def test_a_form_from_elsewhere_is_refused() -> None:
    strict = Client(enforce_csrf_checks=True)
    response = strict.post("/basket/toggle/", {"toggle": "123"})
    assert response.status_code == 403
    assert "could not be verified" in response.content.decode()


def test_emptying_the_basket_can_be_undone(client: Client) -> None:
    put(client, "123")
    put(client, "789")
    client.post("/basket/empty/")
    page = client.get("/basket/").content.decode()
    assert "The basket is empty" in page
    assert "Undo: put back 2 papers" in page
    put(client, "456")
    client.post("/basket/restore/")
    assert client.cookies["basket"].value == "123!789!456"
    assert "Undo" not in client.get("/basket/").content.decode()


def test_what_was_emptied_is_sent_to_the_basket_alone(client: Client) -> None:
    put(client, "123")
    cookie = client.post("/basket/empty/").cookies["emptied"]
    assert (cookie["path"], cookie["httponly"], cookie["max-age"]) == ("/basket/", True, 3600)
