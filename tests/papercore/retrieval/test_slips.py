"""Slips in a query: what is mended, what is not, and that it is said."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from papercore.retrieval import Document, Index, Request, SentenceModel
from tests.papercore.retrieval.collection import build, build_filled, opened, paper
from tests.papercore.retrieval.tiny_model import write_model


def documents() -> list[Document]:
    """Five papers that people look for, among papers that have their words and one misprint."""
    sought = [
        paper("rare", "Neural Machine Translation of Rare Words", authors=("Rico Sennrich",), year=2016),
        paper("ccg", "CCGbank: A Corpus of Derivations", authors=("Julia Hockenmaier", "Mark Steedman")),
        paper("green", "Colorless Green Recurrent Networks Dream Hierarchically"),
        paper("sense", "One Sense per Discourse", authors=("William Gale",)),
        paper("norms", "Word Association Norms and Mutual Information"),
        paper("rumour", "Determining Rumour Veracity"),
        paper("misprint", "Oil Prices", "The effects of this are retreived from a market."),
    ]
    return sought + [paper(f"r{n}", f"Passage Retrieval {n}", "Documents are retrieved.") for n in range(5)]


@pytest.fixture(scope="module")
def slips(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return build(tmp_path_factory.mktemp("slips"), documents())


@pytest.mark.parametrize(
    ("typed", "meant", "first"),
    [
        ("nueral machine transaltion of rare words", "neural machine translation of rare words", "rare"),
        ("oli prices", "oil prices", "misprint"),
        ("colourless green recurrent", "colorless green recurrent", "green"),
        ("hochenmaier steadman ccgbank", "hockenmaier steedman ccgbank", "ccg"),
        ("green recurrent netw", "green recurrent networks", "green"),
        ("onesense per discourse", "one sense per discourse", "sense"),
        ("worda ssociation norms", "word association norms", "norms"),
        ("mutual infor mation norms", "mutual information norms", "norms"),
        ("translatoin", "translation", "rare"),
        ("Senrich: rare words", "Sennrich: rare words", "rare"),
    ],
)
def test_a_word_that_the_library_lacks_becomes_the_one_that_was_meant(
    slips: Index, typed: str, meant: str, first: str
) -> None:
    found = slips.search(Request(typed))
    assert found.corrected_query == meant
    assert found.hits[0].id == first
    assert found.hits == slips.search(Request(meant)).hits


@pytest.mark.parametrize(
    "typed",
    [
        "Neural Machine Translation of Rare Words",
        "rumour veracity",
        "retreived",  # a misprint, but one that this library has
        '"nueral machine"',
        "title:nueral",
        "nueral AND machine",
        "NMT",
        "xNeural networks",
        "zzyzzyva quuxification",
        "mt5 w2v 2019",
        "機械翻訳",
        "",
    ],
)
def test_what_the_library_has_or_the_reader_spells_out_is_searched_as_typed(slips: Index, typed: str) -> None:
    assert slips.search(Request(typed)).corrected_query == ""


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("nueral transaltion", "neural translation"),
        ("asociation nroms infromation", "association norms information"),
        ("Asociation NORMS INFORMATOIN", "Association NORMS INFORMATOIN"),
        ("NUERAL MACHINE TRANSLATION WORDS", "NEURAL MACHINE TRANSLATION WORDS"),
    ],
)
def test_words_with_slips_speak_for_each_other_and_keep_their_capitals(slips: Index, typed: str, meant: str) -> None:
    assert slips.search(Request(typed)).corrected_query == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("GPT3", "GPT 3"),
        ("bm 25", "bm25"),
        ("BM-25 ranking", "BM25 ranking"),
        ("BNT 162b2", "BNT162b2"),
        ("top 10", ""),
        ("the2", ""),
    ],
)
def test_a_name_with_digits_is_found_however_it_is_put_together(tmp_path: Path, typed: str, meant: str) -> None:
    library = [
        paper("gpt", "GPT-3 for Ranking"),
        paper("bm", "BM25 for Ranking"),
        paper("bnt", "The BNT162b2 Vaccine"),
        paper("top", "The 10 Top Papers, not top10"),
    ]
    assert build(tmp_path / "index", library).search(Request(typed)).corrected_query == meant


def test_a_name_is_mended_with_its_accents(tmp_path: Path) -> None:
    library = [paper("memory", "Long Memory", authors=("Jürgen Schmidhuber",)), paper("other", "Trees of Words")]
    index = build(tmp_path / "index", library)
    assert index.search(Request("Juergen Schmidhuber")).corrected_query == "Jürgen Schmidhuber"


def test_a_slip_within_conditions_is_mended(tmp_path: Path) -> None:
    index = build(tmp_path / "index", [paper("layers", "Layers", authors=("Geoffrey Hinton",), year=2014)])
    found = index.search(Request("by Hintn since 2010"))
    assert (found.corrected_query, found.understood.only) == ("by Hinton since 2010", ("by Hinton", "since 2010"))
    assert [hit.id for hit in found.hits] == ["layers"]


def test_a_word_is_not_bent_into_one_that_its_neighbours_do_not_know(slips: Index) -> None:
    assert slips.search(Request("neutral machine translation")).corrected_query == "neural machine translation"
    assert slips.search(Request("sewage neutral passages veracity")).corrected_query == ""


@pytest.mark.parametrize(
    "typed",
    [
        "Neutral",  # a word of English
        "neutral passages",
        "GREED networks",  # a name
        "Riemann retrieved",
        "Reso networks",  # a short word with another letter
    ],
)
def test_a_word_that_may_be_meant_is_left_alone(slips: Index, typed: str) -> None:
    assert slips.search(Request(typed)).corrected_query == ""


def test_a_small_library_knows_the_words_of_its_texts(slips: Index) -> None:
    assert slips.search(Request("efects of this")).corrected_query == ""
    assert slips.search(Request("documnets")).corrected_query == "documents"


def test_a_blank_is_put_between_words_as_they_are_spelled(tmp_path: Path) -> None:
    waves = build(tmp_path / "index", [paper("waves", "Observation of Gravitational Waves"), paper("other", "Trees")])
    assert waves.search(Request("gravitionalwaves")).corrected_query == "gravitational waves"


def test_a_mended_query_stays_if_one_paper_has_all_of_it(tmp_path: Path) -> None:
    """The tiny model knows nothing of names."""
    model = SentenceModel.load(write_model(tmp_path / "tiny"))
    library = [paper("theory", "Prospects", "Soup.", authors=("Daniel Kahneman",))]
    library += [paper(f"c{n}", f"A car {n}", "car") for n in range(30)]
    build_filled(tmp_path / "index", library, model, build_id="one")
    found = opened(tmp_path / "index", model=model).search(Request("kahnemann"))
    assert (found.corrected_query, found.verdict, found.hits[0].id) == ("kahneman", "answered", "theory")


def test_a_word_of_three_letters_is_mended_only_where_that_makes_a_title(slips: Index) -> None:
    assert slips.search(Request("oli prices")).corrected_query == "oil prices"
    assert slips.search(Request("oli market effects")).corrected_query == ""


def test_a_search_as_typed_mends_nothing(slips: Index) -> None:
    found = slips.search(Request("transaltion", as_typed=True))
    assert (found.corrected_query, found.hits) == ("", ())


def test_excluded_words_and_years_stay_as_they_are(slips: Index) -> None:
    found = slips.search(Request("transaltion -passage year:2016"))
    assert found.corrected_query == "translation -passage year:2016"
    assert [hit.id for hit in found.hits] == ["rare"]


def test_a_misprint_is_mended_where_the_right_word_is_hundreds_of_times_as_common() -> None:
    library = [paper(f"p{n}", f"Effective Methods {n}") for n in range(400)]
    library.append(paper("misprint", "Trees", "An efective way to plant them."))
    with TemporaryDirectory() as folder:
        index = build(Path(folder) / "index", library)
        assert index.search(Request("efective methods")).corrected_query == "effective methods"
        assert index.search(Request("trees plant")).corrected_query == ""
        assert index.search(Request("an efective way")).corrected_query == ""  # a paper has all of it
        assert index.search(Request("efective methods plant more trees")).corrected_query == ""


def test_the_words_of_a_long_text_stay_as_they_are(slips: Index) -> None:
    text = "nueral machine translation of rare words"
    assert slips.search(Request(text)).corrected_query
    assert slips.search(Request(f"{text} and {text}")).corrected_query == ""


def test_a_question_about_something_else_is_not_bent_into_one_that_the_library_answers(tmp_path: Path) -> None:
    """The tiny model knows that soup is asked for, and nothing of spaces or plants."""
    model = SentenceModel.load(write_model(tmp_path / "tiny"))
    library = [
        paper("space", "The Basis of Spaces", "Spaces grow with a basis."),
        paper("soup", "Soup and broth", "Soup"),
    ]
    library += [paper(f"c{n}", f"A car {n}", "car") for n in range(30)]
    build_filled(tmp_path / "index", library, model, build_id="one")
    index = opened(tmp_path / "index", model=model)
    about_plants = index.search(Request("how do I grow basil indoors"))
    assert (about_plants.corrected_query, about_plants.verdict) == ("", "nothing")
    assert index.search(Request("brothh")).corrected_query == "broth"
