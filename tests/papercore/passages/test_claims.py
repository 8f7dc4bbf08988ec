"""A claim compared with sentences: what agrees, what differs, and when nothing is said."""

import pytest

from papercore.passages.claims import ClaimPart, judge_claim

SAID = "The new encoder improves translation quality by 28.4 BLEU on the news task."


@pytest.mark.parametrize(
    ("claim", "sentence", "kind", "mine", "theirs"),
    [
        (
            "One in two surgical trials is stopped.",
            "One in five surgical trials is stopped early.",
            "number",
            "two",
            "five",
        ),
        ("The corpus was collected in 2014.", "The corpus was collected in 2017.", "year", "2014", "2017"),
        ("Patients took 5 mg daily.", "Patients took 5 g daily.", "number", "5 mg", "5 g"),
        ("Warming increases owl numbers.", "Warming decreases owl numbers.", "direction", "increases", "decreases"),
        ("Owls are not affected by rain.", "Owls are affected by rain.", "negation", "not affected", "affected"),
        ("The method is stable for owls.", "The method is unstable for owls.", "negation", "stable", "unstable"),
    ],
)
def test_one_thing_that_differs_is_shown_from_both(
    claim: str, sentence: str, kind: str, mine: str, theirs: str
) -> None:
    found = judge_claim(claim, [sentence])
    assert (found.finding, found.comparisons[0].differs) == ("differs", ClaimPart(kind, mine, theirs))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "claim",
    [
        SAID,
        "The encoder improves translation quality by 28 BLEU on the news task.",
        "The new encoder increases translation quality.",
    ],
)
def test_what_a_sentence_says_is_supported(claim: str) -> None:
    assert judge_claim(claim, ["Owls sleep.", SAID]).finding == "supported"


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        # The main verb or adjective is another.
        ("The encoder ruins translation quality on the news task.", SAID),
        # The other way round.
        ("Dogs chase cats.", "Cats chase dogs."),
        # What is asked, or assumed.
        ("Owls are affected by rain.", "We asked whether owls are not affected by rain."),
        # Of something else.
        ("The encoder scores 28.4 BLEU on English to German.", "The encoder scores 41.8 BLEU on English to French."),
        # The loss of it does.
        ("Kinase A increases growth.", "Loss of kinase A decreases growth."),
        # Roughly the same number, or no number that can be compared.
        ("More than 20 owls were seen at night.", "The 25 owls were seen at night."),
        ("Owls live long.", "Nothing is said of birds."),
    ],
)
def test_where_it_is_not_plain_nothing_is_found(claim: str, sentence: str) -> None:
    assert judge_claim(claim, [sentence]).finding == "not_found"


def test_of_two_sentences_the_one_that_says_it_counts_and_the_other_is_the_other_side() -> None:
    found = judge_claim(
        "Warming increases owl numbers.", ["Warming decreases owl numbers.", "Warming increases owl numbers."]
    )
    assert (found.finding, found.best, found.other_side) == ("supported", (1,), (0,))


def test_a_number_that_the_text_has_elsewhere_accuses_nobody() -> None:
    texts = ["The corpus has 40 owls.", "Of these birds, 30 owls were ringed."]
    assert judge_claim("The corpus has 30 owls.", texts).finding == "not_found"


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Owls were seen 3 h after rain.", "Owls were seen 3 months after rain."),
        (
            "Owls ate 55% of mice at 3 days and 14% at 6 days.",
            "Owls ate 26% of mice at 3 days and 14% at 6 days, 55% at 9.",
        ),
        ("The corpus BNC has owls.", "The corpus COCA has owls."),
    ],
)
def test_a_number_is_supported_only_beside_what_it_counts(claim: str, sentence: str) -> None:
    assert judge_claim(claim, [sentence]).finding != "supported"


@pytest.mark.parametrize(
    "sentence",
    [
        "We asked whether owls are not affected by rain.",
        "Mature cells come from immature cells of one kind.",
        "BACKGROUND Owls sleep by day.",
    ],
)
def test_a_sentence_says_what_it_says(sentence: str) -> None:
    assert judge_claim(sentence, ["Owls sleep.", sentence]).finding == "supported"
