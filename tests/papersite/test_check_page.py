"""The page that checks a draft: what is brought, shown, decided, cancelled and deleted."""

import io
import re
import threading
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponseBase
from django.template.defaultfilters import filesizeformat
from django.test import Client
from pytest_django import Settings

from papercore import limits
from papers.drafts.kept_checks import CHECKS, CHECKS_AT_ONCE
from papersite.server.body_limits import PERMIT, body_limit
from searches.models import KeptDraft
from tests.papers.drafts import THESIS
from tests.papers.drafts.conftest import demo_papers, demo_served  # noqa: F401 - fixtures
from tests.server import wait_for

pytestmark = [
    pytest.mark.usefixtures("demo_served", "own_data"),
    pytest.mark.django_db(databases=["default", "snapshot"]),
]
BIB = (THESIS / "refs.bib").read_text(encoding="utf-8")
SAID = "A 56-layer plain network ends with a lower training error than one of 20 layers [@he2016deep].\n"
UNCITED = (
    "A recurrent network can in principle use its feedback connections to remember recent inputs as activations.\n"
)


@pytest.fixture
def own_data(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    settings.DATA = tmp_path / "data"
    yield tmp_path / "data"
    permits = [CHECKS.free.acquire(timeout=60) for _ in range(CHECKS_AT_ONCE)]
    for _ in permits:
        CHECKS.free.release()


def send(client: Client, *files: tuple[str, bytes], text: str = "", bibliography: str = "") -> HttpResponseBase:
    uploads = [SimpleUploadedFile(name, content) for name, content in files]
    return client.post("/check/", {"files": uploads, "text": text, "bibliography": bibliography})


def shown(client: Client, sent: HttpResponseBase, query: str = "") -> str:
    """The page once the check is over."""
    assert sent.status_code == 302
    address = sent["Location"]
    check = CHECKS.find(address.split("/")[-2])
    wait_for(lambda: not check.load().is_working, "the check is over")
    return client.get(address + query).content.decode()


def checked(client: Client, text: str, query: str = "") -> str:
    return shown(client, send(client, text=text, bibliography=BIB), query)


def finding_ids(page: str) -> list[str]:
    return re.findall(r'<article class="finding" id="f-([0-9a-f]{16})"', page)


def decide(client: Client, address: str, decision: str, **headers: str) -> HttpResponseBase:
    return client.post(f"{address}decision/", {"decision": decision, "show": "open"}, headers=headers)


def test_a_pasted_draft_is_shown_with_marks_in_both_texts_and_a_key_to_copy(client: Client) -> None:
    page = checked(client, f"{SAID}\n{UNCITED}")
    assert "<mark>lower</mark>" in page
    assert "<mark>higher</mark>" in page
    assert '<pre class="vh" aria-hidden="true">hochreiter1997long</pre>' in page
    assert "Entry differs" in page
    assert "he2016deep: year: “2019”" in page
    only = checked(client, f"{SAID}\n{UNCITED}", "?show=uncited")
    assert "<mark>" not in only.split("</header>")[-1].split("<form method")[0].replace("<mark>Marked</mark>", "")
    assert len(finding_ids(only)) == 1


def test_a_thesis_in_an_archive_is_read_with_its_parts(client: Client) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        for path in THESIS.rglob("*.*"):
            packed.write(path, f"thesis/{path.relative_to(THESIS)}")
        packed.writestr("thesis/figure.png", b"\x89PNG")
        packed.writestr("../../out.tex", "\\documentclass{article} outside")
    page = shown(client, send(client, ("thesis.zip", archive.getvalue())))
    assert "parts/recurrent.tex" in page
    assert "<mark>29.4</mark>" in page
    assert list(CHECKS.root.parent.parent.glob("out.tex")) == []


def test_nothing_of_the_draft_stays_but_the_result_and_that_can_be_deleted(client: Client, own_data: Path) -> None:
    sent = send(client, ("note.md", SAID.encode()), ("refs.bib", BIB.encode()))
    shown(client, sent)
    files = [path.name for path in own_data.rglob("*") if path.is_file()]
    assert sorted(files) == ["result.json", "state.json"]
    assert client.post(f"{sent['Location']}discard/").status_code == 302
    assert [path for path in own_data.rglob("*") if path.is_file()] == []
    assert client.get(sent["Location"]).status_code == 404
    assert KeptDraft.objects.count() == 0


def test_the_next_version_shows_only_what_changed(client: Client) -> None:
    first = send(client, text=f"{SAID}\n{UNCITED}", bibliography=BIB)
    page = shown(client, first, "?show=open")
    for finding in finding_ids(page):
        assert decide(client, first["Location"], f"leave:{finding}").status_code == 302
    assert finding_ids(shown(client, first, "?show=open")) == []
    kept = KeptDraft.objects.get()
    assert "layer" not in f"{kept.sentences}{kept.decisions}"
    second = send(client, text=f"A new opening.\n\n{SAID}\n{UNCITED}", bibliography=BIB)
    assert "has changed since the version before" in shown(client, second)
    changed = send(client, text=f"{SAID.replace('20', '30')}\n{UNCITED}", bibliography=BIB)
    assert shown(client, changed).count('class="finding"') <= 1
    stranger = shown(Client(), second, "?show=open")
    assert len(finding_ids(stranger)) == len(finding_ids(page))
    client.post(f"{second['Location']}discard/", {"forget": "1"})
    assert KeptDraft.objects.count() == 0


def test_a_decision_is_taken_back_by_the_same_button_and_wrong_ones_are_refused(client: Client) -> None:
    sent = send(client, text=SAID, bibliography=BIB)
    finding = finding_ids(shown(client, sent))[0]
    part = decide(client, sent["Location"], f"fixed:{finding}", HX_Request="true")
    assert b'aria-pressed="true"' in getattr(part, "content", b"")
    assert f'value=":{finding}"'.encode() in getattr(part, "content", b"")
    decide(client, sent["Location"], f":{finding}")
    assert 'aria-pressed="true"' not in shown(client, sent)
    for wrong in ("maybe:" + finding, "right:0000000000000000", "", "right"):
        assert decide(client, sent["Location"], wrong).status_code == 400


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("draft.docx", b"PK\x03\x04 no archive", "draft.docx cannot be read"),
        ("draft.pdf", b"%PDF-1.7 and no more", "draft.pdf cannot be read"),
        ("draft.zip", b"PK\x03\x04", "the archive is damaged"),
        ("draft.odt", b"anything", "not a kind of file that is read"),
        ("draft.md", b"", "it is empty"),
    ],
)
def test_a_bad_file_is_said_in_a_sentence_and_the_others_are_checked(
    client: Client, name: str, content: bytes, said: str
) -> None:
    alone = shown(client, send(client, (name, content)))
    assert said in alone
    assert "Nothing was checked" in alone or name == "draft.md"
    beside = shown(client, send(client, (name, content), text=SAID, bibliography=BIB))
    assert said in beside
    assert "<mark>lower</mark>" in beside


