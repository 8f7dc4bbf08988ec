"""`make coverage`: the share of branches that the tests take, by package. Fails if a share is too low."""

import json
import sys
from collections import Counter
from pathlib import Path

PACKAGES = ("papers", "specs", "searches", "mcpapi", "paper_search", "ingest", "papercore")
MINIMUM_SHARE = 0.95


def main(report: Path) -> int:
    branches: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    for name, file in json.loads(report.read_text())["files"].items():
        branches[Path(name).parts[0]] += file["summary"]["num_branches"]
        taken[Path(name).parts[0]] += file["summary"]["covered_branches"]
    for package in PACKAGES:
        print(f"{package:<14}{taken[package]:>5} of {branches[package]:>5}  {taken[package] / branches[package]:.1%}")
    share = sum(taken[package] for package in PACKAGES) / sum(branches[package] for package in PACKAGES)
    print(f"{'all':<28}{share:.1%}")
    too_low = [package for package in PACKAGES if taken[package] < MINIMUM_SHARE * branches[package]]
    if too_low:
        print(f"below {MINIMUM_SHARE:.0%}: {', '.join(too_low)}. See htmlcov/index.html after: coverage html")
    return len(too_low)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
