"""Who somebody is on a site as it is really started: with its own key, by commands, over real connections."""

import re
import select
import shutil
import socket
import socketserver
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.papersite.test_commands import free_port, lines_until_served
from tests.server import ROOT, environment, rpc

PASSWORD = "five grey herons at dusk"
NO_KEY = {"PAPERSITE_SECRET_KEY": ""}


class OwnSite:
    """A private site that its owner started with `papersite`; commands run beside it, as they would."""

    def __init__(self, data: Path, port: int) -> None:
        self.data, self.port, self.address = data, port, f"http://127.0.0.1:{port}"
        self._settings = {**NO_KEY, "PAPERSITE_ACCESS": "private", "WEB_CONCURRENCY": "2"}
        command = [sys.executable, "-m", "papersite", "--no-browser", "--bind", f"127.0.0.1:{port}"]
        own = environment(data, **self._settings)
        self.process = subprocess.Popen(command, cwd=ROOT, env=own, stdout=subprocess.PIPE, text=True)
        self.printed = lines_until_served(self.process)

    def run(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        own = environment(self.data, **{**self._settings, **settings})
        command = [sys.executable, "-m", "papersite", *arguments]
        return subprocess.run(
            command,
            cwd=ROOT,
            env=own,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def printed_by(self, *arguments: str) -> str:
        done = self.run(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


@pytest.fixture(scope="module")
def site(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnSite]:
    data = tmp_path_factory.mktemp("own") / "data"
    shutil.copytree(template, data)
    site = OwnSite(data, free_port())
    yield site
    site.process.terminate()
    site.process.communicate(timeout=60)


@pytest.fixture
def owner(site: OwnSite) -> Iterator[httpx.Client]:
    with browser(site.address) as client:
        assert client.get(site.printed_by("link")).status_code == 302
        yield client


def browser(address: str, **headers: str) -> httpx.Client:
    return httpx.Client(base_url=address, headers=headers, trust_env=False, timeout=30)


def may_change(client: httpx.Client) -> bool:
    return client.get("/library/add/").status_code == 200


def test_an_invitation_by_command_opens_the_site_that_is_served(site: OwnSite) -> None:
    link = site.printed_by("invite", "ed", "--role", "editor")
    assert link.startswith(f"{site.address}/invitation/")
    with browser(site.address) as client:
        form = client.get(link).headers["Location"]
        page = client.get(form).text
        token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[0]
        chosen = {"csrfmiddlewaretoken": token, "new_password1": PASSWORD, "new_password2": PASSWORD}
        assert client.post(form, data=chosen).status_code == 302
        assert may_change(client)
    with browser(site.address) as other:
        assert "no longer works" in other.get(link).text


def test_whoever_starts_a_private_site_reads_how_an_agent_gets_in(site: OwnSite, owner: httpx.Client) -> None:
    assert "papersite create-token NAME" in site.printed
    assert f'papersite {site.address}/mcp --header "Authorization: Bearer TOKEN"' in site.printed
    assert "Run <code>papersite create-token NAME</code>" in owner.get("/connect/").text
    assert owner.get("/state/").status_code == 200


def test_an_invitation_that_the_site_would_refuse_is_not_printed(site: OwnSite, tmp_path: Path) -> None:
    other_key = site.run("invite", "jo", PAPERSITE_SECRET_KEY="another-key-" * 5)
    assert (other_key.returncode, other_key.stdout) == (1, "")
    assert "another PAPERSITE_SECRET_KEY" in other_key.stderr
    no_key = site.run("invite", "jo", PAPERSITE_DATA=str(tmp_path))
    assert (no_key.returncode, no_key.stdout) == (1, "")
    assert "There is no secret key" in no_key.stderr
    no_address = site.run("invite", "jo", PAPERSITE_HTTPS="on")
    assert "--site https://" in no_address.stderr


def test_a_new_link_of_the_owner_leads_to_the_port_and_ends_the_one_before(site: OwnSite) -> None:
    done = site.run("link")
    assert "before no longer work" in done.stderr
    second = site.printed_by("link")
    assert second.startswith(f"{site.address}/enter/")
    with browser(site.address) as client:
        assert client.get(done.stdout.strip()).status_code == 403
        assert client.get(second).status_code == 302
    assert f"{site.address}/mcp" in site.printed_by("connect", "claude-code")


class Forwarding(socketserver.BaseRequestHandler):
    """The bytes of a connection go to the site and back, as with `ssh -R`."""

    server: "Tunnel"

    def handle(self) -> None:
        with socket.create_connection(("127.0.0.1", self.server.to_port)) as there:
            others = {self.request: there, there: self.request}
            while True:
                for ready in select.select(list(others), [], [], 60)[0]:
                    data = ready.recv(65_536)
                    if not data:
                        return
                    others[ready].sendall(data)


class Tunnel(socketserver.ThreadingTCPServer):
    def __init__(self, to_port: int) -> None:
        super().__init__(("127.0.0.1", 0), Forwarding)
        self.to_port = to_port


@pytest.fixture
def tunnel(site: OwnSite) -> Iterator[str]:
    """Another port of this machine at which the site is reached; its address."""
    with Tunnel(site.port) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_whoever_comes_through_a_tunnel_is_who_their_cookie_says(
    site: OwnSite, tunnel: str, owner: httpx.Client
) -> None:
    with browser(tunnel) as stranger, browser(tunnel) as same_person:
        assert not may_change(stranger)
        assert stranger.get("/papers/").headers["Location"].startswith("/sign-in/")
        same_person.cookies = owner.cookies
        assert may_change(same_person)
        assert not may_change(stranger)
    assert may_change(owner)


def test_one_connection_of_a_proxy_carries_several_people(site: OwnSite, owner: httpx.Client) -> None:
    """Each request says who it is from; the connection that the one before came over says nothing."""
    cookie = "; ".join(f"{name}={value}" for name, value in owner.cookies.items())
    statuses = []
    with closing(socket.create_connection(("127.0.0.1", site.port))) as connection:
        answers = connection.makefile("rb")
        for header in (
            f"Cookie: {cookie}",
            "X-Forwarded-For: 127.0.0.1",
            "Remote_User: owner",
            "Script-Name: /healthz",
        ):
            head = f"GET /library/add/ HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n{header}\r\n\r\n"
            connection.sendall(head.encode())
            statuses.append(_status_of(answers))
    assert statuses == [200, 302, 302, 302]


def _status_of(answers: object) -> int:
    read_line, read = answers.readline, answers.read  # type: ignore[attr-defined]  # a buffered reader
    status, length = int(read_line().split()[1]), 0
    while line := read_line().strip():
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    read(length)
    return status


@pytest.mark.parametrize("target", ["//library/add/", "http://127.0.0.1/library/add/", "/healthz/../library/add/"])
def test_another_way_to_write_an_address_lets_nobody_in(site: OwnSite, target: str) -> None:
    with closing(socket.create_connection(("127.0.0.1", site.port))) as connection:
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n\r\n".encode())
        assert _status_of(connection.makefile("rb")) in (302, 400, 404)


def test_a_token_of_a_command_opens_mcp_in_every_worker_until_a_command_revokes_it(site: OwnSite, tunnel: str) -> None:
    token = site.printed_by("create-token", "agent", "--scope", "read")
    listing = rpc("tools/list", {})
    for address in (site.address, tunnel):
        with browser(address, authorization=f"Bearer {token}") as agent, browser(address) as stranger:
            assert agent.post("/mcp", json=listing).status_code == 200
            assert agent.get("/papers/").status_code == 200
            assert not may_change(agent)
            assert stranger.post("/mcp", json=listing).status_code == 401
    site.printed_by("revoke-token", "agent")
    for _ in range(8):  # connections of their own go to both workers
        with browser(tunnel, authorization=f"Bearer {token}") as agent:
            assert agent.post("/mcp", json=listing).status_code == 401