def test_what_was_pasted_is_there_again_where_it_could_not_be_checked(client: Client) -> None:
    entries = "".join(f"@book{{k{number}, title={{T}}}}\n" for number in range(limits.BIBLIOGRAPHY_ENTRIES + 1))
    page = checked_with(client, "A sentence that took long to write.", entries)
    assert "must have at most" in page
    assert "A sentence that took long to write." in page
    assert client.post("/check/", {"text": " "}).status_code == 400


def checked_with(client: Client, text: str, bibliography: str) -> str:
    return shown(client, send(client, text=text, bibliography=bibliography))


def test_a_check_is_cancelled(client: Client) -> None:
    sent = send(client, text=SAID * 4_000, bibliography=BIB)
    assert client.post(f"{sent['Location']}discard/").status_code == 302
    assert "It was cancelled. The library is as it was." in shown(client, sent)


def test_more_than_a_few_at_once_are_refused(client: Client) -> None:
    taken = [CHECKS.free.acquire(blocking=False) for _ in range(CHECKS_AT_ONCE)]
    try:
        refused = send(client, text=SAID)
        assert (refused.status_code, b"Other drafts are being checked" in getattr(refused, "content", b"")) == (
            409,
            True,
        )
        assert SAID.strip().encode() in getattr(refused, "content", b"")
    finally:
        for _ in taken:
            CHECKS.free.release()
    assert all(taken)


