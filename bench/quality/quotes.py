"""Whether quotes get the right verdict: 500 as they stand, cut, altered, moved to another paper, spliced, of summaries.

    python -m bench.quality.quotes [SNAPSHOT] [--show] [--seed N]      (default: the demo library)

The quotes are stretches of 6 to 20 words of random passages. Then the passages that `search_passages` offers as the
authors' words, for the beginnings of 100 other passages: each must be found in a text of theirs.
"""

import argparse
import json
import os
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from bench.data.libraries import demo, libraries_folder, measure, serve_settled
from bench.table import table

QUOTES, QUESTIONS = 500, 100
# What each kind may be told. Of a reading edition what is found is not the authors' words.
EXPECTED = {
    "as it stands": ("found",),
    "as it stands, no paper named": ("found",),
    "with [...]": ("found",),
    "with a word in brackets": ("found",),
    "its parts the other way round": ("near_miss", "not_found"),
    "altered": ("near_miss",),
    "moved": ("elsewhere",),
    "spliced": ("near_miss", "not_found"),
    "of a summary": ("not_authors_words",),
}


class Quote(Struct, frozen=True):
    """A stretch of a paper's text that no other paper has; it is in a text of its own, or in one that retells it."""

    paper_id: str
    words: tuple[str, ...]
    is_own: bool
    authors_words: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("snapshot", nargs="?", type=Path, help="a snapshot with an index")
    parser.add_argument("--show", action="store_true", help="print what is wrong")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ask", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ask:
        for row in ask(random.Random(options.seed), show=options.show):
            print(json.dumps(row))
        return
    with libraries_folder() as folder:
        chosen = ["--show"] * options.show
        printed = measure(
            "bench.quality.quotes", options.snapshot or demo(folder), "--ask", "--seed", str(options.seed), *chosen
        )
    rows = printed.splitlines()
    print("\n".join(row for row in rows if not row.startswith("[")))
    print(table(("quotes", "asked", "right"), [json.loads(row) for row in rows if row.startswith("[")]))


def ask(chance: random.Random, *, show: bool) -> Iterator[list[object]]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
    import django

    django.setup()
    serve_settled()
    from papers.passages.schemas import QuoteToVerify
    from papers.search.quotes import find_quote
    from papers.tools import search_passages, verify_quotes

    quotes = list(quotes_of(chance))
    own, retelling = [item for item in quotes if item.is_own], [item for item in quotes if not item.is_own]
    right: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for number in range(QUOTES):
        kind = list(EXPECTED)[number % len(EXPECTED)]
        made = chance.choice(retelling if kind == "of a summary" else own)
        other = chance.choice([item for item in own if item.paper_id != made.paper_id])
        quote, where = changed(kind, made, other, chance)
        verdict = find_quote(QuoteToVerify(quote=quote, where=where)).verdict
        expected = EXPECTED[kind] if made.authors_words or "found" not in EXPECTED[kind] else ("not_authors_words",)
        asked[kind] += 1
        right[kind] += verdict in expected
        if show and verdict not in expected:
            print(kind, verdict, made.paper_id, where, quote)
    yield from ([kind, asked[kind], right[kind]] for kind in EXPECTED if asked[kind])
    offered = [
        hit
        for item in chance.sample(quotes, QUESTIONS)
        for hit in search_passages(" ".join(item.words[:8])).passages
        if hit.authors_words
    ]
    for hit in offered:
        (found,) = verify_quotes((QuoteToVerify(quote=hit.quote, where=hit.address),)).quotes
        right["offered"] += found.found and found.problem is None
        if show and not found.found:
            print("offered", found.verdict, hit.address, hit.quote)
    yield ["passages offered as the authors' words", len(offered), right["offered"]]


def quotes_of(chance: random.Random) -> Iterator[Quote]:
    """A stretch of each of a few passages of each text."""
    from papercore.passages import cut
    from papers.catalogue.text_kinds import origin_of
    from papers.passages.marked import plain_passage
    from papers.search.quotes import is_own_text
    from papers.snapshot.models import Paper
    from papers.texts.named import texts_of

    texts = {paper.paper_id: list(texts_of(paper).readable()) for paper in Paper.objects.all()}
    letters = {
        (paper_id, is_own): "\n".join(_letters(text.text) for text in readable if is_own_text(text) == is_own)
        for paper_id, readable in texts.items()
        for is_own in (True, False)
    }
    for paper_id, readable in texts.items():
        for text in readable:
            found = cut(text.text)
            plain = [
                plain_passage(found.quote(item)).split() for item in found.passages if item.kind in ("text", "item")
            ]
            long = [words for words in plain if len(words) >= 8]
            for words in chance.sample(long, min(5, len(long))):
                length = min(len(words), chance.randint(6, 20))
                start = chance.randint(0, len(words) - length)
                chosen = tuple(words[start : start + length])
                authors_words = origin_of(text.paper, text.name, text.text).authors_words
                quote = Quote(paper_id, chosen, is_own_text(text), authors_words)
                sought = _letters(" ".join(quote.words))
                if [place for place, known in letters.items() if sought in known] == [(paper_id, quote.is_own)]:
                    yield quote


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


def changed(kind: str, quote: Quote, other: Quote, chance: random.Random) -> tuple[str, str]:
    """The quote as this kind has it, and where it is said to be from."""
    words = list(quote.words)
    if kind == "altered":
        words[chance.randrange(1, len(words) - 1)] = "hippopotamus"
    half = len(words) // 2
    if kind == "with [...]":
        words = [*words[:half], "[...]", *words[half + 1 :]]
    if kind == "with a word in brackets":
        words[half] = "[this]"
    if kind == "its parts the other way round":
        words = [*words[half:], "[...]", *words[:half]]
    if kind == "spliced":
        words = [*words[: len(words) // 2], *other.words[len(other.words) // 2 :]]
    where = {"as it stands, no paper named": "", "moved": other.paper_id}.get(kind, quote.paper_id)
    return " ".join(words), where


if __name__ == "__main__":
    main()
