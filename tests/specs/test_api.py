"""REST: the spec tools with the same answers and errors."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from pydantic import BaseModel

from papersite.command.commands import call_command
from specs import tools


@pytest.mark.parametrize(
    ("url", "answer"),
    [
        ("/api/specs", lambda: tools.list_specs()),
        ("/api/specs/search?query=snooze&limit=3", lambda: tools.search_specs("snooze", 3)),
        ("/api/specs/requirements?spec_id=alarm-clock", lambda: tools.get_spec_requirements("alarm-clock")),
        (
            "/api/specs/scenario?spec_id=bedroom/night-light&requirement=Dims slowly",
            lambda: tools.get_scenario("bedroom/night-light", "Dims slowly"),
        ),
        ("/api/specs/validation?spec_id=alarm-clock", lambda: tools.validate_spec("alarm-clock")),
        ("/api/changes?archived=true", lambda: tools.list_changes(archived=True)),
        ("/api/changes/details?change=gentler-waking", lambda: tools.get_change("gentler-waking")),
    ],
)
def test_each_route_answers_as_its_tool(
    openspec: Path, capsys: pytest.CaptureFixture[str], url: str, answer: Callable[[], BaseModel]
) -> None:
    call_command("build_spec_index")
    response = Client().get(url)
    assert response.status_code == 200
    assert response.json() == answer().model_dump()


@pytest.mark.parametrize(
    ("url", "status", "code"),
    [
        ("/api/specs?project=attic", 404, "project_not_found"),
        ("/api/specs/requirements?spec_id=../etc", 404, "spec_not_found"),
        ("/api/specs/requirements", 422, "invalid_input"),
        ("/api/specs/search?query=" + "x" * 501, 422, "invalid_input"),
        ("/api/specs/search?query=snooze", 503, "index_not_built"),
        ("/api/changes/details?change=none", 404, "change_not_found"),
    ],
)
def test_errors_have_the_one_shape(openspec: Path, url: str, status: int, code: str) -> None:
    response = Client().get(url)
    assert (response.status_code, response.json()["error"]) == (status, code)
    assert response.json()["message"]
