"""Queries with synonyms in the place of their concepts."""

from paper_search.models import SearchQuery, SynonymMap
from paper_search.skills.wordings import MAX_WORDINGS, wordings


def query(text: str, *, strict: bool = False, **synonyms: list[str]) -> SearchQuery:
    maps = [SynonymMap(keyword=keyword.replace("_", " "), synonyms=words) for keyword, words in synonyms.items()]
    return SearchQuery(keywords=[text], synonym_map=maps, boolean_query=text, strict=strict)


def test_a_synonym_takes_the_place_of_its_concept() -> None:
    found = wordings(query("WSD in  Medical texts", wsd=["word sense disambiguation"], medical_texts=["notes", "EHR"]))
    assert found == [
        "WSD in  Medical texts",
        "word sense disambiguation in  notes",
        "WSD in  EHR",
    ]


def test_a_synonym_of_what_is_not_in_the_words_stands_beside_them() -> None:
    assert wordings(query("parsing", grammars=[r"\1 (syntax"])) == ["parsing", r"parsing \1 (syntax"]
    assert wordings(query("wsdm", wsd=["sense"])) == ["wsdm", "wsdm sense"]


def test_there_are_few_wordings_and_none_beside_a_query_written_by_hand() -> None:
    assert len(wordings(query("a", a=[str(number) for number in range(9)]))) == MAX_WORDINGS
    assert wordings(query("a", strict=True, a=["b"])) == ["a"]
    assert wordings(query("a")) == ["a"]
