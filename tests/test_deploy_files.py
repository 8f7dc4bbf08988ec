"""The files of deploy/ allow what docs/deploy.md promises."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.urls import URLPattern

from papercore import limits
from papersite.urls import urlpatterns

ROOT = Path(__file__).resolve().parent.parent
NGINX = (ROOT / "deploy/nginx.conf").read_text(encoding="utf-8")
UNIT = (ROOT / "deploy/papersite.service").read_text(encoding="utf-8")
DEPLOY = (ROOT / "docs/deploy.md").read_text(encoding="utf-8")


def body_limit(block: str) -> int:
    (megabytes,) = re.findall(r"client_max_body_size (\d+)m;", block)
    return int(megabytes) * 1024 * 1024


def test_nginx_takes_files_where_the_site_does_and_nowhere_else() -> None:
    before, _, rest = NGINX.partition("    location ~ ^/(library")
    (pattern,) = re.findall(r"location ~ (\^/\(library\S+) \{", NGINX)
    assert body_limit(rest.partition("}")[0]) >= limits.UPLOAD_BYTES
    assert limits.BODY_BYTES <= body_limit(before) < 2 * limits.BODY_BYTES
    views = [each for each in urlpatterns if isinstance(each, URLPattern)]
    large = [str(each.pattern) for each in views if hasattr(each.callback, "takes_large_bodies")]
    assert large
    assert all(re.search(pattern, f"/{route}") for route in large)


def test_systemd_understands_every_line_of_the_unit(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not installed")
    # Verified where its program and folders are: what it starts need not be installed here.
    unit = tmp_path / "papersite.service"
    unit.write_text(re.sub(r"/opt/papersite/\S+ manage.py", "/bin/true", UNIT).replace("/opt/papersite", str(tmp_path)))
    shutil.copy(ROOT / "deploy/papersite.socket", tmp_path)
    said = subprocess.run([analyze, "verify", "--man=no", unit], capture_output=True, text=True, check=False)
    problems = [line for line in said.stderr.splitlines() if line.startswith((str(unit), "papersite"))]
    assert problems == []


def test_the_unit_can_write_where_the_documentation_puts_data_and_library() -> None:
    writable = [path.lstrip("-") for path in re.findall(r"^ReadWritePaths=(\S+)$", UNIT, re.MULTILINE)]
    for setting in ("PAPERSITE_DATA", "PAPERSITE_SNAPSHOT"):
        (path,) = re.findall(rf"^{setting}=(\S+)", DEPLOY, re.MULTILINE)
        assert any(Path(path).is_relative_to(folder) for folder in writable), path
