"""The query language: parses what a person types into a tree of words, phrases, fields and years.

Nothing is an error: malformed parts are read as plain words.
"""

import re
from collections.abc import Collection, Sequence

from msgspec import Struct

from papercore.bibliography import identifiers
from papercore.retrieval.basics.analysis import clean, value_key


class Words(Struct, frozen=True):
    """Plain words: any may match, and the more the better.

    With `levels`, the terms that a document has must add up to a fixed number, see word_clauses.FLOOR_LEVELS.
    """

    words: tuple[str, ...]
    levels: tuple[tuple[str, int], ...] = ()


class Phrase(Struct, frozen=True):
    text: str


class Prefix(Struct, frozen=True):
    text: str


class Field(Struct, frozen=True):
    name: str
    value: Phrase | Prefix | Words


class Years(Struct, frozen=True):
    first: int | None
    last: int | None


class IdentifierQuery(Struct, frozen=True):
    key: str


class AllOf(Struct, frozen=True):
    parts: tuple["Node", ...]


class AnyOf(Struct, frozen=True):
    parts: tuple["Node", ...]


class Not(Struct, frozen=True):
    part: "Node"


Node = Words | Phrase | Prefix | Field | Years | IdentifierQuery | AllOf | AnyOf | Not

_ALIASES = {"authors": "author", "journal": "venue", "keywords": "keyword", "tags": "tag", "lang": "language"}
_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»「」『』＂", '"'))
_TOKEN = re.compile(
    rf"""(?<!\S)(?P<identifier>{identifiers.DOI_PATTERN}|{identifiers.ARXIV_PATTERN})(?!\S)
    |(?P<bracket>(?:(?<![^\s(])-)?\(|\))
    |(?P<sign>(?<![^\s(])[-+](?=[^\s)]))?(?:(?P<field>[A-Za-z]+):(?=[^\s)]))?(?:"(?P<quoted>[^"]*)"|(?P<word>[^\s()"]+))
    """,
    re.IGNORECASE | re.VERBOSE,
)
_YEARS = re.compile(r"(?P<first>\d{1,4})?(?:(?P<range>\.\.|-)(?P<last>\d{1,4})?)?|(?P<sign>[<>]=?)(?P<bound>\d{1,4})")
_JOINTS = frozenset({"AND", "OR"})
_OPERATORS = _JOINTS | {"NOT"}
# In a question with more words than this, quotation marks only emphasise.
_PROSE_WORDS = 8
# More words than these, all in capitals, are a text and no formula of acronyms: NOT is a word in it.
_ACRONYMS = 3
# Nobody nests deeper; the limit keeps a hostile query from exhausting the stack.
_DEPTH = 20


def plain(text: str) -> Words:
    """Every word as a word; operators and quotes mean nothing."""
    return Words(tuple(clean(text).split()))


def parse(text: str, fields: Collection[str]) -> Node | None:
    """Read a query; None when it has no words."""
    tokens = _TOKEN.finditer(clean(text).translate(_QUOTES))
    return _Parser(list(tokens), frozenset(fields)).expression(0)


def meaning(node: Node | None) -> str:
    """The words whose meaning is searched: everything but exclusions, years and names."""
    match node:
        case Words(words):
            return " ".join(words)
        case Phrase(text) | Prefix(text):
            return text
        case Field("title", value):
            return meaning(value)
        case AllOf(parts) | AnyOf(parts):
            return " ".join(filter(None, map(meaning, parts)))
    return ""


def query_words(text: str, fields: Collection[str]) -> str:
    """The words that a query looks for in a text, without what it excludes and what it asks of names and years."""
    return meaning(parse(text, fields))


def required(node: Node | None) -> Node | None:
    """What a hit must match even when found by meaning: everything but the plain words."""
    match node:
        case AllOf(parts):
            return _joined(AllOf, [part for part in parts if not isinstance(part, Words)])
        case Words():
            return None
    return node


def without(node: Node | None, dropped: Collection[str]) -> Node | None:
    """The query without these of its plain words, given as they are compared, if it has others."""
    match node:
        case Words(words):
            kept = tuple(word for word in words if value_key(word) not in dropped)
            return Words(kept) if kept else node
        case AllOf(parts):
            return _joined(AllOf, [without(part, dropped) if isinstance(part, Words) else part for part in parts])
    return node


def is_shouted(words: Sequence[str]) -> bool:
    """Whether a text is in capitals; a few acronyms are none."""
    return len(words) > _ACRONYMS and " ".join(words).isupper()


def is_plain(node: Node | None) -> bool:
    """Whether the query is plain words, with no sign that the person knows what is in the paper."""
    match node:
        case Words():
            return True
        case AllOf(parts):
            bags = sum(isinstance(part, Words) for part in parts)
            return bags == 1 and all(isinstance(part, Words | Not | Years) for part in parts)
    return False


