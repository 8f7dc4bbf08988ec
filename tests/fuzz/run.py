"""Fuzzes one target for some seconds, guided by coverage: `python -m tests.fuzz.run bib bytes 20 FOLDER`."""

import logging
import os
import sys
from typing import Any

import atheris
import django
from hypothesis import HealthCheck, given, settings

from tests.fuzz.findings import CASES, keeping_failures

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
PACKAGES = [
    "papercore",
    "paper_search",
    "papers",
    "specs",
    "mcpapi",
    "bibtexparser",
    "pylatexenc",
    "markdown_it",
    "mdit_py_plugins",
]
INPUT_BYTES = 2_000
# libFuzzer's own limits: an input that never ends, and one that fills the memory.
STUCK_SECONDS = 30
MEMORY_MB = 3_000


def main(name: str, mode: str, seconds: str, corpus: str) -> None:
    django.setup()
    with atheris.instrument_imports(include=PACKAGES):
        from tests.fuzz.targets import TARGETS

    logging.disable(logging.CRITICAL)
    check = keeping_failures(name, TARGETS[name].check)
    folders = [corpus, str(CASES / name)]
    if mode == "parts":  # hypothesis makes texts of the target's language out of the fuzzer's bytes
        unlimited = settings(database=None, deadline=None, suppress_health_check=list(HealthCheck))
        tested: Any = unlimited(given(TARGETS[name].inputs)(check))  # Any: hypothesis adds an attribute to it
        check = tested.hypothesis.fuzz_one_input
        folders = [corpus]
    options = [f"-max_total_time={seconds}", f"-max_len={INPUT_BYTES}", f"-timeout={STUCK_SECONDS}"]
    options += [f"-rss_limit_mb={MEMORY_MB}", f"-artifact_prefix={corpus}/", "-print_final_stats=1", "-verbosity=1"]
    atheris.Setup([sys.argv[0], *options, *folders], check)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
