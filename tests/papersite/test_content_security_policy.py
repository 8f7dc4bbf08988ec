"""Pages may run nothing inline and load nothing from other hosts."""

import re

import pytest
from django.test import Client

# Any request may look at the default database, if only to close an old connection.
pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])


def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere(client: Client) -> None:
    policy = client.get("/no/such/page")["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_pages_hold_no_inline_script_style_or_handler(client: Client) -> None:
    page = client.get("/no/such/page").content.decode()
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)", page)


def test_the_frame_for_diagrams_may_be_framed_here_only(client: Client) -> None:
    response = client.get("/diagram/")
    assert response["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in response["Content-Security-Policy"]
    assert "script-src 'self'" in response["Content-Security-Policy"].split("; ")
