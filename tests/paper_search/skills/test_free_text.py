"""What is read in questions and notes: what is stated plainly, and nothing else."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paper_search.models import RawPaper, SearchConstraints, SearchQuery
from paper_search.skills.free_text import read_note, read_question
from paper_search.skills.names import KnownNames
from paper_search.sources.interface import MENTIONS, Library, PaperText


class Names(Library):
    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        return []

    def keywords(self) -> Sequence[str]:
        return ()

    def mentions(self, *phrases: str) -> Sequence[PaperText]:
        return [PaperText("")] * (MENTIONS if phrases == ("German",) else 1)

    def names(self, facet: str) -> Sequence[str]:
        people = ["emily m. bender", "christopher manning", "dan klein", "philipp koehn", "anna german", "roger levy"]
        return people if facet == "author" else ["wmt", "africanlp", "coling", "tag"]


KNOWN = KnownNames(Names())


def question(text: str) -> dict[str, object]:
    read = read_question(text, KNOWN, 2026)
    found: dict[str, object] = dict(read.reading().understood)
    return {**found, **({"told": read.not_understood} if read.not_understood else {})}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("emoji", {"topic": "emoji"}),
        ("is sarcasm detection helped by context?", {"topic": "is sarcasm detection helped by context?"}),
        ("coreference before 2005", {"topic": "coreference", "year_to": 2004}),
        ("coreference before neural networks", {"topic": "coreference", "told": ["before neural networks"]}),
        ("work on discourse since the PDTB", {"topic": "discourse", "told": ["since the PDTB"]}),
        ("papers on optimisation", {"topic": "optimisation"}),
        ("Please find me some recent papers about owls and mice", {"topic": "owls and mice"}),
        ("how papers on owls are cited", {"topic": "how papers on owls are cited"}),
        ("leave one out cross-validation", {"topic": "leave one out cross-validation"}),
        ("parsers in languages other than English", {"topic": "parsers in languages", "not": ["English"]}),
        ("word embeddings but not contextual ones", {"topic": "word embeddings", "not": ["contextual"]}),
        ("transfer, not just European", {"topic": "transfer", "told": ["not just European"]}),
        ("who says that attention is not explanation", {"topic": "who says that attention is not explanation"}),
        ("translation without parallel data", {"topic": "translation without parallel data"}),
        ("what did Manning write about parsing?", {"topic": "parsing?", "authors": ["Manning"]}),
        ("Emily Bender on ethics since 2018", {"topic": "on ethics", "authors": ["Emily Bender"], "year_from": 2018}),
        ("grammar induction, Klein or Manning", {"topic": "grammar induction,", "authors": ["Klein", "Manning"]}),
        ("grammar induction, German", {"topic": "grammar induction German"}),
        ("translation by hand", {"topic": "translation by hand"}),
        ("NMT at WMT or AfricaNLP", {"topic": "NMT", "venues": ["WMT", "AfricaNLP"]}),
        ("COLING papers from the eighties", {"venues": ["COLING"], "year_from": 1980, "year_to": 1989}),
        ("tree-adjoining grammar in TAG", {"topic": "tree-adjoining grammar in TAG"}),
        ("surveys of text-to-SQL", {"topic": "surveys of text-to-SQL", "kinds": ["review"]}),
        ("review helpfulness", {"topic": "review helpfulness"}),
        ("traduction automatique depuis 2019", {"topic": "traduction automatique depuis 2019"}),
        ("", {}),
    ],
)
def test_a_question_says_what_it_states_plainly(text: str, expected: dict[str, object]) -> None:
    found = question(text)
    assert {name: value for name, value in found.items() if name != "topic"} == {
        name: value for name, value in expected.items() if name != "topic"
    }
    assert str(found.get("topic", "")).strip(",? ") == str(expected.get("topic", "")).strip(",? ")


@pytest.mark.parametrize(
    ("text", "understood", "told"),
    [
        ("nothing on speech please", {"not": ["speech"]}, []),
        ("less twitter", {"avoid": ["twitter"]}, []),
        ("more psycholinguistics less NLP", {"prefer": ["psycholinguistics"], "avoid": ["NLP"]}, []),
        ("no surveys, I've read them all", {"not_kinds": ["review"]}, ["I've read them all"]),
        ("surveys first", {"kinds": ["review"]}, []),
        ("without Klein and Manning, I know them", {"not_authors": ["Klein", "Manning"]}, ["I know them"]),
        ("say up to 2010", {"year_to": 2010}, ["say"]),
        ("thanks!", {}, ["thanks"]),
        ("this is useless", {}, ["this is useless"]),
        ("Je ne veux pas de BERT. Avant 2018.", {}, ["Je ne veux pas de BERT", "Avant 2018"]),
        ("SQL is a different thing, leave it out", {}, ["SQL is a different thing", "leave it out"]),
        ("more of the same", {}, ["more of the same"]),
        ("end-to-end; cascades are out", {"not": ["cascades"]}, ["end-to-end"]),
        ("leave social media out", {"not": ["social media"]}, []),
        ("I'm out of ideas", {}, ["I'm out of ideas"]),
        ("the results are out of date", {}, ["the results are out of date"]),
    ],
)
def test_a_note_changes_what_it_states_plainly_and_the_rest_is_told(
    text: str, understood: dict[str, object], told: list[str]
) -> None:
    read = read_note(text, KNOWN, 2026)
    assert read.reading().understood == understood
    assert read.not_understood == told


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert read_question(text, KNOWN).plan.intent()
    assert read_note(text, KNOWN).plan.intent()
