"""Which kinds of paper a question asks for: surveys, datasets, benchmarks, theses, comparisons."""

import re

from msgspec import Struct

from paper_search.models import PaperTag

_NOUNS = {
    PaperTag.review: (
        "(?:literature |systematic |scoping )?(?:surveys?|reviews?|overviews?)(?: papers?| articles?)?"
        "|meta-analys[ei]s|tutorials?"
        "|state[- ]of[- ]the[- ]art|introductions? to|übersichten|übersicht|übersichtsarbeiten|übersichtsarbeit"
        "|überblick|état de l'art|revues? de (?:la )?littérature|synthèses?|revisiones|revisión|panorama"
        "|estado del arte"
    ),
    PaperTag.dataset: (
        "data ?sets?|corpus|corpora|benchmarks?|test collections?|treebanks?|datensätze|datensatz|korpora|korpus"
        "|jeux de données|jeu de données|conjuntos de datos|conjunto de datos"
    ),
    PaperTag.thesis: (
        "(?:phd |ph\\.d\\. |master'?s? |doctoral )?(?:thesis|theses|dissertations?)|dissertationen|doktorarbeiten"
        "|doktorarbeit|thèses?|tesis(?: doctoral(?:es)?)?"
    ),
    PaperTag.empirical: (
        "comparisons?|comparing|compare|compared|baselines?|versus|vs\\.?|outperforms?|empirical (?:studies"
        "|study|evaluations?)"
        "|vergleich|vergleiche|comparaisons?|comparación|comparaciones"
    ),
    PaperTag.theoretical: "(?:theoretical|formal) (?:analys[ei]s|proofs?|results|guarantees)",
}
_CJK_NOUNS = {
    PaperTag.review: "综述|綜述|サーベイ|レビュー論文|総説|概説",
    PaperTag.dataset: "数据集|数據集|语料库|データセット|コーパス|ベンチマーク|基准",
    PaperTag.thesis: "学位论文|博士论文|硕士论文|博士論文|修士論文",
    PaperTag.empirical: "比较|对比|比較",
    PaperTag.theoretical: "理论分析|理論解析",
}
# Kinds of text that are themselves studied: product reviews are no reviews of the literature.
_STUDIED = (
    "product|movie|film|customer|user|app|online|hotel|restaurant|peer|code|book|music|yelp|amazon|opinion|household"
)
# A kind is asked for where its noun ends a phrase or says what it is of; `corpus linguistics` asks for none.
_FOLLOWED = (
    r"(?= (?:of|on|about|for|in|over|with|from|since|to|and|or|covering|comparing|exist|exists|available|used|are"
    r"|is|there|gibt|existent|existen|hay|that|which|such|between|zu|zur|zum|über"
    r"|für|von|der|des|de|du|sur|pour|sobre|para|del|by|published|before|after|until|please|like|[a-zà-ÿ]+ (?:and"
    r"|vs\.?)) |$|[,;:.?!)])"
)
KIND_PATTERNS = {
    tag: re.compile(rf"(?<![\w-])(?:{names})(?![\w-]){_FOLLOWED}|{_CJK_NOUNS[tag]}", re.I)
    for tag, names in _NOUNS.items()
}
_COMPARED = re.compile(r"\b(?:versus|vs\.?|compared?(?: (?:to|with|against))?|comparison)\b", re.I)
_STUDIED_BEFORE = re.compile(rf"\b(?:{_STUDIED}) $", re.I)
_WHOLE = {tag: re.compile(rf"(?:{names}|{_CJK_NOUNS[tag]})", re.I) for tag, names in _NOUNS.items()}


class KindsRead(Struct, frozen=True):
    kinds: list[PaperTag]
    rest: str


def read_kinds(text: str) -> KindsRead:
    """The kinds that the text asks for, and the text without their names."""
    found, rest = [], text
    for tag, pattern in KIND_PATTERNS.items():
        for match in pattern.finditer(text):
            if not _STUDIED_BEFORE.search(text[max(0, match.start() - 20) : match.start()]):
                found.append(tag)
                rest = rest.replace(match[0], " ; ", 1)
    if _COMPARED.search(text):
        found.append(PaperTag.empirical)
    return KindsRead(list(dict.fromkeys(found)), " ".join(rest.split()))


def kind_named(phrase: str) -> PaperTag | None:
    """The kind that a whole phrase names, as in `surveys`."""
    return next((tag for tag, pattern in _WHOLE.items() if pattern.fullmatch(phrase.strip())), None)
