"""What a question is about: the phrases that name its topic, between words that only ask, per language."""

import re

from paper_search.text import words
from papercore import limits
from papercore.text import REQUEST_STOP_WORDS, cjk_language

MAX_CONCEPTS = 8
_QUOTED = re.compile(r"[\"“„]([^\"”“„]{2,80})[\"”“]")
_BETWEEN_CONCEPTS = re.compile(r"(?<![.,;:?!()\[\]/])[.,;:?!()\[\]/]++(?:\s|$)")
_CJK_CONCEPTS = re.compile(
    "的|和|与|與|及|以及|在|中|用于|基于|対する|における|に関する|を用いた|による|ための|と|の|を|に|、|，|,|\\s"
)

# Nowhere in a question do these name its topic.
_ENGLISH = """
    i am i'm we're recent recently latest newest relevant important influential seminal paper papers article articles
    publication publications literature study studies exist exists existing known interested looking worked
    versus vs compared regarding
    concerning dealing about approaches approach methods techniques ways attempts efforts advances stuff etc currently
    interesting useful what's whats there's published written anything something everything
"""
# These may be part of a topic (beam search, list decoding), but not where a question begins.
_OPENING = """
    please can could you we us me my our want need like would love help find finding search searching look show
    give tell
    list get fetch recommend suggest some any all new best good top most key main major popular research work works
    done been there available people which what how who where does do did is are on that the a an of in for one
    ones know
"""
# And these not where it ends.
_CLOSING = "please research work works available far today nowadays"
_GERMAN = """
    der die das den dem des ein eine einen einem einer eines und oder aber in im an am auf aus bei mit nach von
    vom vor zu
    zum zur über unter für durch gegen um als wie was welche welcher welches gibt es ist sind war wird werden
    ich wir mir
    uns bitte suche such suchen finde finden zeige zeig nenne brauche möchte nur auch nicht ohne außer neue
    neuen neueste
    neuesten aktuelle aktuellen aktueller wichtigsten besten beste arbeit arbeiten artikel paper papers publikationen
    veröffentlichungen literatur studien forschung aufsätze thema bereich jahr jahre jahren methoden ansätze verfahren
    deren dessen man so sich
"""
_FRENCH = """
    le la les l un une des du de d et ou mais dans en sur sous avec pour par au aux à ce cet cette ces quel quelle quels
    quelles que qui quoi est sont il y a t je nous me moi cherche chercher trouver trouve montre donne liste
    veux voudrais
    besoin s'il vous plaît récents récent récentes récente derniers dernières meilleurs meilleures article
    articles papier
    papiers publications publication littérature recherche recherches études étude travaux sujet concernant propos
    existe existent sans sauf pas non année années méthodes approches
"""
_SPANISH = """
    el la los las un una unos unas de del y o u pero en sobre con para por al a este esta estos estas qué cuáles
    cuál que
    quién es son hay yo nosotros busco buscar busca encontrar encuentra muestra dame lista quiero necesito favor
    recientes
    reciente últimos últimas mejores mejor artículo artículos trabajo trabajos publicaciones publicación literatura
    investigación investigaciones estudios estudio tema acerca existen existe sin excepto salvo no año años métodos
    enfoques me
"""
_FOREIGN = {
    "de": frozenset(_GERMAN.split()),
    "fr": frozenset(_FRENCH.split()),
    "es": frozenset(_SPANISH.split()),
}
_FILLERS = REQUEST_STOP_WORDS | frozenset(_ENGLISH.split())
_FIRST = _FILLERS | frozenset(_OPENING.split())
_LAST = frozenset(_ENGLISH.split()) | frozenset(_CLOSING.split())
# What stands before and after a topic in Chinese and Japanese.
_BEFORE = """
    只要 请 請 帮我 帮忙 给我 我想 想要 需要 查找 寻找 搜索 查询 找 列出 推荐 一些 一下 最新
    最近 有关 关于 有哪些 哪些 的 最近の 最新の おすすめの の
"""
_AFTER = """
    有哪些 是什么 吗 呢 方面 相关 有关 最新 重要 主要 的 之 论文 文章 文献 研究 工作 著作
    に関する についての について に関して における 最近 の を 論文 文献 記事 教えて 探して
    探し 検索して 見せて 探す 検索 ください 下さい います いる ほしい 欲しい が に は
"""
_ON_THE_TOPIC = re.compile(r"\b(?:on|in|about) the (?:topic|field|area|subject) of\b", re.I)


def concepts(text: str, language: str = "en") -> list[str]:
    """Quoted phrases, then the runs of words between words that say nothing about the topic."""
    quoted = [" ".join(words(phrase)) for phrase in _QUOTED.findall(text)]
    rest = _QUOTED.sub(" . ", text)
    if language in ("zh", "ja"):
        runs = [" ".join(words(part)) for part in _CJK_CONCEPTS.split(rest)]
    else:
        runs = [run for part in _BETWEEN_CONCEPTS.split(rest) for run in _runs(part, language)]
    unique = list(dict.fromkeys(phrase[: limits.KEYWORD_CHARS] for phrase in (*quoted, *runs) if phrase))
    return unique[:MAX_CONCEPTS]


def _runs(text: str, language: str) -> list[str]:
    runs: list[list[str]] = [[]]
    for word in words(text):
        plain = re.sub(r"^(?:l|d|qu|s|n)['’]", "", word) if language == "fr" else word
        if is_filler(plain, language):
            runs.append([])
        else:
            runs[-1].append(plain)
    return [" ".join(run) for run in runs if run]


def language_of(text: str) -> str:
    """The language a question is written in: zh, ja, de, fr, es, or else en."""
    if (language := cjk_language(text)) in ("ja", "zh"):
        return language
    asked = words(text.replace("'", " ").replace("’", " "))
    counts = {name: sum(word in known for word in asked) for name, known in _FOREIGN.items()}
    best = max(counts, key=lambda name: counts[name])
    english = sum(word in REQUEST_STOP_WORDS for word in asked)
    return best if counts[best] > english else "en"


def is_filler(word: str, language: str = "en") -> bool:
    return word in _FILLERS or word in _FOREIGN.get(language, ())


def trimmed(text: str, language: str) -> str:
    """The text without the words around its topic that only ask for something."""
    if language in ("zh", "ja"):
        return _trimmed_cjk(text)
    foreign = _FOREIGN.get(language, frozenset())
    parts = _ON_THE_TOPIC.sub(" ", text).split()
    while parts and _all_in(parts[0], _FIRST | foreign, language):
        parts.pop(0)
    while parts and _all_in(parts[-1], _LAST | foreign, language):
        parts.pop()
    return " ".join(parts).strip(" .,;:?!")


def _all_in(part: str, known: frozenset[str], language: str) -> bool:
    # An elided article, as in l'analyse, is no reason to keep or drop the noun.
    found = words(re.sub(r"^(?:l|d|qu)['’]", "", part, flags=re.I)) if language == "fr" else words(part)
    return all(word in known for word in found) and '"' not in part


def _trimmed_cjk(text: str) -> str:
    before = ""
    while before != text:
        before = text
        for word in _BEFORE.split():
            text = text.removeprefix(word)
        for word in _AFTER.split():
            text = text.removesuffix(word)
        text = text.strip(" .,;:?!、。，？！")
    return text
