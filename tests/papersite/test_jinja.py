"""What the template of every page can use."""

import pytest
from django.test import Client

# Any request may look at the default database, if only to close an old connection.
pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])


@pytest.mark.parametrize(("cookie", "shown"), [("dark", True), ("light", True), ("<b>", False), ("", False)])
def test_the_theme_comes_from_the_cookie(client: Client, cookie: str, shown: bool) -> None:
    client.cookies["theme"] = cookie
    page = client.get("/no/such/page").content.decode()
    assert (f'data-theme="{cookie}"' in page) is shown
