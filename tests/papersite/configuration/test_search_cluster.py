"""The settings of search on a cluster: read, refused with the variable's name, never repeated with a password."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from papersite.configuration.search_cluster import URL, search_cluster


def given(monkeypatch: pytest.MonkeyPatch, **variables: str) -> None:
    monkeypatch.setenv("PAPERSITE_SEARCH_ENGINE", "opensearch")
    for name, value in variables.items():
        monkeypatch.setenv(f"PAPERSITE_OPENSEARCH_{name}", value)


def test_the_index_is_a_folder_unless_a_cluster_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(URL, "https://search.example.org")
    assert search_cluster() is None


def test_hosts_credentials_and_names_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    given(
        monkeypatch, URL="https://anna:p%40ss@a.example.org:9201, https://b.example.org", PREFIX="library", SHARDS="3"
    )
    found = search_cluster()
    assert found is not None
    assert found.hosts == ("https://a.example.org:9201", "https://b.example.org:9200")
    assert (found.user, found.password, found.prefix, found.shards) == ("anna", "p@ss", "library", 3)
    assert "p@ss" not in repr(found)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("URL", ""),
        ("URL", "search.example.org:9200"),
        ("URL", "https://anna:hidden-word@host:port"),
        ("URL", "https://anna:hidden-word@host/papers?x=1"),
        ("URL", "https://anna:hidden-word@a,https://ben:hidden-word@b"),
        ("PREFIX", "Papers_1"),
        ("CA", "/nowhere/ca.pem"),
    ],
)
def test_nonsense_is_refused_and_named(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    given(monkeypatch, **({"URL": "https://host"} | {variable: value}))
    with pytest.raises(ImproperlyConfigured, match=f"PAPERSITE_OPENSEARCH_{variable}") as caught:
        search_cluster()
    assert "hidden-word" not in str(caught.value)


def test_files_of_certificates_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.touch()
    given(monkeypatch, URL="https://host", CA=str(file), CERTIFICATE=str(file), KEY=str(file))
    found = search_cluster()
    assert found is not None
    assert (found.authority, found.certificate, found.key) == (str(file),) * 3
