"""How fast specs are read, indexed and searched: 2,000 specs with 10,000 requirements and 20,000 scenarios."""

import random
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from django.conf import settings

from bench.quality.spec_queries import read_queries
from specs import core, tools
from specs.reading.catalogue import current_catalogue
from specs.reading.files import Project, projects
from specs.search.index import build, save
from specs.search.search import sentence_model, word_embedder

SPECS, REQUIREMENTS, ROUNDS = 2_000, 5, 50
WORDS_EACH = 60
DEMO = Path(__file__).resolve().parents[2] / "papers" / "demo"


def speed(model: Path | None) -> None:
    """Reading and searching with the default, then searching with the sentence model, if one is given."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "specs"
        write_specs(folder)
        settings.SPECS, settings.DATA, settings.SEARCH_MODEL = str(folder), Path(scratch) / "data", ""
        served = projects()[0]
        reading(served)
        searching(served, "default")
        if model:
            settings.SEARCH_MODEL = str(model)
            searching(served, model.name)


def reading(served: Project) -> None:
    started = time.process_time()
    specs = current_catalogue(served).specs
    cold = time.process_time() - started
    print(f"{len(specs):,} specs with {SPECS * REQUIREMENTS:,} requirements: cold {cold:.2f} s CPU")
    print(f"list_specs, warm: {milliseconds(lambda: tools.list_specs()):.2f} ms CPU, median of {ROUNDS}")
    print(f"  of it the folder and its files: {milliseconds(lambda: core.parse_all_specs()):.3f} ms")


def searching(served: Project, name: str) -> None:
    """The whole tool call, over the free and the everyday questions."""
    started = time.process_time()
    specs = current_catalogue(served).specs
    index, _ = build(specs.values(), word_embedder(), sentence_model(), None, lambda done, total: None)
    save(served, index)
    built = time.process_time() - started
    sizes = len(index.counts.stems), len(index.counts.counts), len(index.passages.digests)
    print(f"{name}: build_spec_index: {built:.1f} s CPU, {sizes} words, counts and passages")
    texts = [query.text for query in read_queries() if query.kind in ("free", "everyday")]
    each = milliseconds(lambda: [tools.search_specs(text) for text in texts]) / len(texts)
    print(f"{name}: search_specs: {each:.1f} ms CPU")


def milliseconds(call: Callable[[], object]) -> float:
    call()
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        call()
        times.append((time.process_time() - started) * 1000)
        if sum(times) > 10_000:
            break
    return sorted(times)[len(times) // 2]


def write_specs(folder: Path) -> None:
    """Write specs from the words of the demo texts, as frequent as they are there."""
    draw = random.Random(6)
    texts = [path.read_text(encoding="utf-8") for path in sorted(DEMO.rglob("*.md"))]
    vocabulary = [word for text in texts for word in re.findall(r"[A-Za-z]{3,}", text)]
    for number in range(SPECS):
        lines = [f"# {' '.join(draw.choices(vocabulary, k=3))}", "", "## Purpose", ""]
        lines += [" ".join(draw.choices(vocabulary, k=20)), "", "## Requirements", ""]
        for _ in range(REQUIREMENTS):
            lines += requirement(draw.choices(vocabulary, k=WORDS_EACH))
        path = folder / f"area-{number % 40}" / f"spec-{number:04}" / "spec.md"
        path.parent.mkdir(parents=True)
        path.write_text("\n".join(lines), encoding="utf-8")


def requirement(drawn: list[str]) -> list[str]:
    heading = f"### Requirement: {' '.join(drawn[:4])}"
    lines = [heading, "", f"The server SHALL {' '.join(drawn[4:24])}.", ""]
    for start in (24, 42):
        steps = [f"- **WHEN** {' '.join(drawn[start + 3 : start + 10])}", f"- **THEN** {' '.join(drawn[start + 10 :])}"]
        lines += [f"#### Scenario: {' '.join(drawn[start : start + 3])}", "", *steps, ""]
    return lines
