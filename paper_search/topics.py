"""What papers are about, in a few terms: their keywords, noun phrases and coined names. No I/O, no language model."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from paper_search.models import Paper
from paper_search.text import stems, words
from papercore.text import REQUEST_STOP_WORDS, STOP_WORDS, stem

MAX_TOPICS = 8
# A phrase of more words is a sentence, not a name.
PHRASE_WORDS = 3
# A topic must be in this share more of the papers that are meant than of the others.
MIN_DIFFERENCE = 0.25
_TOKEN = re.compile(r"\w[\w'-]{0,60}|[^\w\s]")
# Two capitals, a capital inside, or one with a digit, in one part of it: `GloVe`, `GPT-4`, but not `Black-Box`.
_COINED = re.compile(
    r"(?:\w{1,20}-)?(?:\w{0,9}[A-Z]\w{0,9}[A-Z]\w{0,9}|\w{0,9}[a-z][A-Z]\w{0,9}|[A-Z]{1,9}-?\d{1,4})(?:-\w{1,20})?"
)
_ROMAN = re.compile(r"[IVX]{1,5}")
_DETERMINERS = frozenset(words("the a an this these those our its their each every some any such no"))
# After these comes a noun, before those a verb, unless an adjective comes between.
_BEFORE_NOUNS = _DETERMINERS | frozenset(words("of for in on with from by into between across via as"))
_BEFORE_VERBS = frozenset(
    words(
        "we i you they it which that who to can may might will would could should must not also often is are was were "
        "be been has have had do does"
    )
)
# Words of every field: they say what somebody did, how much or how well, not what about.
_GENERAL = """
    able above accepted according account accuracy accurate achieve achieved achieves across act active add added
    addition additional address addressed advantage affect affected affects aim aims allow allowed allows also
    alternative amount analyse analyze analyzed answer answering appear appeared appears application applications
    applied apply approach approaches appropriate approximately area areas argue around art article aspect aspects
    associated assume assumed attempt author authors available average aware away base based baseline basic basis
    become becomes behavior behaviour benchmark benefit best better brief bring broad build built call called
    capable carried case cases cause caused central certain challenge challenges change changes characteristic
    characteristics choice choose chosen clear clearly close collected combine combined come common commonly compare
    compared comparison complete complex component components computed concept concepts concern concerned conclude
    conclusion conclusions condition conditions conduct conducted consider considered consist consists constant
    contain contains context continue contribute contribution contributions control create created creates creating
    current currently data dataset datasets day deal deals define defined degree demonstrate demonstrated
    demonstrates depend depends derive derived describe described describes description design designed detail
    detailed details determine determined determining develop developed development differ difference differences
    different difficult direct directly discuss discussed discusses discussion document documents done due early
    easily easy effect effective effectively effects efficient eight either element elements employ employed enable
    enables end enough ensure entire especially essential establish estimate estimated evaluate evaluated evaluation
    even evidence exact examine examined example examples exist existing exists expect expected experiment
    experiments explain explore explored extend extended extensive extent fact factor factors fast feature features
    few field fifth figure final finally find finding findings finds first five focus follow following follows form
    former forms found four fourth framework full fully function further furthermore future gain general generally
    get give given gives giving goal goals good great greater group groups grow hand help helps hence high higher
    highest highly hold however hundred idea ideas identified identify illustrate impact implement implemented
    important improve improved improvement improvements improves include included includes including increase
    increased increases increasing indicate indicates individual influence inform information initial input inputs
    insight insights instance interest interesting introduce introduced introduces introduction investigate
    investigated investigation involve involved involves issue issues item keep key kind kinds know known lack large
    largely larger last later latter lead leading leads least length less let level levels light like likely limit
    limitation limitations limited line list little long longer look low lower main mainly major make makes making
    manner many mean means measure measured measures method methods might million minor model models modern moreover
    most mostly move much multiple namely nature near nearly necessary need needed needs network networks never new
    next nine normal note novel now number numbers numerous observe observed obtain obtained obtains occur occurs
    offer offers often one ones open order original originally outperform outperforms output overall own paper
    papers part particular particularly parts past pattern patterns people perform performance performed performs
    perhaps period person phase phenomena phenomenon place play plays point points popular position possible
    possibly potential practical practice precise predict prepared presence present presented presents prevent
    previous previously primary principle prior probably problem problems procedure procedures process processes
    produce produced produces program project promising proper properties property propose proposed proposes prove
    proved provide provided provides providing purpose purposes put quality quantity question questions quite range
    ranges rate rates rather reach reached real realistic really reason reasonable reasons receive recent recently
    record reduce reduced reduces reference regard regarded region related relation relations relative relatively
    relevant reliable remain remains report reported reports represent represented represents require required
    requires research resource resources result resulting results reveal reveals review right role run same sample
    samples say scheme second section see seem seems seen select selected separate series serve set sets seven
    several shall short show showed shown shows significant significantly similar simple simply since single
    situation six size small smaller so solution solutions solve solved sometimes special specific specifically
    stage standard start state states still straightforward strategy strength strong structure studied studies study
    subject substantial substantially success successful successfully suffer suggest suggested suggests suitable
    support supports survey system systems table take taken takes taking task tasks technique techniques ten term
    terms test tested tests text theory thing things third thousand three thus time times together tool tools total
    toward towards traditional treat treated treatment true try turn twice two type types typical typically under
    understand understanding unique unit unknown usage use used useful user uses using usual usually utilize valid
    value values variety various vary varying version versus very via view want way ways well whole wide widely
    within without word words work works world year years yet yield yields zero
