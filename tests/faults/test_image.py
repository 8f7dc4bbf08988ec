"""The image: small, not root, state in /data alone, the demo or the library that is mounted.

Building takes minutes, so it is asked for: `make test-image`.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.papersite.test_commands import found_by_an_agent, free_port
from tests.server import ROOT, wait_for

BASE = os.environ.get("PAPERSITE_TEST_IMAGE", "")
# Without the rights of a container engine of its own, as inside another container.
BUILDAH_ENVIRONMENT = {**os.environ, "BUILDAH_ISOLATION": "chroot", "STORAGE_DRIVER": "vfs"}
NAME = "localhost/papersite:tests"
MOST_BYTES = 450_000_000
CERTIFICATES = "/etc/ssl/certs"

pytestmark = [
    pytest.mark.skipif(not BASE, reason="PAPERSITE_TEST_IMAGE names no base image: run `make test-image`"),
    pytest.mark.skipif(not shutil.which("buildah"), reason="there is no buildah"),
]


def buildah(*arguments: str) -> str:
    result = subprocess.run(
        ["buildah", *arguments], cwd=ROOT, env=BUILDAH_ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr[-2000:]
    return result.stdout.strip()


@pytest.fixture(scope="module")
def image() -> str:
    trusted = f"{CERTIFICATES}:{CERTIFICATES}:ro"  # a package index may have a certificate of its own
    buildah(
        "bud", "--format", "docker", "--pull-never", "--volume", trusted, "--build-arg", f"BASE={BASE}", "-t", NAME, "."
    )
    return NAME


@contextmanager
def served(image: str, *options: str) -> Iterator[str]:
    """The address of the image's own command on a free port."""
    container, port = buildah("from", "--pull-never", image), free_port()
    own = buildah("inspect", "--format", "{{index .OCIv1.Config.Cmd 2}}", container)
    script = f"export WEB_CONCURRENCY=1; {own.replace('0.0.0.0:8000', f'127.0.0.1:{port}')}"
    command = ["buildah", "run", *options, container, "--", "sh", "-c", script]
    process = subprocess.Popen(command, env=BUILDAH_ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: is_up(f"http://127.0.0.1:{port}") or process.poll() is not None, "the image answers", 120)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(60)
        buildah("rm", container)


def is_up(address: str) -> bool:
    try:
        return httpx.get(f"{address}/healthz", trust_env=False, timeout=5).status_code == 200
    except httpx.HTTPError:
        return False


def test_the_image_is_small_and_says_how_to_see_that_it_is_well(image: str) -> None:
    container = buildah("from", "--pull-never", image)
    folder = Path(buildah("mount", container))
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    assert sum(path.stat().st_size for path in files) < MOST_BYTES
    assert "healthz" in buildah("inspect", "--format", "{{.Docker.Config.Healthcheck.Test}}", container)
    buildah("rm", container)


def test_it_is_not_root_and_writes_nothing_but_its_data(image: str) -> None:
    container = buildah("from", "--pull-never", image)
    script = "id -u; for place in / /app /venv /usr; do touch $place/x 2>/dev/null && echo $place; done; touch /data/x"
    assert buildah("run", container, "--", "sh", "-c", script) == "10001"
    buildah("rm", container)


def test_it_shows_the_demo_where_no_library_is_mounted(image: str) -> None:
    with served(image) as address:
        assert found_by_an_agent(f"{address}/mcp", "attention") > 0


def test_it_shows_the_library_that_is_mounted_read_only(image: str, library: Path, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    shutil.copytree(library.parent, folder)
    tmp_path.chmod(0o755)
    with served(image, "--volume", f"{folder}:/library:ro") as address:
        page = httpx.get(f"{address}/papers/", trust_env=False, timeout=60)
        assert page.status_code == 200
        assert "Attention Is All You Need" in page.text or "papers" in page.text
