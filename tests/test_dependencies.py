"""Dependencies: pinned as pyproject.toml allows, imported from the right list, each with its line in the docs."""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import packages_distributions
from itertools import pairwise
from pathlib import Path
from sys import stdlib_module_names

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from papercore.version import VERSION

ROOT = Path(__file__).resolve().parent.parent
OURS = {"papersite", "mcpapi", "searches", "papers", "specs", "paper_search", "ingest", "papercore"}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LISTS: dict[str, list[str]] = {
    "site": PROJECT["project"]["dependencies"],
    **PROJECT["project"]["optional-dependencies"],
    **PROJECT["dependency-groups"],
}
FILES = ["requirements.txt", "requirements-dev.txt", "requirements-fuzz.txt"]
EXTRAS = tuple(PROJECT["project"]["optional-dependencies"])
SITE, DEV = ("site", "postgresql"), ("site", *EXTRAS, "dev")
# Its exact version is pinned by the package on the right.
COMPANIONS = {"pydantic-core": "pydantic"}
PIN = re.compile(r"^([\w.-]+)==(\S+)(?: ; ([^\\]*))?(?: \\)$")
HASH = re.compile(r"^    --hash=sha256:[0-9a-f]{64}(?: \\)?$")


# Built from this checkout, so that no file pins it.
LIBRARY = "paper-search"
LIBRARY_PROJECT = tomllib.loads((ROOT / "deploy" / LIBRARY / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def direct(*names: str) -> dict[str, Requirement]:
    """The packages that the lists name, and the lists that these include."""
    found: dict[str, Requirement] = {}
    for name in names:
        for requirement in map(Requirement, LISTS[name]):
            if requirement.name == PROJECT["project"]["name"]:
                found |= direct(*requirement.extras)
            elif requirement.name != LIBRARY:
                found[canonicalize_name(requirement.name)] = requirement
    return found


def pins(file: str) -> dict[str, str]:
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return {match[1]: match[2] for line in lines if (match := PIN.match(line))}


@pytest.mark.parametrize(
    ("file", "lists"),
    [("requirements.txt", SITE), ("requirements-dev.txt", DEV), ("requirements-fuzz.txt", ("fuzz",))],
)
def test_every_direct_dependency_is_pinned_within_its_range_and_marked(file: str, lists: tuple[str, ...]) -> None:
    wanted, pinned = direct(*lists), pins(file)
    assert {name for name, requirement in wanted.items() if pinned[name] not in requirement.specifier} == set()
    blocks = re.split(r"^(?=\w)", (ROOT / file).read_text(encoding="utf-8"), flags=re.MULTILINE)
    marked = {block.partition("==")[0] for block in blocks if "papersite (pyproject.toml" in block}
    assert marked == set(wanted)


def test_both_files_pin_the_same_versions() -> None:
    site, dev = pins("requirements.txt"), pins("requirements-dev.txt")
    assert {name: dev.get(name) for name in site} == site


@pytest.mark.parametrize("file", FILES)
def test_requirements_hold_pins_hashes_and_reasons_alone(file: str) -> None:
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    known = [line for line in lines if not line or PIN.match(line) or HASH.match(line) or line.strip().startswith("#")]
    assert known == lines
    assert len(pins(file)) == sum(1 for line in lines if PIN.match(line))
    assert [line for line in lines if "://" in line or line.strip().startswith(("# -i", "# --"))] == []


@pytest.mark.parametrize("file", FILES)
def test_every_pin_has_the_hashes_of_its_files(file: str) -> None:
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    followers = [after for line, after in pairwise(lines) if PIN.match(line)]
    assert len(followers) == len(pins(file)) > 0
    assert [line for line in followers if not HASH.match(line)] == []


def test_the_image_and_make_install_by_hash_alone() -> None:
    for file in ("Makefile", "Dockerfile"):
        commands = re.findall(r"^.*[^-]\binstall\b.* -r .*$", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
        assert commands, file
        assert [command for command in commands if "--require-hashes" not in command] == []


def test_the_package_whose_internals_are_overridden_is_pinned_exactly() -> None:
    assert str(direct("site")["gunicorn"].specifier).startswith("==")


@pytest.mark.parametrize("name", ["site", *EXTRAS])
def test_the_docs_have_a_line_for_each_direct_dependency_of_the_product(name: str) -> None:
    sections = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8").split("\n## ")
    (section,) = [part for part in sections if re.match(rf"(The {name}|Extra `{name}`):", part)]
    own = {canonicalize_name(Requirement(text).name) for text in LISTS[name]} - {PROJECT["project"]["name"]}
    assert re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE) == sorted(own)


def test_the_product_starts_with_what_a_plain_install_brings() -> None:
    """Extras are imported where they are needed; modules that are nothing without one have it in their name here."""
    product = [path for package in OURS for path in python_files(package)]
    model = {ROOT / "papercore" / "sentence_models" / "conversion.py"}
    plain = [path for path in product if path not in model and "opensearch" not in path.parts]
    assert missing(plain, direct("site"), anywhere=False) == set()


def test_the_site_asks_for_the_library_of_its_own_version_and_both_for_the_same_packages() -> None:
    (wanted,) = [text for text in LISTS["site"] if Requirement(text).name == LIBRARY]
    assert wanted == f"{LIBRARY}=={VERSION}"
    extras = LIBRARY_PROJECT["optional-dependencies"]
    lists = [LIBRARY_PROJECT["dependencies"], *extras.values()]
    assert {text for texts in lists for text in texts} <= {text for texts in LISTS.values() for text in texts}


def test_every_import_is_of_a_direct_dependency() -> None:
    product = [path for package in OURS for path in python_files(package)]
    assert missing(product, direct("site", *EXTRAS)) == set()
    assert (
        missing([*python_files("tests"), *python_files("bench"), *python_files("docs")], direct(*DEV, "fuzz")) == set()
    )


def test_every_dependency_of_the_product_is_used() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for package in OURS for path in python_files(package))
    names = {
        canonicalize_name(distribution): name
        for name, distributions in packages_distributions().items()
        for distribution in distributions
        if re.search(rf"\b{re.escape(name)}\b", text)
    }
    assert set(direct("site", *EXTRAS)) - set(names) == set()


def python_files(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def missing(files: Iterable[Path], allowed: Iterable[str], *, anywhere: bool = True) -> set[tuple[str, str]]:
    """Each imported package that is not allowed, and the file that imports it."""
    known = packages_distributions()
    return {
        (str(path.relative_to(ROOT)), name)
        for path in files
        for name in imported(path, anywhere=anywhere)
        if not {COMPANIONS.get(found, found) for found in map(canonicalize_name, known.get(name, [name]))} & {*allowed}
    }


def imported(path: Path, *, anywhere: bool) -> Iterator[str]:
    """The top-level names of others that a file imports: when it is loaded, or anywhere in it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree) if anywhere else tree.body:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        for name in {name.partition(".")[0] for name in names}:
            if name not in stdlib_module_names and name not in {*OURS, "tests", "bench"}:
                yield name


@pytest.mark.parametrize(
    ("package", "extras", "expected"),
    [
        ("papersite", EXTRAS, {"postgresql", "model", "opensearch"}),
        (LIBRARY, LIBRARY_PROJECT["optional-dependencies"], {"mcp", "snapshot"}),
    ],
)
def test_every_extra_that_people_are_told_to_install_exists(
    package: str, extras: Iterable[str], expected: set[str]
) -> None:
    files = [path for name in OURS for path in python_files(name)]
    files += [*(ROOT / "docs").glob("*.md"), *(ROOT / "templates").rglob("*.html"), ROOT / "README.md"]
    named = {
        extra.strip()
        for path in files
        for found in re.findall(rf"{package}\[([a-z, ]+)\]", path.read_text(encoding="utf-8"))
        for extra in found.split(",")
    }
    assert expected <= named <= set(extras)
