"""Libraries for benchmarks: the demo, and as many papers of a collection as wanted.

    python -m bench.data.libraries SIZE ...

They are kept in $PAPERSITE_BENCH_LIBRARIES, where a library of 110,486 papers need not be built for each run; without
it, in a folder that is removed. More papers than the collection has are measured only where this command has built
them, which takes half an hour for a million.
"""

import argparse
import gzip
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path

import orjson

ROOT = Path(__file__).resolve().parents[2]
FOLDER_SETTING = "PAPERSITE_BENCH_LIBRARIES"
DATABASE = "paper_snapshot.db"
# More are measured where they have been built.
BUILT_HERE = 110_486


@contextmanager
def libraries_folder() -> Iterator[Path]:
    """Where libraries are kept, or a folder for this run."""
    if kept := os.environ.get(FOLDER_SETTING):
        folder = Path(kept)
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
    else:
        with tempfile.TemporaryDirectory(prefix="papersite-bench-") as name:
            yield Path(name)


def papers_file() -> Path:
    return Path(os.environ.get("PAPERSITE_BENCH_DATA", ".")) / "acl" / "papers.jsonl.gz"


def demo(folder: Path, model: Path | None = None) -> Path:
    """The snapshot of the demo library, whose index is made with this sentence model."""
    data = folder / model.name if model else folder
    database = data / "demo" / DATABASE
    if not database.exists():
        manage(data, "demo", "--no-serve", model=model)
    return database


def first_papers(folder: Path, size: int) -> Path | None:
    """The snapshot of the collection's first papers; None if it is neither there nor can be built."""
    database = folder / f"papers-{size}" / DATABASE
    if database.exists():
        return database
    return build(folder, size) if size <= BUILT_HERE and papers_file().is_file() else None


def build(folder: Path, size: int) -> Path:
    """A library of so many papers; beyond the end of the collection they are repeated, each with another's abstract."""
    library, selected = folder / f"papers-{size}", folder / f"papers-{size}.jsonl.gz"
    with gzip.open(selected, "wb", compresslevel=1) as out:
        out.writelines(islice(_lines(), size))
    manage(folder, "build_snapshot", str(selected), "--out", str(library))
    selected.unlink()
    return library / DATABASE


def _lines() -> Iterator[bytes]:
    with gzip.open(papers_file()) as file:
        lines = file.readlines()
    yield from lines
    chance = random.Random(1)
    for part in count(2):
        for line in lines:
            paper, other = orjson.loads(line), orjson.loads(chance.choice(lines))
            # Neither its id nor its title may make it the same paper.
            own = {"_id": f"{paper['_id']}-{part}", "title": f"{paper['title']}, part {part}", "text": other["text"]}
            yield orjson.dumps({**paper, **own, "doi": "", "url": "", "bibkey": ""}) + b"\n"


def environment(database: Path, data: Path) -> dict[str, str]:
    """For a process that serves or measures this library as in production."""
    (data / "collected-static").mkdir(parents=True, exist_ok=True)
    own = {"PAPERSITE_SNAPSHOT": str(database.resolve()), "PAPERSITE_DATA": str(data), "PAPERSITE_DEBUG": "off"}
    own |= {"PAPERSITE_SECRET_KEY": "only-for-benchmarks-" * 4, "PAPERSITE_SESSION_CALLS": "0"}
    return {**os.environ, **own, "PYTHONPATH": str(ROOT)}


def measure(module: str, database: Path, *arguments: str, model: Path | None = None) -> str:
    """What a benchmark prints that runs in a process of its own, because settings are read once in a process."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", module, *arguments]
        used = environment(database, Path(data)) | _of_model(model)
        done = subprocess.run(command, cwd=ROOT, env=used, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def serve_settled() -> None:
    """Open the configured library, and wait until its files are read through: it would add to the first requests."""
    from papers.snapshot import served

    served.renew()
    build_id = served.facts().build_id
    indexes = served.indexes_of(served.served_file().path)
    indexes.open(build_id)
    while served.served_file().verifying or not indexes.verified(build_id):
        time.sleep(0.05)


def _of_model(model: Path | None) -> dict[str, str]:
    return {"PAPERSITE_SEARCH_MODEL": str(model.resolve()) if model else "off"}


def manage(data: Path, *arguments: str, model: Path | None = None) -> None:
    command = [sys.executable, str(ROOT / "manage.py"), *arguments]
    environment = {**os.environ, "PAPERSITE_DATA": str(data)} | _of_model(model)
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{arguments[0]} failed:\n{done.stderr[-2000:]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", type=int, nargs="+", metavar="SIZE")
    sizes = parser.parse_args().sizes
    if FOLDER_SETTING not in os.environ:
        raise SystemExit(f"Set {FOLDER_SETTING} to the folder in which libraries are kept.")
    with libraries_folder() as folder:
        for size in sizes:
            print(first_papers(folder, size) or build(folder, size))


if __name__ == "__main__":
    main()
