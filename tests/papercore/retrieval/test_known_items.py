"""The papers that a few words name come first: by what they introduced, by authors and year, by a title."""

from pathlib import Path

import pytest

from papercore.retrieval import Document, Filters, Index, Request, SentenceModel, Understood
from papercore.retrieval.basics.coined import coined_names
from tests.papercore.retrieval.collection import build, build_filled, opened, paper
from tests.papercore.retrieval.tiny_model import write_model


def documents() -> list[Document]:
    """Papers that introduce something, among many that use it."""
    known = [
        paper(
            "bert",
            "BERT: Pre-training of Deep Transformers",
            "For understanding.",
            authors=("Jacob Devlin",),
            year=2019,
        ),
        paper("namesake", "BERT: a Robot", "It walks.", authors=("Ann Other",), year=2021),
        paper(
            "sbert",
            "Sentence Embeddings using Siamese Networks",
            "We present Sentence-BERT (SBERT), a modification of BERT.",
            authors=("Nils Reimers",),
            year=2019,
        ),
        paper("mert", "Minimum Error Rate Training in Translation", authors=("Franz Och",), year=2003),
        paper("och", "Word Alignment", "A comparison.", authors=("Franz Och", "Jacob Devlin"), year=2004),
        paper("scale", "Understanding Back-Translation at Scale", authors=("Sergey Edunov",), year=2018),
        paper("rumour", "Determining Rumour Veracity and Support", year=2017),
    ]
    users = [paper(f"u{n}", f"BERT for Task {n}", "BERT and SBERT and BERT again, with rumor data.") for n in range(30)]
    return known + users


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return build(tmp_path_factory.mktemp("known"), documents())


@pytest.mark.parametrize(
    ("typed", "first", "understood"),
    [
        ("BERT", "bert", Understood(introduced="BERT")),
        ("bert", "bert", Understood(introduced="bert")),
        ("BERT robot", "namesake", Understood(introduced="BERT")),
        ("SBERT", "sbert", Understood()),
        ("MERT och 2003", "mert", Understood(authors=("och",), year=2003)),
        ("devlin bert", "bert", Understood(introduced="bert", authors=("devlin",))),
        ("the BERT paper", "bert", Understood(introduced="BERT")),
        ("devlin bert transformers", "bert", Understood(introduced="bert", authors=("devlin",))),
        ("MERT och translation", "mert", Understood(authors=("och",))),
        ("devlin 2019", "bert", Understood(authors=("devlin",), year=2019)),
        ("och 2003 translation training", "mert", Understood(authors=("och",), year=2003)),
        ("och translation training", "mert", Understood()),
        ("understanding backtranslation scale", "scale", Understood()),
        ("determining rumor veracity", "rumour", Understood()),
    ],
)
def test_the_paper_that_everyone_means_comes_first(
    known: Index, typed: str, first: str, understood: Understood
) -> None:
    found = known.search(Request(typed))
    assert found.hits[0].id == first
    assert found.understood == understood


def test_the_hit_says_what_it_introduces(known: Index) -> None:
    assert known.search(Request("BERT")).hits[0].matched[0] == "introduces BERT"
    assert "introduces BERT" not in known.search(Request("BERT", as_typed=True)).hits[0].matched


@pytest.mark.parametrize("typed", ["BERT rumor data", "BERT veracity"])
def test_a_name_among_other_words_never_takes_the_first_place(known: Index, typed: str) -> None:
    plain = known.search(Request(typed, as_typed=True)).hits
    assert [hit.id for hit in known.search(Request(typed)).hits[:2]] == [plain[0].id, "bert"]


def test_a_name_that_others_used_before_belongs_to_none(known: Index) -> None:
    assert not known.search(Request("veracity")).understood
    assert not known.search(Request("task")).understood


def test_what_is_named_is_counted_once_and_paged_once(known: Index) -> None:
    whole = [hit.id for hit in known.search(Request("BERT", limit=50)).hits]
    pages = [hit.id for offset in range(0, 50, 5) for hit in known.search(Request("BERT", 5, offset)).hits]
    assert pages == whole
    assert len(set(whole)) == len(whole) == known.search(Request("BERT")).total


