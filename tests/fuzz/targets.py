"""What is fuzzed: functions that read what a stranger wrote, each with what must hold whatever they are given."""

import asyncio
import json
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

from hypothesis import strategies as st

from ingest.bibtex.citation import read_stored_entry
from ingest.entries.entry import LocatedEntry, Problem
from ingest.matching.corrections import generated_bibtex
from ingest.matching.records import merge
from ingest.reading.inputs import reader_of
from mcpapi.transport import http
from paper_search.skills.intent_parser import RuleIntentParser
from papercore import limits, passages
from papercore.bibliography.bibtex import bibtex_entry, has_balanced_braces
from papercore.rendering.clean import clean
from papercore.rendering.markdown import MarkdownSource, convert
from papercore.retrieval.basics import query
from specs.reading.parser import parse as parse_spec
from specs.reading.validation import validate
from tests.mcpapi.sample import SAMPLE

_START_OF_PRE = re.compile(r"(<pre\b[^>]*>)\n+")
_STATUSES = {200, 202, 400, 404}
_QUERY_FIELDS = ("author", "venue", "title", "year", "keyword")


@dataclass(frozen=True)
class Target:
    """`check` raises if something is wrong. `parts` are pieces of the language that `check` reads."""

    check: Callable[[bytes], None]
    parts: Sequence[str]

    @property
    def inputs(self) -> st.SearchStrategy[bytes]:
        """Mostly texts made of these pieces, which get further than random ones."""
        pieces = st.lists(st.sampled_from(self.parts) | st.text(max_size=4), max_size=30).map("".join)
        return pieces.map(str.encode) | st.text(max_size=60).map(_encoded) | st.binary(max_size=60)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decoded(data: bytes) -> str:
    """Any text that Python can hold, lone surrogates too: JSON can bring them."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _check_envelope(data: bytes) -> None:
    """Every body gets an answer that is JSON-RPC, or none."""
    reply = http.answer(SAMPLE, data, {})
    assert reply.status in _STATUSES
    answer = json.loads(reply.body) if reply.body else None
    for single in answer if isinstance(answer, list) else [answer]:
        assert single is None or single["jsonrpc"] == "2.0"


def _check_query(data: bytes) -> None:
    node = query.parse(_decoded(data), _QUERY_FIELDS)
    query.meaning(node)
    query.is_plain(query.required(node))


class _Reader(HTMLParser):
    """Raises at the first thing that a browser could run."""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "style", "iframe", "object", "form", "svg"), tag
        for name, value in attributes:
            assert not name.startswith("on"), name
            assert name != "style"
            assert not (value or "").strip().lower().startswith(("javascript:", "data:", "vbscript:")), value


def _check_markdown(data: bytes) -> None:
    html = convert(MarkdownSource(_decoded(data).encode("utf-8", "replace").decode(), pictures="/p/")).html
    _Reader().feed(html)
    # HTML drops a line end at the start of <pre>, at each reading.
    once, twice = (_START_OF_PRE.sub(r"\1", form) for form in (html, clean(html)))
    assert once == twice


def _check_spec(data: bytes) -> None:
    for delta in (False, True):
        validate(parse_spec(_decoded(data), "a", delta=delta))


def _check_passages(data: bytes) -> None:
    """Passages are parts of the text, in order, and each is found again as a quote."""
    text = _decoded(data)
    cut_text, quotable = passages.cut(text), passages.Quotable(text)
    end = 0
    for passage in cut_text.passages:
        assert end <= passage.start < passage.end <= len(text)
        end = passage.end
        assert cut_text.find(passage.number, cut_text.check(passage)) == passage
        quote = cut_text.quote(passage)
        place = quotable.find(quote)
        assert (place is None) == (passages.visible_length(quote) == 0)
        assert place is None or 0 <= place[0] < place[1] <= len(text)


def _check_question(data: bytes) -> None:
    """Any question is an intent within the bounds of its fields."""
    asyncio.run(RuleIntentParser(this_year=2026).parse(_decoded(data)[: limits.QUERY_CHARS]))


def _check_stored_bibtex(data: bytes) -> None:
    raw = _decoded(data)
    entry = read_stored_entry(raw)
    assert entry.problem or has_balanced_braces(raw)
    assert has_balanced_braces(bibtex_entry(entry.citation, "key"))


def _check_file(ending: str) -> Callable[[bytes], None]:
    """A reader of files yields entries and problems; the BibTeX that is generated from an entry can be read."""
    path = Path(tempfile.mkdtemp(prefix="papersite-fuzz-")) / f"input.{ending}"
    read = reader_of(path)
    assert read

    def check(data: bytes) -> None:
        path.write_bytes(data)
        for item in read(path):
            assert isinstance(item, LocatedEntry | Problem)
            if isinstance(item, LocatedEntry):
                assert item.entry.title.strip()
                assert not read_stored_entry(generated_bibtex(merge([item.entry]), set()).raw).problem

    return check


# Between the pieces of a language.
_NEXT = "¦"
_ENVELOPE = (
    '{"jsonrpc":"2.0"¦,"id":1¦,"method":"tools/call"¦,"method":"ping"¦,"params":{¦"name":"echo"¦'
    ',"arguments":{"word":"a"}¦}¦[¦]¦,¦:¦"¦{¦null¦1e999¦-0¦"\\ud800"¦"cursor"¦,"method":"initialize"¦'
    '"protocolVersion":"2025-06-18"¦,"method":"resources/read"¦"uri":"note://1"'
).split(_NEXT)
_QUERY = ('(¦)¦"¦-¦+¦ OR ¦ AND ¦ NOT ¦author:¦year:¦..¦2019¦*¦ a¦10.1/x¦:¦>=').split(_NEXT)
_MARKDOWN = (
    "# ¦\n¦\n\n¦**¦_¦`¦```\n¦~~~¦[¦](¦)¦![¦<b>¦</b>¦<script>¦|¦|-|-|\n¦$¦$$¦\\(¦\\)¦\\begin{align}¦"
    "\\end{align}¦&¦&lt;¦> ¦- ¦1. ¦[^1]¦[^1]: ¦    ¦<table><tr><td>¦</table>¦- [ ] ¦http://a.b¦javascript:¦"
    "<a href=¦\\¦```mermaid\n¦\x00"
).split(_NEXT)
_SPEC = (
    "# ¦## Purpose\n¦## Requirements\n¦### Requirement: ¦#### Scenario: ¦- **WHEN** ¦- **THEN** ¦SHALL¦"
    "## ADDED Requirements\n¦## RENAMED Requirements\n¦- FROM: `¦- TO: `¦```\n¦<!--¦-->¦---\n¦\n¦* "
).split(_NEXT)
_QUESTION = (
    "since ¦after ¦between ¦ and ¦2015¦ not ¦without ¦by ¦ at ¦surveys¦of ¦last ¦five ¦ years¦ papers¦in ¦ICML¦, ¦"
    "?¦ohne ¦seit ¦sans ¦depuis ¦以来¦论文¦最近¦ à partir de ¦top ¦10¦ no ¦German"
).split(_NEXT)
_BIB = (
    "@article{¦@string{¦@comment{¦k,¦title¦author¦crossref¦ = ¦{¦}¦\"¦#¦,¦\n¦\\'e¦\\frac¦$¦\\{¦ and ¦year=¦"
    "2012¦month=jan¦\\url{¦%¦~¦@¦(¦)¦journal={\\apj}¦--"
).split(_NEXT)
_RIS = ("TY  - JOUR\n¦TI  - ¦AU  - ¦PY  - ¦DA  - ¦ER  - \n¦SP  - ¦EP  - ¦KW  - ¦\n¦\r¦&amp;¦a¦-").split(_NEXT)
_NBIB = ("PMID- 1\n¦TI  - ¦FAU - A, B\n¦DP  - 2012 Apr¦\n      ¦\n¦\n\n¦LID - 10.1/x [doi]\n¦PT  - ¦a").split(_NEXT)
_CSL = (
    '[{"title":"a"¦,"author":[{"family":"b"¦,"given":1¦}]¦,"issued":{"date-parts":[[¦2012¦]]}¦}¦]¦,¦{¦"¦[¦'
    'null¦"type":"book"¦,"DOI":¦1e9¦{"literal":¦,"page":¦999999999999999999999999999999¦"\\ud800"¦true¦:'
).split(_NEXT)

TARGETS = {
    "envelope": Target(_check_envelope, _ENVELOPE),
    "query": Target(_check_query, _QUERY),
    "markdown": Target(_check_markdown, _MARKDOWN),
    "spec": Target(_check_spec, _SPEC),
    "passages": Target(_check_passages, _MARKDOWN),
    "question": Target(_check_question, _QUESTION),
    "stored_bibtex": Target(_check_stored_bibtex, _BIB),
    "bib": Target(_check_file("bib"), _BIB),
    "ris": Target(_check_file("ris"), _RIS),
    "nbib": Target(_check_file("nbib"), _NBIB),
    "csl": Target(_check_file("json"), _CSL),
}
