"""The query language: what people type, and how it is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papercore.retrieval.basics import query
from papercore.retrieval.basics.query import (
    AllOf,
    AnyOf,
    Field,
    IdentifierQuery,
    Node,
    Not,
    Phrase,
    Prefix,
    Words,
    Years,
)

FIELDS = ("title", "author", "venue")


def words(*texts: str) -> Words:
    return Words(texts)


READINGS: list[tuple[str, Node | None]] = [
    ("neural machine translation", words("neural", "machine", "translation")),
    ('"deep learning" survey', AllOf((Phrase("deep learning"), words("survey")))),
    ("“deep learning”", Phrase("deep learning")),
    ("neural -survey", AllOf((Not(words("survey")), words("neural")))),
    ("neural NOT survey", AllOf((Not(words("survey")), words("neural")))),
    ("-survey", Not(words("survey"))),
    ("-(a OR b)", Not(AnyOf((words("a"), words("b"))))),
    ("author:smith", Field("author", words("smith"))),
    ("Authors:smith", Field("author", words("smith"))),
    ('author:"Jane Doe"', Field("author", Phrase("Jane Doe"))),
    ("journal:nature", Field("venue", words("nature"))),
    ("trans*", Prefix("trans")),
    ("a AND b", AllOf((words("a"), words("b")))),
    ("a OR b", AnyOf((words("a"), words("b")))),
    ("BERT AND Elmo", AllOf((words("BERT"), words("Elmo")))),
    ("DNA AND RNA", words("DNA", "AND", "RNA")),
    ("DNA NOT RNA", AllOf((Not(words("RNA")), words("DNA")))),
    ("(DNA OR RNA) AND GENES", AllOf((AnyOf((words("DNA"), words("RNA"))), words("GENES")))),
    ('"DNA" AND RNA', AllOf((Phrase("DNA"), words("RNA")))),
    ("DRAG AND LIFT OF A WING", words("DRAG", "AND", "LIFT", "OF", "A", "WING")),
    ("LIFT NOT DRAG OF A WING", words("LIFT", "NOT", "DRAG", "OF", "A", "WING")),
    ("a b OR c", AnyOf((AllOf((words("a"), words("b"))), words("c")))),
    ("(a OR b) AND c", AllOf((AnyOf((words("a"), words("b"))), words("c")))),
    ("long short-term memory (LSTM)", words("long", "short-term", "memory", "LSTM")),
    ("year:2019", Years(2019, 2019)),
    ("year:2019..2021", Years(2019, 2021)),
    ("year:2019-2021", Years(2019, 2021)),
    ("year:2019..", Years(2019, None)),
    ("year:..2021", Years(None, 2021)),
    ("year:>2019", Years(2020, None)),
    ("year:<=2019", Years(None, 2019)),
    ("10.1016/S0140-6736(20)30183-5", IdentifierQuery("10.1016/s0140-6736(20)30183-5")),
    ("https://doi.org/10.1234/ABC", IdentifierQuery("10.1234/abc")),
    ("arXiv:2101.00001v2", IdentifierQuery("2101.00001")),
    ("https://arxiv.org/pdf/2101.00001v2.pdf", IdentifierQuery("2101.00001")),
    ("cs.CL/0101001", IdentifierQuery("cs.cl/0101001")),
]

MALFORMED: list[tuple[str, Node | None]] = [
    ("", None),
    ("   ", None),
    ("*", None),
    ("-", None),
    ('""', None),
    ("()", None),
    ("AND", words("AND")),
    ("x AND", words("x", "AND")),
    ("OR x", words("OR", "x")),
    ("NOT", words("NOT")),
    ("a OR OR b", words("a", "OR", "OR", "b")),
    ('"unbalanced', words("unbalanced")),
    ("(a", words("a")),
    ("a)", words("a")),
    ("author:", words("author:")),
    ("unknown:field", words("unknown:field")),
    ("year:soon", words("year:soon")),
    ("year:..", words("year:..")),
]


@pytest.mark.parametrize(("text", "node"), READINGS)
def test_what_people_type_is_read_as_they_mean_it(text: str, node: Node) -> None:
    assert query.parse(text, FIELDS) == node


@pytest.mark.parametrize(("text", "node"), MALFORMED)
def test_what_is_malformed_is_plain_words(text: str, node: Node | None) -> None:
    assert query.parse(text, FIELDS) == node


def test_quotes_in_a_long_question_only_emphasise() -> None:
    text = 'which papers speak about the so called "deep learning" methods of recent years'
    assert query.is_plain(query.parse(text, FIELDS))


def test_meaning_leaves_out_exclusions_years_and_names() -> None:
    node = query.parse("parsing trees -survey author:smith year:2019", FIELDS)
    assert query.meaning(node) == "parsing trees"


def test_brackets_without_end_do_not_exhaust_the_stack() -> None:
    assert query.parse("(" * 5_000 + "word", FIELDS) in (None, words("word"))


@given(st.text(alphabet=st.sampled_from('ab "()-+:*.<>ANDORNOTyear:author:10./é深'), max_size=80))
def test_nothing_typed_is_an_error(text: str) -> None:
    node = query.parse(text, FIELDS)
    query.meaning(node)
    query.is_plain(node)
    query.required(node)
