"""The steps of docs/deploy.md."""

import os
import re
import shutil
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from papersite.accounts import owner
from tests import snapshot as sample
from tests.faults.conftest import MakeServer
from tests.ingest.pdf.made_pdf import write_large_pdf
from tests.server import ROOT, SiteServer, wait_for


@pytest.fixture(scope="module")
def deployed(make_server: MakeServer) -> SiteServer:
    """Started by `manage.py serve` on a socket that it is given."""
    server = make_server(by_systemd=True, WEB_CONCURRENCY="1", PAPERSITE_SESSION_CALLS="0")
    server.wait_until_up()
    return server


def test_the_site_serves_on_a_socket_that_systemd_opened(deployed: SiteServer) -> None:
    page = deployed.get("/")
    assert page.status_code == 200
    assert re.search(r"site\.[0-9a-f]{12}\.css", page.text), "static files are collected and hashed"


def test_a_backup_of_the_database_is_taken_while_it_is_used_and_goes_on_elsewhere(
    deployed: SiteServer, single: SiteServer
) -> None:
    session = deployed.call("start_search", query="attention")
    copy = deployed.data / "backup.sqlite3"
    sqlite3.connect(deployed.data / "site.sqlite3").execute("VACUUM INTO ?", [str(copy)])
    single.stop()
    for leftover in single.data.glob("site.sqlite3-*"):
        leftover.unlink()
    shutil.copy(copy, single.data / "site.sqlite3")
    single.restart()
    found = single.call("get_session", session_id=session["session_id"])
    assert found["query"] == "attention"


def test_a_new_snapshot_is_published_beside_the_old_one_and_taken_back(make_server: MakeServer, tmp_path: Path) -> None:
    current = tmp_path / "current"
    old, new = tmp_path / "old", tmp_path / "new"
    sample.build(old)
    sample.build(new, [replace(sample.PAPERS[0], title="A Newer Title")], build_id="f" * 32)
    current.symlink_to(old)
    server = make_server(WEB_CONCURRENCY="1", PAPERSITE_SNAPSHOT=str(current / "paper_snapshot.db"))
    titles = []
    for folder in (old, new, old):
        aside = tmp_path / "current.new"
        aside.symlink_to(folder)
        aside.replace(current)
        titles.append(server.call("get_paper_metadata", paper_id="123")["title"])
        assert "error" not in server.call("get_paper_summary", paper_id="123")
    assert titles == ["Attention Is All You Need", "A Newer Title", "Attention Is All You Need"]


@contextmanager
def nginx_before(server: SiteServer, folder: Path) -> Iterator[str]:
    """nginx with our configuration, except that it listens here and without TLS; its address."""
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None:
        pytest.skip("nginx is not installed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    text = (ROOT / "deploy" / "nginx.conf").read_text()
    text = re.sub(r"listen 443 ssl http2;", f"listen 127.0.0.1:{port};", text)
    text = re.sub(r"ssl_certificate.*;", "", text).replace("127.0.0.1:8000", f"127.0.0.1:{server.port}")
    text = text.replace("/etc/nginx/papersite_proxy.conf", str(ROOT / "deploy" / "papersite_proxy.conf"))
    text = text.replace("papers.example.org", "localhost")
    places = "".join(f"{kind}_temp_path {folder};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    # Started by root, its workers would be somebody who may not write here.
    user = "user root; " if os.geteuid() == 0 else ""
    main = f"{user}daemon off; pid {folder}/pid; error_log {folder}/log; events {{}}"
    (folder / "nginx.conf").write_text(f"{main} http {{ access_log off; {places} {text} }}")
    process = subprocess.Popen([nginx, "-p", str(folder), "-e", "log", "-c", str(folder / "nginx.conf")])
    try:
        wait_for(lambda: process.poll() is not None or is_open(port), "nginx")
        yield f"http://localhost:{port}"
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture
def proxy(server: SiteServer, tmp_path: Path) -> Iterator[str]:
    with nginx_before(server, tmp_path) as address:
        yield address


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_behind_nginx_requests_keep_their_id_and_large_bodies_stop_there(server: SiteServer, proxy: str) -> None:
    with httpx.Client(base_url=proxy, trust_env=False, timeout=30) as client:
        answer = client.get("/papers/123/")
        assert answer.status_code == 200
        given = answer.headers["X-Request-ID"]
        assert re.fullmatch("[0-9a-f]{32}", given), "nginx's own id"
        assert given in [line["request_id"] for line in server.lines("request")]
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        assert client.post("/mcp", json=message).json()["result"]["tools"]
        assert client.post("/mcp", content=b"x" * 2_000_000).status_code == 413
        assert client.get("/readyz").status_code == 200


@pytest.mark.parametrize("way", ["straight", "behind nginx"])
def test_a_pdf_of_20_mb_is_added(way: str, make_server: MakeServer, tmp_path: Path) -> None:
    proxies = "0" if way == "straight" else "1"
    server = make_server(WEB_CONCURRENCY="1", PAPERSITE_PROXIES=proxies, PAPERSITE_LIBRARY_CHANGES="local")
    server.wait_until_up()
    pdf = write_large_pdf(tmp_path / "large.pdf", "On the weight of cats").read_bytes()
    with ExitStack() as stack:
        straight = f"http://localhost:{server.port}"
        address = straight if way == "straight" else stack.enter_context(nginx_before(server, tmp_path))
        client = stack.enter_context(httpx.Client(base_url=address, trust_env=False, timeout=60))
        assert client.get("/enter/", params={"key": owner.new_key(server.data)}).status_code == 302
        form = client.get("/library/add/")
        token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', form.text)[0]
        sent = client.post(
            "/library/add/", data={"csrfmiddlewaretoken": token}, files={"files": ("large.pdf", pdf, "application/pdf")}
        )
        assert sent.status_code == 302, sent.text
        place = sent.headers["Location"]
        wait_for(lambda: "On the weight of cats" in client.get(place).text, "the paper is shown")
        client.post(f"{place}apply/", data={"csrfmiddlewaretoken": token})
        wait_for(
            lambda: len(pdf) in {path.stat().st_size for path in server.data.glob("**/static/**/*.pdf")}, "its PDF"
        )
