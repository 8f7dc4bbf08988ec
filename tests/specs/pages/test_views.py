"""The pages of the specs: what a reader sees without any script."""

import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from django.test import Client
from pytest_django import Settings

from papersite.command.commands import call_command
from tests.specs.folders import DELTA, LAMP, MAIN, write
from tests.specs.pages.client import page


def test_the_list_names_specs_with_purpose_and_counts(openspec: Path) -> None:
    text = page("/specs/")
    assert 'href="/specs/openspec/alarm-clock/"' in text
    assert 'href="/specs/openspec/bedroom/night-light/"' in text
    assert "Wakes people" in text
    assert "3 scenarios" in text
    assert "1 open change" in text


def test_the_list_is_narrowed_by_a_word_and_says_so_when_none_is_left(openspec: Path) -> None:
    text = page("/specs/?filter=NIGHT")
    assert "night-light" in text
    assert "alarm-clock/" not in text
    assert "No spec has “kettle”" in page("/specs/?filter=kettle")


def test_an_empty_folder_says_what_to_put_there(tmp_path: Path, settings: Settings) -> None:
    settings.SPECS = str(tmp_path)
    assert "No specs in this folder" in page("/specs/")


@pytest.mark.parametrize("name", ["clock #2", "50% off?", "a&b'c", "時計", "two\nlines"])
def test_a_folder_of_any_name_has_a_page_that_the_list_links_to(openspec: Path, name: str) -> None:
    write(openspec, {f"specs/{name}/spec.md": LAMP, f"changes/{name}/specs/{name}/spec.md": DELTA})
    for list_page in ("/specs/", "/specs/changes/"):
        links = [unescape(link) for link in re.findall(r'href="(/specs/[^"]+)"', page(list_page))]
        (link,) = {link for link in links if unquote(link).rstrip("/").endswith(f"/openspec/{name}")}
        assert name in unescape(page(link))


def test_projects_are_listed_apart_and_can_be_chosen(openspec: Path, settings: Settings) -> None:
    other = write(openspec.parent / "other", {"kettle/spec.md": LAMP})
    settings.SPECS = f"home={openspec},kitchen={other}"
    assert "kitchen:kettle" in page("/specs/")
    assert "home:alarm-clock" not in page("/specs/?project=kitchen")
    assert "Night light" in page("/specs/kitchen/kettle/")
    page("/specs/?project=attic", 404)


def test_a_spec_shows_outline_requirements_scenarios_and_source(openspec: Path) -> None:
    text = page("/specs/openspec/alarm-clock/")
    assert "<h1><bdi>Alarm clock</bdi></h1>" in text
    assert 'id="rings-on-time"' in text
    assert 'href="#rings-on-time-a-weekday"' in text
    assert "<strong>SHALL</strong>" in text
    assert re.search(r'<dt class="given">GIVEN</dt>\s*<dd>an alarm at 07:00 on weekdays</dd>', text)
    assert re.search(r'<dt class="and">BUT</dt>\s*<dd>it rings again afterwards</dd>', text)
    assert "### Requirement: Snooze" in text


def test_a_spec_shows_what_open_changes_do_to_it(openspec: Path) -> None:
    text = page("/specs/openspec/alarm-clock/")
    assert 'href="/specs/changes/openspec/gentler-waking/"' in text
    assert '<span class="delta modified">MODIFIED</span>' in text
    assert "becomes “Rings to the minute”" in text
    assert '<span class="gd">-The clock SHALL fall silent for nine minutes when it is tapped.</span>' in text
    assert '<span class="gi">+The clock SHALL fall silent for five minutes when it is tapped.</span>' in text


def test_every_anchor_is_there_once_and_every_inner_link_leads_to_one(openspec: Path) -> None:
    block = "### Requirement: Same\nIt SHALL.\n#### Scenario: s\n- WHEN a\n#### Scenario: s\n- WHEN b\n"
    write(openspec, {"specs/twice/spec.md": "## Requirements\n" + block * 2 + "### Requirement: Same s\nMUST.\n"})
    text = page("/specs/openspec/twice/")
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)


def test_warnings_are_shown_with_the_spec_and_on_their_own_page(openspec: Path) -> None:
    assert "No warnings" in page("/specs/warnings/")
    write(openspec, {"specs/alarm-clock/spec.md": MAIN + "\n### Divider\n"})
    assert "Line 36: “Divider”" in page("/specs/openspec/alarm-clock/")
    assert "“Divider” is not a “Requirement:” heading" in page("/specs/warnings/")


