"""A claim compared with sentences: what agrees, what differs, and when nothing is said."""

import pytest

from papercore.passages.claim_words import ClaimPart
from papercore.passages.claims import judge_claim

SAID = "The new encoder improves translation quality by 28.4 BLEU on the news task."


@pytest.mark.parametrize(
    ("claim", "sentence", "kind", "mine", "theirs"),
    [
        (
            "One in two surgical trials is stopped.",
            "One in five surgical trials is stopped, early in some.",
            "number",
            "two",
            "five",
        ),
        ("The corpus was collected in 2014.", "The corpus was collected in 2017.", "year", "2014", "2017"),
        ("Patients took 5 mg daily.", "Patients took 5 g daily.", "number", "5 mg", "5 g"),
        ("Warming increases owl numbers.", "Warming decreases owl numbers.", "direction", "increases", "decreases"),
        ("Owls are not affected by rain.", "Owls are affected by rain.", "negation", "not affected", "affected"),
        ("The method is stable for owls.", "The method is unstable for owls.", "negation", "stable", "unstable"),
        ("Long lags become unsolvable.", "Long lags become solvable, at a cost.", "negation", "unsolvable", "solvable"),
        ("It trains slower with owls.", "It trains faster with owls.", "direction", "slower", "faster"),
        ("Rain matters least for owls.", "Rain matters most for owls.", "direction", "least", "most"),
        ("Owls slept after the storm.", "Owls slept before the storm.", "direction", "after", "before"),
        ("Owls eat about 4 billion mice.", "Owls eat about 4 million mice.", "number", "4 billion", "4 million"),
        ("The owls ate 25 percent of mice.", "The owls ate 15 % of mice.", "number", "25 percent", "15 %"),
        ("Owls hunt at twenty-one sites.", "Owls hunt at thirty sites.", "number", "twenty-one", "thirty"),
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
        "The new encoder improves translation quality.",
        "Translation quality is improved by the new encoder.",
    ],
)
def test_what_a_sentence_says_is_supported(claim: str) -> None:
    assert judge_claim(claim, ["Owls sleep.", SAID]).finding == "supported"


@pytest.mark.parametrize(
    "sentence",
    [
        "In winter, owls hunt mice.",
        "We found that owls hunt mice in winter.",
        "CONCLUSIONS Owls (n = 30) actively hunt mice in the cold winter, but not in spring.",
        "Mice are hunted by owls in winter, although few are caught.",
        "Owls, like cats, hunt mice in winter because nothing else is there.",
        "Cats sleep; owls were shown to hunt mice in winter.",
    ],
)
def test_what_says_no_less_supports(sentence: str) -> None:
    assert judge_claim("Owls hunt mice in winter.", [sentence]).finding == "supported"


EXCHANGED = {
    "subject and object": ("Model A outperforms model B on SQuAD.", "Model B outperforms model A on SQuAD."),
    "subject and agent": ("BERT is outperformed by GPT.", "BERT outperforms GPT."),
    "what is compared": ("Owls live longer than mice.", "Mice live longer than owls."),
    "directions": ("Rain reduces sleep but increases hunger.", "Rain increases sleep but reduces hunger."),
    "numbers": ("It scores 91 on QNLI and 84 on MNLI.", "It scores 84 on QNLI and 91 on MNLI."),
    "before and after": ("Sales fell after the crisis.", "Sales fell before the crisis."),
    "from and to": ("They went to Rome from Paris.", "They went from Rome to Paris."),
    "a number of the other clause": (
        "It reaches 41.8 BLEU from English to German.",
        "It reaches 28.4 BLEU from English to German and 41.8 from English to French.",
    ),
    "a name of the other clause": (
        "Ten judges, native speakers of Chinese, rated readability.",
        "Ten judges (native speakers of English) rated readability, and ten others (native speakers of Chinese) style.",
    ),
    "a phrase of the other clause": ("At dawn, owls sleep.", "At noon, owls sleep, whereas at dawn, mice sleep."),
    "who is denied": ("It helped men.", "It helped women but not men."),
    "the end of a list": ("Antibodies increase growth.", "Antibodies against A, B and C increase growth."),
    "what is left out": ("Kinase A increases growth.", "Kinase A antibodies increase growth."),
    "what may be": ("Kinase A increases growth.", "Kinase A may increase growth."),
    "what limits it": ("Kinase A increases growth.", "Kinase A increases growth only in mice."),
    "what is said of it": ("Kinase A increases growth.", "Rivals hold that kinase A increases growth."),
    "what it belongs to": ("Kinase A increases growth.", "Kinase A increases growth hormone levels."),
}