"""
_GENERAL_STEMS = frozenset(stem(word) for word in words(_GENERAL))


class TopicCandidate(Struct, frozen=True):
    """A term as a paper has it; `key` are its stems, by which it is told apart."""

    key: tuple[str, ...]
    text: str
    # A keyword, or a name that somebody coined: nobody has to guess whether it is a noun.
    named: bool = False
    in_title: bool = False


def topics(papers: Sequence[Paper], others: Sequence[Paper], known: str) -> list[str]:
    """Topics of the papers that the others have seldom, the most telling first; none that the known text has."""
    nouns = Nouns([*papers, *others])
    spellings: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    holders: dict[tuple[str, ...], set[int]] = defaultdict(set)
    weights: dict[tuple[str, ...], float] = defaultdict(float)
    telling = set()
    for number, paper in enumerate(papers):
        for found in candidates(paper, nouns):
            spellings[found.key][found.text] += 1
            holders[found.key].add(number)
            weight = 1 + 0.5 * found.named + 0.5 * found.in_title + 0.25 * len(found.key)
            weights[found.key] = max(weights[found.key], weight)
            if found.named or found.in_title:
                telling.add(found.key)
    asked = set(stems(known))
    texts = [f" {' '.join(stems(' '.join((paper.title, paper.abstract or '', *paper.keywords))))} " for paper in others]
    gains = {}
    for key, held in holders.items():
        phrase = f" {' '.join(key)} "
        gain = len(held) / len(papers) - sum(phrase in text for text in texts) / max(1, len(others))
        # Of a single paper, every phrase would be distinctive: its title and keywords say what it is about.
        if gain >= MIN_DIFFERENCE and not set(key) <= asked and (len(held) > 1 or key in telling):
            gains[key] = gain * weights[key]
    gains.pop((), None)
    ranked = sorted(gains, key=lambda key: (-gains[key], key))
    return [spellings[key].most_common(1)[0][0] for key in _without_parts(ranked, holders)[:MAX_TOPICS]]


def _without_parts(
    ranked: Sequence[tuple[str, ...]], holders: Mapping[tuple[str, ...], set[int]]
) -> list[tuple[str, ...]]:
    """Without a term that is only ever a part of a longer one, and without a longer one whose part says more."""
    kept: list[tuple[str, ...]] = []
    for key in ranked:
        longer = (other for other in ranked if len(other) > len(key) and set(key) < set(other))
        if any(holders[other] == holders[key] for other in longer) or any(set(other) & set(key) for other in kept):
            continue
        kept.append(key)
    return kept


def candidates(paper: Paper, nouns: "Nouns") -> Iterator[TopicCandidate]:
    """Every term of a paper that may be a topic."""
    for keyword in paper.keywords:
        key = tuple(stems(keyword))
        if 0 < len(key) <= PHRASE_WORDS and not set(key) <= _GENERAL_STEMS:
            yield TopicCandidate(key, keyword.lower(), named=True)
    for text, in_title in ((paper.title, True), (paper.abstract or "", False)):
        tokens = _TOKEN.findall(text)
        shouted = sum(token.isupper() and len(token) > 1 for token in tokens) * 2 > len(tokens)
        for token in tokens if not shouted else ():
            if _COINED.fullmatch(token) and not _ROMAN.fullmatch(token) and tokens.count(token) > 1 - in_title:
                yield TopicCandidate(tuple(stems(token)), token, named=True, in_title=in_title)
        for chunk in _chunks([token.lower() for token in tokens]):
            for start in range(len(chunk)):
                phrase = chunk[start : start + PHRASE_WORDS]
                if start + len(phrase) == len(chunk) and nouns.ends_phrase(phrase):
                    yield TopicCandidate(tuple(stems(" ".join(phrase))), " ".join(phrase), in_title=in_title)


def _chunks(tokens: Sequence[str]) -> Iterator[list[str]]:
    """Runs of words that may be a noun phrase: nothing general in them, and no plural or verb before the end."""
    run: list[str] = []
    for token in tokens:
        is_part = token not in STOP_WORDS and token not in REQUEST_STOP_WORDS and _is_topical(token)
        if is_part:
            run.append(token)
        # Before another noun English has the singular, so what ends like a plural is the last noun, or a verb.
        is_plural = token.endswith("s") and not token.endswith(("ss", "us", "is", "ics"))
        if run and (not is_part or is_plural):
            yield run
            run = []
    if run:
        yield run


def _is_topical(word: str) -> bool:
    letters = sum(char.isalpha() for char in word)
    return letters > 2 and not word.endswith("ly") and _stem(word) not in _GENERAL_STEMS


def is_general(term: str) -> bool:
    """Whether it has no word that says what something is about."""
    return all(_stem(word) in _GENERAL_STEMS for word in words(term))


def _stem(word: str) -> str:
    return " ".join(stem(part) for part in word.replace("'", "-").split("-") if part)


class Nouns:
    """Which words of the papers are nouns, by the company they keep."""

    def __init__(self, papers: Sequence[Paper]) -> None:
        self._evidence: Counter[str] = Counter()
        for paper in papers:
            self._read(paper.abstract or "", in_title=False)
            self._read(paper.title, in_title=True)

    def ends_phrase(self, phrase: Sequence[str]) -> bool:
        """Whether the last of the words is a noun, and none before it a verb."""
        *before, last = phrase
        is_noun = self._evidence[last] > 0 and not last.endswith("ed")
        return is_noun and all(self._evidence[word] >= 0 for word in before)

    def _read(self, text: str, *, in_title: bool) -> None:
        tokens = ["", *(token.lower() for token in _TOKEN.findall(text)), ""]
        for before, word, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
            closed = not after[:1].isalnum() or after in STOP_WORDS
            if before in _BEFORE_VERBS or after in _DETERMINERS:
                self._evidence[word] -= 1
            elif closed and (in_title or before in _BEFORE_NOUNS):
                self._evidence[word] += 1