def test_what_is_named_with_its_author_is_counted_by_the_words_of_the_question(known: Index) -> None:
    found = known.search(Request("devlin bert transformers"))
    assert (found.total, found.verdict) == (1, "answered")
    assert found.hits[0].score == pytest.approx(1.0)
    assert found.beyond > 30


def test_a_year_in_which_an_author_wrote_nothing_is_not_read(known: Index) -> None:
    found = known.search(Request("reimers 2003"))
    assert (found.hits[0].id, found.understood) == ("sbert", Understood(authors=("reimers",)))


def test_a_name_that_one_title_coins_needs_no_age(tmp_path: Path) -> None:
    older = [paper("late", "ColTRACT: Search via TRACT", "TRACT, TRACT, TRACT.", year=2000)]
    library = build(tmp_path / "index", [*older, paper("tract", "TRACT: Training", "A long text.", year=2019)])
    assert library.search(Request("TRACT")).hits[0].id == "tract"


def test_an_acronym_that_no_paper_has_may_be_the_initials_of_a_title(tmp_path: Path) -> None:
    model = SentenceModel.load(write_model(tmp_path / "tiny"))
    library = [
        paper("nets", "Generative Adversarial Nets", "Soup."),
        *(paper(f"c{n}", f"A car {n}") for n in range(30)),
    ]
    build_filled(tmp_path / "index", library, model, build_id="one")
    nets = opened(tmp_path / "index", model=model)
    for typed, verdict in (("GAN", "answered"), ("gan", "answered"), ("GANs", "answered"), ("AGA", "nothing")):
        found = nets.search(Request(typed))
        assert ([hit.id for hit in found.hits][:1] == ["nets"], found.verdict) == (verdict == "answered", verdict)
    assert nets.search(Request("GAN", as_typed=True)).verdict == "nothing"


@pytest.mark.parametrize("typed", ["gpt-3", "GPT 3", "GPT3"])
def test_a_name_with_a_number_is_that_of_the_few_papers_that_have_both_together(tmp_path: Path, typed: str) -> None:
    library = [
        paper("others", "GPT and GPT", "GPT in 3 steps, GPT in 3 ways: GPT, GPT."),
        paper("learners", "Few-Shot Learners", f"Of GPT-3. {'Many other words follow. ' * 40}"),
        *(paper(f"c{n}", f"Part {n} of 3", "A car.") for n in range(30)),
    ]
    assert build(tmp_path / "index", library).search(Request(typed)).hits[0].id == "learners"


def test_a_filter_holds_for_the_papers_that_are_named(known: Index) -> None:
    found = known.search(Request("BERT", filters=Filters((("author", "Ann Other"),))))
    assert [hit.id for hit in found.hits] == ["namesake"]


@pytest.mark.parametrize(
    "typed", ['"BERT"', "BERT AND task", "title:BERT", "how do people use these models for tasks today"]
)
def test_what_is_spelled_out_and_questions_name_no_paper(known: Index, typed: str) -> None:
    assert not known.search(Request(typed)).understood


def test_as_typed_reads_no_names(known: Index) -> None:
    assert not known.search(Request("devlin 2019", as_typed=True)).understood


@pytest.mark.parametrize(
    ("title", "text", "names"),
    [
        ("ROUGE: A Package for Automatic Evaluation", "", {"rouge"}),
        ("Retrieving Collocations from Text: Xtract", "", {"retrievingcollocationsfromtext", "xtract"}),
        ("Introduction to the CoNLL-2003 Shared Task: Named Entities", "", {"conll2003sharedtask", "namedentities"}),
        ("On Fine-tuning", "We propose Universal Fine-tuning (ULMFiT), a method.", {"~ulmfit"}),
        ("On Fine-tuning", "We use ULMFiT.", set()),
    ],
)
def test_names_that_a_paper_coins(title: str, text: str, names: set[str]) -> None:
    assert {name for name in coined_names(title, text) if not name.startswith("^")} == names
