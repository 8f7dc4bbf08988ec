"""Static files: those of others are what they claim to be, and what is collected is hashed and compressed."""

import hashlib
import re
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings as site_settings
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from papersite.server.static_files import SiteStorage

# Any request may look at the default database, if only to close an old connection.
pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])

STATIC = Path(site_settings.BASE_DIR) / "papersite" / "static"
VENDOR = STATIC / "papersite" / "vendor"
# A line of the table: the file's name in the first column, its checksum in the last.
ROW = re.compile(r"^\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|$", re.MULTILINE)
CHECKSUMS = dict(ROW.findall((VENDOR / "VERSIONS.md").read_text(encoding="utf-8")))


def test_every_file_of_others_has_its_line_and_its_licence() -> None:
    texts = {"VERSIONS.md", "mermaid.LICENSE.txt", "STIXTwoMath.LICENSE.txt"}
    assert {path.name for path in VENDOR.iterdir()} == {*CHECKSUMS, *texts}
    assert all((VENDOR / name).stat().st_size > 1_000 for name in texts - {"VERSIONS.md"})


@pytest.mark.parametrize("name", CHECKSUMS)
def test_a_file_of_others_is_unchanged_and_served(client: Client, name: str) -> None:
    content = (VENDOR / name).read_bytes()
    assert hashlib.sha256(content).hexdigest() == CHECKSUMS[name]
    with closing(client.get(f"/static/papersite/vendor/{name}")) as response:
        assert (response.status_code, response.getvalue()) == (200, content)


def test_the_frame_for_diagrams_loads_scripts_that_are_served(client: Client) -> None:
    scripts = re.findall(r'<script[^>]*? src="([^"]+)"', client.get("/diagram/").text)
    assert "/static/papersite/vendor/mermaid.js" in scripts
    for script in scripts:
        with closing(client.get(script)) as response:
            assert response.status_code == 200


def test_collected_files_are_hashed_and_compressed(tmp_path: Path, settings: Settings) -> None:
    settings.STATIC_ROOT = str(tmp_path)
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATICFILES_DIRS = [STATIC]
    call_command("collectstatic", "--noinput", verbosity=0)
    storage = SiteStorage(location=str(tmp_path), base_url="/static/")
    script = storage.url("papersite/vendor/mermaid.js").removeprefix("/static/")
    assert re.fullmatch(r"papersite/vendor/mermaid\.[0-9a-f]{12}\.js", script)
    assert (tmp_path / f"{script}.br").stat().st_size < 900_000
    style = (tmp_path / storage.url("papersite/site.css").removeprefix("/static/")).read_text(encoding="utf-8")
    for part in ("common", "rare"):
        assert Path(storage.url(f"papersite/vendor/STIXTwoMath-{part}.woff2")).name in style
