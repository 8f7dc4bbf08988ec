"""Makes a release in `dist/`: sdist and wheels, a list of what they bring (SBOM), notes, checksums. `make release`."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PIN = re.compile(r"^([\w.-]+)==(\S+)(?: ; [^\\]*)? \\$")
HASH = re.compile(r"^    --hash=sha256:([0-9a-f]{64})")
VERSION = re.compile(r'VERSION = "([^"]+)"')


def main() -> None:
    dist = ROOT / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir()
    found = VERSION.search((ROOT / "papercore" / "version.py").read_text(encoding="utf-8"))
    version = found[1] if found else sys.exit("papercore/version.py states no version.")
    build(dist)
    (dist / f"papersite-{version}.cdx.json").write_text(json.dumps(bill_of_materials(version), indent=2) + "\n")
    (dist / "NOTES.md").write_text(notes(version), encoding="utf-8")
    files = sorted(path for path in dist.iterdir() if path.is_file())
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (dist / "SHA256SUMS").write_text("".join(lines))
    print("".join(lines), end="")


def build(dist: Path) -> None:
    """The same files give the same bytes: every time in the archives is that of the last commit."""
    time = _run("git", "log", "-1", "--format=%ct").strip()
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(dist)]
    _run(*command, ".", SOURCE_DATE_EPOCH=time)
    # A wheel alone: its sources are those of the other archive.
    _run(*command, "--wheel", "deploy/paper-search", SOURCE_DATE_EPOCH=time)
    built = sorted(map(str, dist.iterdir()))
    _run(sys.executable, "-m", "twine", "check", "--strict", *built)
    for path in built:
        if path.endswith(".whl"):
            folder = "deploy/paper-search" if Path(path).name.startswith("paper_search-") else "."
            _run(sys.executable, "-m", "check_wheel_contents", "--config", f"{folder}/pyproject.toml", path)


def _run(*command: str, **variables: str) -> str:
    result = subprocess.run(  # noqa: S603 (our own tools)
        command, cwd=ROOT, env=os.environ | variables, capture_output=True, text=True, check=False
    )
    return result.stdout if result.returncode == 0 else sys.exit(result.stdout + result.stderr)


def bill_of_materials(version: str) -> dict[str, object]:
    """CycloneDX 1.6: every package of requirements.txt with the hashes of its files."""
    components: list[dict[str, object]] = []
    hashes: list[dict[str, str]] = []
    for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines():
        if pin := PIN.match(line):
            name, number = pin[1], pin[2]
            purl, hashes = f"pkg:pypi/{name}@{number}", []
            components.append(
                {
                    "type": "library",
                    "bom-ref": purl,
                    "name": name,
                    "version": number,
                    "purl": purl,
                    "hashes": hashes,
                }
            )
        elif digest := HASH.match(line):
            hashes.append({"alg": "SHA-256", "content": digest[1]})
    product = {"type": "application", "bom-ref": "papersite", "name": "papersite", "version": version}
    product |= {"purl": f"pkg:pypi/papersite@{version}"}
    dependencies = [{"ref": "papersite", "dependsOn": [component["bom-ref"] for component in components]}]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": product},
        "components": components,
        "dependencies": dependencies,
    }


def notes(version: str) -> str:
    """What the changelog says of the version, or of what is not released yet."""
    sections = re.split(r"^## \[", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    unreleased = next((section for section in sections if section.startswith("Unreleased]")), "")
    wanted = "Unreleased" if unreleased.partition("\n")[2].strip() else version
    text = next((section for section in sections if section.startswith(f"{wanted}]")), "")
    return f"# papersite {version}\n\n{text.partition(chr(10))[2].strip()}\n"


if __name__ == "__main__":
    main()
