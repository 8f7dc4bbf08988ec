"""Installs a sentence model as a folder: complete and under its name, or not at all."""

import errno
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from papercore.processes.files import sync
from papercore.retrieval import SentenceModel
from papercore.sentence_models import sources
from papercore.sentence_models.errors import ModelDamaged, ModelNotInstalled
from papercore.sentence_models.known import KNOWN, MODEL, TOKENIZER, KnownModel

DESCRIPTION = "model.json"
# While it is written, a model is in a folder whose name starts so; one that was interrupted is removed by the next.
ASIDE = ".installing-"


def install(name: str, models: Path, folder: Path | None = None) -> Path:
    """Install a known model, or under another name the ONNX model in the folder; return where it is."""
    model = KNOWN.get(name)
    if model is None and folder is None:
        known = ", ".join(KNOWN)
        raise ModelNotInstalled(f"No model is called {name}. Known are: {known}. --from installs one from a folder.")
    if not name.replace("-", "").replace(".", "").replace("_", "").isalnum() or name.startswith("."):
        raise ModelNotInstalled("The name of a model is made of letters, digits, dots and hyphens.")
    with _errors_explained(models), _aside(models) as aside:
        if model and not (folder and (folder / MODEL).is_file()):
            _write_known(model, folder, aside)
        elif folder:
            _copy(folder, aside)
        _try_out(aside)
        _put_in_place(aside, models / name)
    return models / name


def _write_known(model: KnownModel, folder: Path | None, target: Path) -> None:
    free = shutil.disk_usage(target).free / 1e6
    if free < 2 * model.megabytes:
        raise ModelNotInstalled(f"{model.name} takes {model.megabytes} MB, and {free:,.0f} MB are free.")
    with tempfile.TemporaryDirectory(dir=target) as scratch:
        source = sources.fetch(model, folder, Path(scratch))
        model.convert(Path(scratch), target)
    described = {
        "name": model.name,
        "licence": model.licence,
        "source": source,
        "for_other_languages": model.for_other_languages,
    }
    (target / DESCRIPTION).write_text(json.dumps(described, indent=1), encoding="utf-8")


def _copy(folder: Path, target: Path) -> None:
    weights = min(folder.rglob("*.onnx"), default=None)
    if weights is None or not (folder / TOKENIZER).is_file():
        raise ModelNotInstalled(f"{folder} holds no sentence model: an .onnx file and {TOKENIZER}.")
    shutil.copyfile(weights, target / MODEL)
    for name in (TOKENIZER, DESCRIPTION):
        if (folder / name).is_file():
            shutil.copyfile(folder / name, target / name)


def _try_out(folder: Path) -> None:
    """A model that cannot be loaded must not replace one that can."""
    try:
        SentenceModel.load(folder).vector("A sentence.")
    except ImportError:
        raise ModelNotInstalled("Models are run by onnxruntime. Run: pip install 'papersite[model]'") from None
    except OSError:
        raise
    except Exception as error:
        raise ModelDamaged(f"The model cannot be used: {error}") from error


@contextmanager
def _aside(models: Path) -> Iterator[Path]:
    models.mkdir(parents=True, exist_ok=True)
    for left_over in models.glob(f"{ASIDE}*"):
        shutil.rmtree(left_over, ignore_errors=True)
    aside = Path(tempfile.mkdtemp(prefix=ASIDE, dir=models))
    try:
        yield aside
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _put_in_place(aside: Path, target: Path) -> None:
    aside.chmod(0o755)
    for path in aside.iterdir():
        sync(path)
    if target.exists():
        target.rename(aside.with_name(f"{aside.name}-before"))
    aside.rename(target)
    shutil.rmtree(aside.with_name(f"{aside.name}-before"), ignore_errors=True)


@contextmanager
def _errors_explained(models: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reasons = {
            errno.ENOSPC: "the disk is full",
            errno.EROFS: "the folder is read-only",
            errno.EACCES: "the folder may not be written",
            errno.ENOTDIR: "it is not a folder",
            errno.EEXIST: "it is not a folder",
        }
        reason = reasons.get(error.errno or 0, error.strerror or type(error).__name__)
        raise ModelNotInstalled(f"Nothing was installed in {models}: {reason}.") from error