class _Parser:
    """Recursive descent: OR binds weaker than AND, AND weaker than juxtaposition. One for each query."""

    def __init__(self, tokens: list[re.Match[str]], fields: frozenset[str]) -> None:
        self.tokens = tokens
        self.fields = fields
        self.at = 0
        words = [token[0] for token in tokens if token[0] not in _OPERATORS and not token["bracket"]]
        self.words = _OPERATORS if is_shouted(words) else frozenset[str]()
        if " ".join(words).isupper() and all(token["word"] and not token["field"] for token in tokens):
            self.words |= _JOINTS  # acronyms lose nothing by it
        # With AND or OR somewhere, all words side by side must match; without, any may.
        self.boolean = any(self._is_joint(i) for i in range(len(tokens)))
        self.prose = sum(token["word"] is not None for token in tokens) > _PROSE_WORDS

    def _is_joint(self, i: int) -> bool:
        """AND and OR are operators only between two operands; elsewhere they are words."""
        return self._operator(i) in _JOINTS and self._is_operand(i - 1) and self._is_operand(i + 1)

    def _operator(self, i: int) -> str | None:
        if not 0 <= i < len(self.tokens):
            return None
        text = self.tokens[i][0]
        return text if text in _OPERATORS - self.words else None

    def _is_operand(self, i: int) -> bool:
        return 0 <= i < len(self.tokens) and (self._operator(i) in {None, "NOT"})

    def expression(self, depth: int) -> Node | None:
        alternatives = [self.conjunction(depth)]
        while self._take_joint("OR"):
            alternatives.append(self.conjunction(depth))
        return _joined(AnyOf, alternatives)

    def conjunction(self, depth: int) -> Node | None:
        parts = [self.sequence(depth)]
        while self._take_joint("AND"):
            parts.append(self.sequence(depth))
        return _joined(AllOf, parts)

    def _take_joint(self, operator: str) -> bool:
        found = self._operator(self.at) == operator and self._is_joint(self.at)
        self.at += found
        return found

    def sequence(self, depth: int) -> Node | None:
        parts: list[Node | None] = []
        while self.at < len(self.tokens) and not self._is_joint(self.at):
            if self.tokens[self.at]["bracket"] == ")":
                if depth:
                    break
                self.at += 1
                continue
            parts.append(self.unit(depth))
        # Plain words make one bag, everything else is required or excluded.
        bag = tuple(word for part in parts if isinstance(part, Words) for word in part.words)
        others = [part for part in parts if not isinstance(part, Words)]
        if self.boolean:
            return _joined(AllOf, [*others, *(Words((word,)) for word in bag)])
        return _joined(AllOf, [*others, Words(bag) if bag else None])

    def unit(self, depth: int) -> Node | None:
        token = self.tokens[self.at]
        self.at += 1
        if token["bracket"]:
            node = None
            if depth < _DEPTH:
                node = self.expression(depth + 1)
                self.at += 1  # the closing bracket
        elif self._operator(self.at - 1) == "NOT" and depth < _DEPTH and self._is_operand(self.at):
            return _negated(self.unit(depth + 1))
        else:
            node = _atom(token, self.fields)
            if self.prose and isinstance(node, Phrase):
                node = Words(tuple(node.text.split()))
        return _negated(node) if token[0].startswith("-") else node


def _negated(node: Node | None) -> Node | None:
    return None if node is None else Not(node)


def _joined(kind: type[AllOf] | type[AnyOf], parts: list[Node | None]) -> Node | None:
    found = tuple(part for part in parts if part is not None)
    return kind(found) if len(found) > 1 else next(iter(found), None)


def _atom(token: re.Match[str], fields: frozenset[str]) -> Node | None:
    if token["identifier"]:
        key = identifiers.canonical(token["identifier"])
        return IdentifierQuery(key) if key else Words((token["identifier"],))
    field = (token["field"] or "").lower()
    field = _ALIASES.get(field, field)
    if field == "year" and (years := _years(token["word"] or token["quoted"] or "")):
        return years
    if field in fields:
        value = _value(token)
        return Field(field, value) if value else Words((field,))
    if field and token["word"]:
        return Words((f"{token['field']}:{token['word']}",))
    if token["sign"] == "+" and token["word"]:
        return Phrase(token["word"])
    return _value(token)


def _value(token: re.Match[str]) -> Phrase | Prefix | Words | None:
    if token["word"] is None:
        return Phrase(token["quoted"]) if token["quoted"].strip() else None
    stem = token["word"].rstrip("*")
    if not any(letter.isalnum() for letter in stem):
        return None
    return Prefix(stem) if token["word"].endswith("*") else Words((stem,))


def _years(text: str) -> Years | None:
    match = _YEARS.fullmatch(text.strip())
    if not match or not text.strip(" .-"):
        return None
    if match["sign"]:
        bound, strict = int(match["bound"]), len(match["sign"]) == 1
        return Years(bound + strict, None) if match["sign"][0] == ">" else Years(None, bound - strict)
    first, last = (int(match[name]) if match[name] else None for name in ("first", "last"))
    if first is not None and last is not None and first > last:  # the range means the same years upside down
        first, last = last, first
    return Years(first, last if match["range"] else first)