@pytest.mark.parametrize(("claim", "sentence"), EXCHANGED.values(), ids=EXCHANGED.keys())
def test_the_same_words_in_other_relations_support_nothing(claim: str, sentence: str) -> None:
    assert judge_claim(claim, [sentence]).finding != "supported"
    assert judge_claim(sentence, [sentence]).finding == "supported"


@pytest.mark.parametrize(
    "sentence",
    [
        "Supposedly, owls hunt mice.",
        "Owls hardly hunt mice.",
        "Owls allegedly hunt mice.",
        "Owls hunt mice badly.",
        "Owls hunt mice of one kind.",
        "Owls hunt mice below the snow.",
        "Owls hunt mice an hour a day.",
        "Owls hunt mice, as was long believed, but wrongly.",
        "Owls hunt mice, a finding later retracted.",
        "Earlier work found that owls hunt mice, but this was not confirmed here.",
        "It is a myth that owls hunt mice.",
        "Do owls hunt mice?",
    ],
)
def test_what_a_sentence_limits_doubts_or_takes_back_it_does_not_say(sentence: str) -> None:
    claim = "Owls hunt mice."
    assert judge_claim(claim, [sentence]).finding == "not_found"


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("It was trained for 12 hours.", "It was trained for 12 hours a day over a month."),
        ("The accuracy is 92.5%.", "The accuracy is 92.5% of the human level."),
        ("The owl sees well.", "The owl sees well below expectation."),
    ],
)
def test_a_measure_is_not_said_where_it_is_of_something(claim: str, sentence: str) -> None:
    assert judge_claim(claim, [sentence]).finding == "not_found"


@pytest.mark.parametrize("claim", ["Do owls hunt mice?", "One could expect that owls hunt mice.", "Is it so?"])
def test_a_question_or_an_expectation_is_found_only_word_for_word(claim: str) -> None:
    assert judge_claim(claim, ["Owls hunt mice."]).finding == "not_found"
    assert judge_claim(claim, ["Owls do not hunt mice."]).finding == "not_found"
    assert judge_claim(claim, ["Owls hunt mice.", claim]).finding == "supported"


OF_OTHER_THINGS = [
    ("Boys scored 12 points on the test.", "Girls scored 15 points on the test."),
    ("The test set has 500 owls.", "The training set has 5000 owls."),
    ("Group B received 20 mg daily.", "Group A received 10 mg daily."),
    ("The second experiment used 40 mice.", "The first experiment used 30 mice."),
    ("The lens has a length of 50 mm.", "The other lens has a length of 35 mm."),
    ("The network has 40 layers.", "The larger network has 90 layers."),
    ("The network has 40 layers.", "The network has 90 layers on ImageNet."),
    ("Owls fell less with rain.", "Owls fell more with snow."),
    ("Dyes absorb less strongly than crystals.", "Crystals absorb more strongly than dyes."),
    ("Higher doses harm owls.", "Lower doses harm owls."),
    ("Untreated wood rots.", "Treated wood rots."),
    ("Owls that ate 5 mice slept.", "Owls that ate 9 mice slept."),
    ("In table 2 owls are listed.", "In table 3 owls are listed."),
    ("An 18-layer network was trained.", "A 34-layer network was trained."),
    ("BERT reads both ways.", "ELMo reads both ways."),
]
OF_ONE_MEANING = [
    ("The effect was not significant in owls.", "The effect was insignificant in owls."),
    ("It is not toxic to owls.", "It is nontoxic to owls."),
    ("It is not toxic to owls.", "It is non-toxic to owls."),
    ("Owls are not inactive at night.", "Owls are active at night."),
    ("WHO reported 30 deaths.", "World Health Organization reported 30 deaths."),
    ("Shorter sleep goes with higher weight.", "Longer sleep goes with lower weight."),
    ("The sample had 1,000 owls.", "The sample had 1,024 owls."),
    ("The owls scored 28.4 in the test.", "The owls scored 28 in the test."),
]


@pytest.mark.parametrize(("claim", "sentence"), [*OF_OTHER_THINGS, *OF_ONE_MEANING])
def test_what_is_said_of_another_thing_or_in_other_words_is_no_difference(claim: str, sentence: str) -> None:
    assert judge_claim(claim, [sentence]).finding != "differs"
    assert judge_claim(sentence, [claim]).finding != "differs"


def test_words_that_are_there_in_other_relations_are_told_from_words_that_are_not() -> None:
    claim, sentence = EXCHANGED["subject and object"]
    assert judge_claim(claim, [sentence]).has_words
    assert not judge_claim("Owls outperform model A on SQuAD.", [sentence]).has_words


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
