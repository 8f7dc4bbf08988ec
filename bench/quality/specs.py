"""Search in specs: quality against a word-only baseline on real specs, and speed with 2,000 specs."""

import argparse
import os
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")

import django

django.setup()

from bench.quality.spec_quality import quality  # noqa: E402
from bench.quality.spec_queries import PUBLIC  # noqa: E402
from bench.quality.spec_speed import speed  # noqa: E402
from papercore.retrieval import SentenceModel  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=("quality", "speed"), help="default: both")
    parser.add_argument("--data", default=os.environ.get("PAPERSITE_BENCH_DATA", ""), help="folder with openspec/")
    parser.add_argument("--model", type=Path, help="folder of an ONNX sentence model, measured beside the default")
    arguments = parser.parse_args()
    data = Path(arguments.data) / "openspec"
    if arguments.what != "speed" and (data / PUBLIC[0]).is_dir():
        quality(data, SentenceModel.load(arguments.model) if arguments.model else None)
    elif arguments.what != "speed":
        print("Quality is not measured: --data or PAPERSITE_BENCH_DATA names no folder with openspec/.")
    if arguments.what != "quality":
        speed(arguments.model)


if __name__ == "__main__":
    main()
