"""Questions in other languages than the papers: MRR@10 over the demo library, without and with a sentence model.

    python -m bench.quality.across_languages [--model FOLDER]

The questions, each with the title of its one right paper, are in questions_across_languages.tsv.
"""

import argparse
import csv
import os
from collections import defaultdict
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory

from papercore.retrieval import Index, IndexFolder, Request, SentenceModel, build_index, fill_sentence_vectors

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")

QUESTIONS = Path(__file__).resolve().parent / "questions_across_languages.tsv"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, help="folder of a sentence model, measured beside the default")
    options = parser.parse_args()
    with TemporaryDirectory() as data:
        os.environ["PAPERSITE_DATA"] = data
        import django

        django.setup()
        _measure(options.model)


def _measure(model_folder: Path | None) -> None:
    from django.conf import settings

    from papers.library import index_build
    from papers.snapshot.assets import store_at
    from papers.snapshot.served import served_location
    from papersite.command.commands import call_command

    with redirect_stdout(StringIO()):
        call_command("demo", "--no-serve")
    snapshot = served_location()
    papers = list(index_build.documents(snapshot.database, store_at(snapshot.assets)))
    for model in (None, SentenceModel.load(model_folder)) if model_folder else (None,):
        path = Path(settings.DATA) / (model.model_id if model else "default")
        build_index(path, papers, facets=index_build.FACETS, build_id="demo", model=model)
        for _ in fill_sentence_vectors(path, model) if model else ():
            pass
        index = IndexFolder(path, model).open("demo")
        assert index is not None
        ranks = defaultdict(list)
        for language, title, question in _questions():
            ranks[language].append(_reciprocal_rank(index, question, title))
        figures = "  ".join(f"{language} {mean(found):.2f}" for language, found in ranks.items())
        total = mean(rank for found in ranks.values() for rank in found)
        print(f"{'with the model' if model else 'default':16} MRR@10 {total:.3f}   {figures}")


def _reciprocal_rank(index: Index, question: str, title: str) -> float:
    hits = index.search(Request(question, limit=10)).hits
    return next((1 / place for place, hit in enumerate(hits, start=1) if hit.title == title), 0.0)


def _questions() -> list[tuple[str, str, str]]:
    with QUESTIONS.open(encoding="utf-8", newline="") as file:
        return [(row["language"], row["title"], row["question"]) for row in csv.DictReader(file, delimiter="\t")]


if __name__ == "__main__":
    main()
