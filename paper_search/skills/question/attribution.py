"""Whose papers a question asks for, and where they appeared: `by Hinton`, `papers of X and Y`, `at ACL`."""

import re

from msgspec import Struct

_WRITING = (
    "papers?|articles?|works?|publications?|stud(?:y|ies)|research|theses|thesis|surveys?|reviews?|arbeiten"
    "|artikel|aufsätze|"
    "publikationen|veröffentlichungen|travaux|études|artículos|trabajos|publicaciones"
)
# A part of a name: an initial, or a word with a capital and small letters, which BERT and LSTM are not.
_PART = r"(?-i:[A-ZÀ-ÞŁŠŽČ]\.(?:-?[A-Z]\.)?|[A-ZÀ-ÞŁŠŽČ][\w'’-]{0,30}[a-zà-ÿ][\w'’-]{0,30})"
_PARTICLE = "(?:van den|van der|van de|von der|van|von|de la|de|del|da|di|el|al|bin|ter|ten|le|la)"
_NAME = rf"{_PART}(?: (?:{_PARTICLE} )?{_PART}){{0,3}}"
_NAMES = (
    rf"(?P<names>(?:{_PARTICLE} )?{_NAME}(?:(?:, (?:and )?| and | & | und | et | y | or ){_NAME}){{0,4}})(?: et al\.?)?"
)
_BY = re.compile(
    rf"(?:\b(?:{_WRITING}) (?:written |authored |published )?(?:by|of|from|von|de|par|por)|\b(?:written|authored"
    rf"|published) by"
    rf"|\b(?:by|par|por)|\bauthors?:?) {_NAMES}(?![\w-])",
    re.I,
)
_POSSESSIVE = re.compile(rf"(?P<names>{_NAME})['’]s? (?:{_WRITING})\b", re.I)
_ET_AL = re.compile(rf"(?P<names>{_NAME}) et al\b\.?", re.I)
# Names in small letters, where nothing else can follow.
_SMALL = re.compile(
    rf"\b(?:{_WRITING}) (?:written |authored )?by (?P<names>[a-zà-ÿ][\w'’-]{{1,30}}(?: and [a-zà-ÿ][\w'’-]{{1,30}})?)"
    r"(?= (?:on|about|in|at|from|since|regarding)\b|$|[,.?])",
)
_CJK = re.compile(rf"(?P<names>{_NAME})(?:的|の)(?:论文|文章|論文|著作|研究)|作者(?:是|为)?(?P<author>{_NAME})")
_JOINED = re.compile(r", (?:and )?| and | & | und | et | y | or ")
# Methods that carry a person's name or a capital.
_METHOD_NAMES = """
    transformer transformers bayesian bayes markov gaussian boltzmann kalman fourier viterbi laplace newton
    monte hebbian hidden neural deep graph attention reinforcement english german french spanish chinese
    japanese
"""
_METHODS = frozenset(_METHOD_NAMES.split())

_KNOWN_VENUES = """
    ACL EMNLP NAACL EACL AACL COLING CoNLL TACL LREC SemEval WMT IJCNLP IWSLT SIGDIAL INLG RANLP EAMT AMTA BEA
    BioNLP PACLIC NoDaLiDa TALN INTERSPEECH ICASSP NeurIPS NIPS ICML ICLR AISTATS UAI COLT AAAI IJCAI ECAI
    CVPR ICCV ECCV BMVC MICCAI KDD WWW WSDM CIKM SIGIR ECIR TREC RecSys SIGMOD VLDB ICDE CHI CSCW UIST SOSP
    OSDI NSDI SIGCOMM STOC FOCS SODA ICRA IROS CoRL JMLR TMLR TPAMI PAMI PNAS arXiv bioRxiv medRxiv
"""
VENUES = tuple(_KNOWN_VENUES.split())
_JOURNALS = (
    "Nature Communications|Nature Materials|Nature|Science Advances|Science|Cell|The Lancet|Lancet|PLOS ONE"
    "|Physical Review "
    "Letters|Physical Review B|Computational Linguistics|Machine Learning|Artificial Intelligence|JAMA|BMJ"
    "|Advanced Materials"
)
_VENUE_NAME = "|".join(sorted(VENUES, key=lambda name: -len(name)))
_IN = (
    r"(?:published |presented |accepted |appeared |appearing )?(?:at|in|from|on|auf der|bei der|bei|aus der|à"
    r"|dans|de|en) (?:the |la |der )?"
    r"(?:proceedings of (?:the )?|conference |journal |workshop )?"
)
_YEAR = r"(?:[ '-]{1,2}(?P<year>(?:19|20)\d\d))?"
_VENUE = (
    re.compile(rf"\b{_IN}(?P<venue>{_VENUE_NAME}){_YEAR}(?![\w-])", re.I),
    # Before `papers` the name alone says it. CoNLL 2003 alone names a task.
    re.compile(
        rf"(?<![\w-])(?P<venue>{_VENUE_NAME}){_YEAR}(?= (?:papers?|articles?|proceedings)\b|(?:的|の)?(?:论文|論文))"
    ),
    re.compile(
        rf"\b(?:published in|appeared in|journal|articles in|papers in"
        rf"|in the journal) (?:the )?(?P<venue>{_JOURNALS})(?![\w-])"
    ),
    re.compile(rf"\bin (?P<venue>{_JOURNALS})(?= *(?:$|[,.?)]))"),
    re.compile(
        r"\b(?:presented at|published at|accepted at|at) (?:the )?(?P<venue>[A-Z]{2}[A-Za-z]{0,4}[A-Z])(?= *(?:$"
        r"|[,.?)]))"
    ),
    re.compile(rf"(?:在)?(?P<venue>{_VENUE_NAME})(?:会议)?(?:上|中)?(?:发表|發表|で発表された|に掲載された)(?:的|の)?"),
)


class NamesRead(Struct, frozen=True):
    names: list[str]
    rest: str


def read_authors(text: str) -> NamesRead:
    """The authors that the text asks for, and the text without the words that do."""
    names: list[str] = []
    for pattern in (_BY, _POSSESSIVE, _ET_AL, _CJK, _SMALL):
        if found := pattern.search(text):
            given = found["names"] or found.groupdict().get("author") or ""
            people = [name.strip() for name in _JOINED.split(given) if name.strip()]
            if any(person.split()[0].lower() in _METHODS for person in people):
                continue
            names += people
            text = f"{text[: found.start()]} {text[found.end() :]}"
    return NamesRead(list(dict.fromkeys(names)), " ".join(text.split()))


def read_venues(text: str) -> NamesRead:
    """The venues that the text asks for, spelled as they are known, and the text without the words that do."""
    known = {name.lower(): name for name in VENUES}
    names: list[str] = []
    for pattern in _VENUE:
        if found := pattern.search(text):
            names.append(known.get(found["venue"].lower(), found["venue"]))
            year = found.groupdict().get("year")
            text = f"{text[: found.start()]} {f'in {year}' if year else ''} {text[found.end() :]}"
    return NamesRead(list(dict.fromkeys(names)), " ".join(text.split()))