def test_a_change_shows_why_what_and_its_deltas_by_kind(openspec: Path) -> None:
    text = page("/specs/changes/openspec/gentler-waking/")
    assert "People wake up cross" in text
    assert "1 of 2 tasks done" in text
    for kind in ("ADDED", "MODIFIED", "REMOVED", "RENAMED"):
        assert f">{kind}</span>" in text
    assert "Rings to the minute" in text


def test_changes_are_listed_open_or_archived_and_an_empty_list_says_so(openspec: Path, settings: Settings) -> None:
    assert "Gentler waking" in page("/specs/changes/")
    assert "2026-01-02-first-light" in page("/specs/changes/?archived=1")
    page("/specs/changes/openspec/archive/2026-01-02-first-light/")
    settings.SPECS = str(openspec / "specs")
    assert "No open changes" in page("/specs/changes/")


def test_search_leads_to_the_requirement(openspec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("build_spec_index")
    text = page("/specs/search/?q=silent+for+nine+minutes")
    assert 'href="/specs/openspec/alarm-clock/#snooze"' in text
    assert "<mark>minutes</mark>" in text
    assert "Nothing is close enough" in page("/specs/search/?q=glaciers")
    write(openspec, {"specs/kettle/spec.md": LAMP})
    outdated = page("/specs/search/?q=snooze")
    assert "The index is out of date" in outdated
    assert "build-spec-index" not in outdated


def test_search_without_an_index_offers_the_list_and_shows_no_command(openspec: Path) -> None:
    text = page("/specs/search/?q=night", 503)
    assert "no search index" in text
    assert 'href="/specs/?filter=night"' in text
    assert "build-spec-index" not in text
    assert "build-spec-index" not in page("/specs/search.md?q=night", 503)


def test_only_with_an_index_search_promises_meaning(openspec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in ("/specs/search/", "/specs/", "/specs/?filter=nothing"):
        assert "meaning" not in page(path)
    call_command("build_spec_index")
    assert "Ask in your own words: requirements are found by meaning" in page("/specs/search/")


def test_a_query_that_is_too_long_is_refused(openspec: Path) -> None:
    page(f"/specs/search/?q={'x' * 501}", 400)


def test_an_unknown_spec_is_a_404_that_suggests_similar_names(openspec: Path) -> None:
    assert "Nearby: alarm-clock." in page("/specs/openspec/alarm-clok/", 404)
    assert json.loads(page("/specs/openspec/alarm-clok.json", 404))["error"] == "spec_not_found"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("/specs/openspec/", "/specs/?project=openspec"),
        ("/specs/openspec/alarm-clock", "/specs/openspec/alarm-clock/"),
        ("/specs/search?q=a", "/specs/search/?q=a"),
    ],
)
def test_a_shortened_address_redirects(openspec: Path, typed: str, meant: str) -> None:
    response = Client().get(typed)
    assert (response.status_code, response.headers["Location"]) == (302, meant)
    page("/specs/attic/", 404)


@pytest.mark.parametrize(
    "path",
    [
        "/specs/openspec/../alarm-clock/",
        "/specs/openspec/%2e%2e/%2e%2e/etc/passwd/",
        "/specs/openspec//etc/passwd.md",
        "/specs/openspec/..%2f..%2fspecs%2falarm-clock.md",
        "/specs/..%2f/alarm-clock.json",
        "/specs/openspec/alarm-clock%00.md",
        "/specs/changes/openspec/../../specs/",
        "/specs/changes/openspec/archive/../gentler-waking.md",
    ],
)
def test_path_tricks_in_an_address_reach_nothing(openspec: Path, path: str) -> None:
    page(path, 404)


def test_a_mistyped_address_links_to_similar_specs(openspec: Path) -> None:
    text = page("/specs/openspec/alarm-clok/", 404)
    assert "There is no spec with this address" in text
    assert 'href="/specs/openspec/alarm-clock/"' in text


@pytest.mark.parametrize("name", ["xyzzy", "a", "qq-zz"])
def test_a_nonsense_address_suggests_no_spec(openspec: Path, name: str) -> None:
    assert "Close matches" not in page(f"/specs/openspec/{name}/", 404)


def test_a_huge_spec_and_a_long_list_are_shown_in_part_and_say_so(openspec: Path) -> None:
    block = "### Requirement: R{0}\nIt SHALL.\n#### Scenario: s\n" + "- **WHEN** a\n" * 20
    write(openspec, {"specs/big/spec.md": "## Requirements\n" + "".join(map(block.format, range(200)))})
    text = page("/specs/openspec/big/")
    assert "200 requirements" in text
    assert "109 more requirements" in text
    write(openspec, {f"specs/many-{number}/spec.md": LAMP for number in range(210)})
    assert "13 more: filter" in page("/specs/")
