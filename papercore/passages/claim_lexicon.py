"""The words by which claims are compared: what denies, limits, asks or doubts, and what says more or less."""

import re

from msgspec import Struct

from papercore.text import stem


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


NEGATIONS = stems("no not never neither nor without cannot lack absence fail unable non none")
# Those that deny the word after them, and what may be between.
DENIALS = words("no not never neither nor cannot")
DENIAL_LEADS = stems("be been a an the to any significantly significant statistically have directly")
# After them the opposite may hold: "loss of A increases B" does not say that A increases B.
TURNING = stems(
    """loss losing lack lacking deficient deficiency knockdown knockout depleted depletion deleted deletion inhibitor
    blocked blocking blockade antagonist ablated ablation absence silenced silencing disrupted disruption withdrawal
    removal removed removing without"""
)
# They limit what is said, so a sentence without them says something else.
LIMITING = words("all every most some half only always often rarely few many both each more less least than")
# With them a thing may be so; under a condition it is so.
UNSURE = words(
    """may might can could would should will seem seems appear appears perhaps possibly potentially probably likely
    if unless except when whenever until"""
)
TURNED_STEMS, LIMITED_WORDS = NEGATIONS | TURNING, LIMITING | UNSURE
# Beside a number: it is not meant exactly.
ROUGHLY = words("about above almost approximately around below between least most nearly over roughly than to up")
NEW_CLAUSE = words("but whereas while although however")
ASKING = re.compile(
    r"\?|\bwhether\b|\b(?:if|unless)\b|\b[Hh]ypothes|\b(?:aim(?:ed|s)?|sought|tested)\b"
    r"|^\s*(?:OBJECTIVES?|AIMS?|PURPOSE|DESIGN|METHODS?|Eligibility)\b"
    r"|\bto (?:assess|examine|determine|investigate|evaluate|test|estimate|compare|explore|study|establish)\b"
)
# What is asked, expected, believed or taken back, and not said.
_BELIEVED = (
    r"(?:expect|believ|belief|thought|think|assum|assumption|suppos|hypothes|suspect|speculat|conjectur|hop|claim|argu"
    r"|alleg|imagin|doubt|unlikely|unclear|unknown|uncertain|wonder|myth|false|untrue|wrong|not true|mistake|question)"
)
EXPECTING = re.compile(
    rf"\?|^\s*(?:does|do|did|is|are|was|were|can|could|should|would|will|has|have)\b"
    rf"|\bwhether\b|\b{_BELIEVED}\w* (?:that|to|if)\b",
    re.IGNORECASE,
)
DOUBTING = stems(
    """believe belief wrong wrongly false falsely myth allege allegedly suppose supposedly purport purportedly putative
    presume presumably hypothetical hypothetically theoretically theory principle ostensibly apparently
    retract refute disprove mistaken mistakenly erroneous erroneously unconfirmed unproven contradict doubt doubtful
    withdrawn withdrew untrue debunk discredit
    dispute disputed controversial contrary invalid fraud fraudulent unlikely critics opponents"""
)
# "..., but this was not confirmed": what follows a statement takes it back.
TAKING_BACK = re.compile(
    r"(?:[,;:—]|\b(?:but|although|though|while|yet|however|and))\s+"
    r"(?:which|this|that|it|these|they|none|others|later \w+|the (?:finding|result|effect|claim)s?)\b"
    r"[^,;.]{0,40}\b(?:not|never|cannot|no longer|fail\w*)\b"
    r"|\b(?:not|never|cannot|nor)\b[^,;.]{0,20}\b(?:confirm|replicat|reproduc|substantiat)ed\b",
    re.IGNORECASE,
)
# What may be left out of a sentence: adverbs that take nothing away, and words that open it.
PLAIN_ADVERBS = words(
    """significantly statistically strongly markedly substantially dramatically greatly clearly considerably robustly
    consistently remarkably strikingly notably profoundly highly actively directly specifically rapidly efficiently
    effectively successfully recently previously subsequently additionally interestingly surprisingly importantly
    also therefore thus indeed then finally further furthermore moreover"""
)
OPENERS = PLAIN_ADVERBS | words("here however overall accordingly similarly consequently together again now first")
# A phrase that begins with one of these says where, when or how: what is before it is said all the same.
ADDING = words("in on at by with from during via using through across among between after before because and")
# They single out what is spoken of: of others, other things are true.
SINGLING = words("who whom whose that which where when if while")
# Words before a number that is a name: of table 3, other things are true than of table 2.
LABELLED = stems(
    """table figure fig section chapter appendix equation group type phase grade stage class category cohort arm layer
    experiment study trial model version step part level day week month year round wave visit case scenario number no
    task setting condition"""
)
# Articles, auxiliaries and pronouns: two sentences may say the same with others of them, or without.
LIGHT = words(
    """a an the am is are was were be been being has have had having do does did it its itself he she his her they their
    them we us our i my this these those such also thus therefore hence so then there here however but whereas while
    although too very"""
)
# Prepositions and conjunctions: they say how the words are related.
RELATING = words(
    """of in on at by for with from to into onto over under above below between among within during through throughout
    across along around after before since until than as per via upon against versus vs toward towards beyond despite
    and or because that which who whom whose where using rather instead compared relative due"""
)
# Words for more and for less of one thing. Words of two lines are no opposites: what is longer may be slower.
SCALES = (
    (
        """increase rise risen rose raise elevate elevation enhance promote stimulate upregulate upregulation higher
        greater larger""",
        """decrease fall fell fallen decline reduce reduction diminish lower suppress inhibit downregulate
        downregulation attenuate smaller""",
    ),
    ("improve improvement better help benefit", "worsen worse impair hurt harm deteriorate"),
    ("cause", "prevent"),
    ("faster quicker", "slower"),
    ("accelerate", "slow decelerate"),
    ("longer", "shorter"),
    ("more", "less fewer"),
    ("most highest largest greatest", "least lowest smallest"),
    ("best", "worst"),
    ("positive", "negative"),
    ("stronger strengthen", "weaker weaken"),
    ("before", "after"),
    ("earlier", "later"),
    ("above", "below"),
)


class Way(Struct, frozen=True):
    """A direction: which thing there is more or less of, and whether more."""

    scale: int
    is_more: bool

    def turns(self, other: "Way | None") -> bool:
        return other is not None and self.scale == other.scale and self.is_more != other.is_more


WAYS = {
    stem(word): Way(scale, is_more)
    for scale, sides in enumerate(SCALES)
    for is_more, side in zip((True, False), sides, strict=True)
    for word in side.split()
}
