"""Fuzzes every target, each for some seconds with random bytes and again with pieces of its language: `make fuzz`."""

import argparse
import re
import subprocess
import sys
import tempfile

from tests.fuzz import findings

MODES = ("bytes", "parts")


def main() -> int:
    names = findings.names()
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", default=names, help=f"of {', '.join(names)}; all without any")
    parser.add_argument("--seconds", type=int, default=20, help="for each target and each way to make input")
    arguments = parser.parse_args()
    runs = [(name, mode) for name in arguments.targets for mode in MODES]
    return 1 if sum(_fails(name, mode, arguments.seconds) for name, mode in runs) else 0


def _fails(name: str, mode: str, seconds: int) -> bool:
    with tempfile.TemporaryDirectory(prefix="papersite-fuzz-") as corpus:
        command = [sys.executable, "-m", "tests.fuzz.run", name, mode, str(seconds), corpus]
        result = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    tried = re.search(r"number_of_executed_units: (\d+)", result.stderr)
    print(
        f"{name:14} {mode:6} {int(tried[1]) if tried else 0:>9,} inputs",
        "FAILED" if result.returncode else "",
        flush=True,
    )
    if result.returncode:
        print(f"{result.stdout[-3000:]}\n{result.stderr[-3000:]}\nThe input is in tests/fuzz/cases/{name}/.")
    return result.returncode != 0


if __name__ == "__main__":
    sys.exit(main())
