"""Gets a page as a browser does."""

from django.test import Client


def page(path: str, status: int = 200) -> str:
    response = Client().get(path)
    assert response.status_code == status, path
    return response.content.decode()
