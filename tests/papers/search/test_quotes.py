"""Quotes of the served papers: any stretch of a text is found where it is, and nowhere else once a word is another."""

import random
from collections.abc import Iterator

from papercore.passages import cut
from papers import tools
from papers.passages.marked import plain_passage
from papers.passages.schemas import QuoteToVerify
from papers.search.quotes import find_quote, is_own_text
from papers.snapshot.models import Paper
from papers.texts.named import texts_of


def stretches() -> Iterator[tuple[str, list[str], bool]]:
    chance = random.Random(1)
    for paper in Paper.objects.all():
        for text in texts_of(paper).readable():
            found = cut(text.text)
            for passage in found.passages:
                words = plain_passage(found.quote(passage)).split()
                if passage.kind in ("text", "item") and len(words) >= 8:
                    start = chance.randint(0, len(words) - 8)
                    yield paper.paper_id, words[start : start + 8], is_own_text(text)


def verdict(words: list[str], where: str) -> str:
    return find_quote(QuoteToVerify(quote=" ".join(words), where=where)).verdict


def test_every_stretch_of_a_text_is_found_and_one_with_another_word_is_not() -> None:
    altered = {}
    for paper_id, words, is_own in stretches():
        assert verdict(words, paper_id) in (("found",) if is_own else ("found", "not_authors_words")), words
        # Looked for in every paper, so one of each paper's texts of either kind.
        altered[paper_id, is_own] = [*words[:4], "hippopotamus", *words[5:]]
    assert len(altered) > 3
    for (paper_id, _), words in altered.items():
        assert verdict(words, paper_id) in ("near_miss", "not_found"), words


def test_every_passage_that_is_offered_as_the_authors_words_can_be_quoted() -> None:
    asked = ("how do heads attend to positions?", "networks", "results of the model", "table of scores")
    offered = [hit for question in asked for hit in tools.search_passages(question).passages if hit.authors_words]
    assert offered
    for hit in offered:
        finding = find_quote(QuoteToVerify(quote=hit.quote, where=hit.address))
        assert (finding.verdict, finding.problem) == ("found", None), hit.quote
