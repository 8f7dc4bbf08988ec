"""Licences of everything that is shipped: each is on the list of those that a site may use without asking."""

import re
from importlib.metadata import metadata
from pathlib import Path

import pytest
from packaging.markers import Marker

from tests.test_dependencies import PIN, ROOT

# Each may be used, changed and passed on with a product under another licence. The LGPL and the MPL are kept by
# shipping the packages unchanged; psycopg, orjson, certifi and tqdm have them.
ALLOWED = {
    *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "LGPL-3.0-only", "MIT", "MIT-0", "MPL-2.0"),
    *("OFL-1.1", "PSF-2.0", "Zlib"),
}
# How packages without an SPDX expression name theirs, in the field or in the last part of the classifier.
SPDX = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    # citeproc-py: the two clauses, and a line that its views are its own.
    "BSD-2-Clause-Views": "BSD-2-Clause",
    # pypdfium2 and PDFium; the wheel has the texts for the libraries inside (FreeType, OpenJPEG, lcms ...), which are
    # all permissive.
    "BSD-3-Clause, Apache-2.0, dependency licenses": "BSD-3-Clause",
    "MIT License": "MIT",
    "SIL Open Font License 1.1": "OFL-1.1",
}
VENDORED = ROOT / "papersite" / "static" / "papersite" / "vendor" / "VERSIONS.md"


def shipped() -> list[str]:
    """The packages that the product brings on this platform."""
    found = [match for line in lines(ROOT / "requirements.txt") if (match := PIN.match(line))]
    return [match[1] for match in found if not match[3] or Marker(match[3]).evaluate()]


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def licences(package: str) -> set[str]:
    """The SPDX names that a package gives for itself; of alternatives, the first that is allowed."""
    facts = metadata(package)
    field = (facts["License-Expression"] or facts["License"] or "").strip()
    names = [field.splitlines()[0]] if field else []
    names = names or [name.split(" :: ")[-1] for name in facts.get_all("Classifier", []) if name.startswith("License")]
    return {chosen(part) for name in names for part in re.split(r" AND ", name)}


def chosen(part: str) -> str:
    alternatives = [SPDX.get(name, name) for name in part.strip("()").split(" OR ")]
    return next((name for name in alternatives if name in ALLOWED), part)


@pytest.mark.parametrize("package", shipped())
def test_a_shipped_package_has_a_licence_that_is_allowed(package: str) -> None:
    found = licences(package)
    assert found, f"{package} names no licence"
    assert found <= ALLOWED


def test_the_files_of_others_have_licences_that_are_allowed() -> None:
    rows = [line.split("|") for line in lines(VENDORED) if line.startswith("| `")]
    named = {row[1].strip(): row[4].split(";")[0].strip() for row in rows}
    assert named
    assert {file: name for file, name in named.items() if SPDX.get(name, name) not in ALLOWED} == {}


def test_a_licence_that_is_not_allowed_would_be_noticed() -> None:
    assert chosen("AGPL-3.0-only") not in ALLOWED
    assert chosen("(AGPL-3.0-only OR MIT)") == "MIT"