def thesis_of(size: int) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("thesis.tex", b"\\section{Cats} " * (size // 15))
    return stream.getvalue()


def children() -> int:
    """Processes of ours that read what strangers sent."""
    own = Path("/proc/self/task").glob("*/children")
    found = {pid for file in own for pid in file.read_text().split()}
    return sum(b"ingest.reading.archive" in Path(f"/proc/{pid}/cmdline").read_bytes() for pid in found)


def test_an_archive_is_not_even_kept_while_all_places_are_taken(client: Client, own_data: Path) -> None:
    taken = [CHECKS.free.acquire(blocking=False) for _ in range(CHECKS_AT_ONCE)]
    before = children()
    try:
        assert send(client, ("thesis.zip", thesis_of(10_000))).status_code == 409
        assert children() == before
        assert list((own_data / "checks").iterdir()) == []
    finally:
        for _ in taken:
            CHECKS.free.release()


def test_of_archives_that_unpack_to_much_few_are_opened_at_once_and_little_is_kept(own_data: Path) -> None:
    """Ten at once, as one stranger sent them: each 180 kB, and 180 MB unpacked."""
    archive, sizes, counts, is_over = thesis_of(180_000_000), [0], [0], threading.Event()

    def watch() -> None:
        while not is_over.wait(0.01):
            with suppress(OSError):  # files and processes come and go
                sizes.append(sum(path.stat().st_size for path in own_data.rglob("*") if path.is_file()))
                counts.append(children())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        with ThreadPoolExecutor(10) as threads:
            sent = list(threads.map(lambda _: send(Client(), ("thesis.zip", archive)), range(10)))
        taken = [each for each in sent if each.status_code == 302]
        assert {each.status_code for each in sent} <= {302, 409}
        assert taken
        for each in taken:
            assert "thesis.zip: there are more than 10,000,000 bytes in it" in shown(Client(), each)
    finally:
        is_over.set()
        watcher.join()
    assert max(counts) <= CHECKS_AT_ONCE
    assert max(sizes) < CHECKS_AT_ONCE * (limits.STRANGER_DRAFT_UNPACKED_BYTES + 1_000_000)


def test_markup_in_a_draft_is_text(client: Client) -> None:
    page = checked(client, "A <script>alert(1)</script> sentence about 56-layer networks [@he2016deep].")
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


def test_large_drafts_are_taken_from_who_saw_the_form_and_the_largest_from_who_is_known(client: Client) -> None:
    def taken() -> int:
        permit = client.get("/check/").cookies[PERMIT].value
        return body_limit("/check/", f'{PERMIT}="{permit}"')

    assert body_limit("/check/", "") == limits.BODY_BYTES
    assert taken() == limits.STRANGER_UPLOAD_BYTES
    assert f"up to {filesizeformat(limits.STRANGER_UPLOAD_BYTES)}" in client.get("/check/").content.decode()
    raised = client.cookies[PERMIT].value.replace(str(limits.STRANGER_UPLOAD_BYTES), str(limits.UPLOAD_BYTES))
    assert body_limit("/check/", f'{PERMIT}="{raised}"') == limits.BODY_BYTES
    client.force_login(get_user_model().objects.create_user("ada"))
    assert taken() == limits.UPLOAD_BYTES


def test_a_private_site_checks_for_its_readers_alone(client: Client, settings: Settings) -> None:
    settings.ACCESS = "private"
    assert "/sign-in/" in send(client, text=SAID)["Location"]
    client.force_login(get_user_model().objects.create_user("ada"))
    assert "<mark>lower</mark>" in checked(client, SAID)


@pytest.mark.parametrize("wrong", ["0" * 32, "..", "x" * 32, "%00"])
def test_checks_that_do_not_exist_are_not_found(client: Client, wrong: str) -> None:
    assert client.get(f"/check/{wrong}/").status_code == 404
