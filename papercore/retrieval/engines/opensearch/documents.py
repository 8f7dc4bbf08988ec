"""The fields of a cluster's indexes, and how a document fills them.

Text is analysed here and sent as terms with blanks between them, so that every engine has the same terms.
"""

import base64
from collections.abc import Mapping, Sequence
from hashlib import blake2b

from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.coined import coined_names
from papercore.retrieval.basics.request import INDEX_HITS, INDEX_OFFSET, Document
from papercore.retrieval.engines import fields
from papercore.retrieval.engines.opensearch import ClusterAddress
from papercore.retrieval.engines.opensearch.cluster import Json

# In place of a stop word: keeps the distance of the words around it, and no term has this sign.
GAP = "_"
# The part of a field that knows only whether a document has a term.
ONCE = "once"
STORED = "stored"
# Marks an index of ours with its prefix, so that no other is ever removed.
OWNER = "papersite_prefix"
VECTOR, VECTOR_BYTES = "vector", "vector_bytes"
# The sentence model's vector, and a digest of what it is the vector of, by which the next build finds it.
SENTENCE_BYTES, SENTENCE_KEY = "sentence_bytes", "sentence_key"
# The index of facet values.
KIND, WORDS, NUMBER, COUNT, KEY, NAME, TABLE = "kind", "words", "number", "count", "key", "name", "table"
# The most documents that are asked for by meaning; as many candidates are compared.
NEAREST = 1_000
# As many links as Lucene makes by default, and enough candidates that hardly any near document is missed.
LINKS, CANDIDATES = 16, 128

_TERMS = {
    "analyzer": {"terms": {"type": "custom", "tokenizer": "whitespace", "filter": ["gaps"]}},
    "filter": {"gaps": {"type": "stop", "stopwords": [GAP]}},
}
# Terms of one value never stand beside those of the next.
_PROSE: Json = {"type": "text", "analyzer": "terms", "position_increment_gap": 1}
# Words whose order does not matter.
NAMES: Json = {"type": "text", "analyzer": "terms", "index_options": "docs"}
_LOOKED_UP: Json = {"type": "keyword", "doc_values": False}
_READ_BACK: Json = {"type": "binary", "doc_values": True}
# Neither searched nor counted, only returned.
_KEPT: Json = {"type": "object", "enabled": False}


def papers_index(address: ClusterAddress, facets: Sequence[str], dimensions: int) -> Json:
    """Settings and fields of the index of documents."""
    method = {
        "name": "hnsw",
        "engine": "lucene",
        "space_type": "innerproduct",
        "parameters": {"m": LINKS, "ef_construction": CANDIDATES},
    }
    properties: Json = {
        fields.ALL: _PROSE | {"fields": {ONCE: NAMES | {"norms": False}}},
        fields.TITLE: _PROSE,
        fields.TITLE_WORDS: NAMES,
        fields.TITLE_KEY: {"type": "keyword", "index": False},
        fields.TITLE_HASH: _LOOKED_UP,
        fields.IDENTIFIER: _LOOKED_UP,
        fields.COINED: _LOOKED_UP,
        fields.YEAR: {"type": "integer"},
        fields.YEAR_OLDEST: {"type": "integer", "index": False},
        fields.ROW: {"type": "integer"},
        fields.STORED_ID: _LOOKED_UP,
        STORED: _KEPT,
        VECTOR: {"type": "knn_vector", "dimension": dimensions, "method": method},
        VECTOR_BYTES: _READ_BACK,
        SENTENCE_BYTES: _READ_BACK,
        SENTENCE_KEY: {"type": "keyword"},
    }
    for name in facets:
        properties |= {fields.facet_field(name): {"type": "integer"}, fields.words_field(name): _PROSE}
    return index_body(address, properties, kept=[STORED])


def values_index(address: ClusterAddress) -> Json:
    """Settings and fields of the index of facet values, which also keeps the tables that a reader loads."""
    properties: Json = {
        KIND: _LOOKED_UP,
        WORDS: NAMES,
        NUMBER: {"type": "integer", "index": False},
        COUNT: {"type": "integer", "index": False},
        KEY: _LOOKED_UP,
        NAME: {"type": "keyword", "index": False, "doc_values": False},
        TABLE: _KEPT,
    }
    return index_body(address, properties, kept=[NAME, NUMBER, COUNT, TABLE])


def index_body(address: ClusterAddress, properties: Json, kept: Sequence[str]) -> Json:
    """Settings and fields of one of our indexes, which returns what is kept."""
    return {
        "settings": {
            "index": {
                "knn": True,
                "knn.algo_param.ef_search": NEAREST,
                "number_of_shards": address.shards,
                # Copied once, when it is complete.
                "number_of_replicas": 0,
                "refresh_interval": -1,
                "max_result_window": INDEX_OFFSET + 2 * INDEX_HITS,
            },
            "analysis": _TERMS,
        },
        "mappings": {
            "dynamic": "strict",
            "_meta": {OWNER: address.prefix},
            "_source": {"includes": kept},
            "properties": properties,
        },
    }


def digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def fill_document(document: Document, row: int, numbers: Mapping[str, Sequence[int]]) -> Json:
    """A document for the index; `numbers` are those of its facet values."""
    title = analysis.with_cjk_pairs(document.title)
    entry: Json = {
        fields.ALL: [prose(text) for text in fields.searched_texts(document, numbers)],
        fields.TITLE: prose(title),
        fields.TITLE_WORDS: " ".join(analysis.name_terms(title)),
        fields.TITLE_KEY: analysis.value_key(document.title)[: fields.TITLE_KEY_CHARS],
        fields.TITLE_HASH: str(analysis.key_hash(document.title)),
        fields.IDENTIFIER: fields.identifier_keys(document),
        fields.COINED: sorted(coined_names(document.title, document.text)),
        fields.YEAR: document.year or fields.NO_YEAR,
        fields.YEAR_OLDEST: document.year or fields.LAST_YEAR + 1,
        fields.ROW: row,
        fields.STORED_ID: document.id,
        STORED: {
            fields.STORED_ID: document.id,
            fields.STORED_TITLE: analysis.clean(document.title),
            fields.STORED_TEXT: analysis.clean(document.text),
            fields.STORED_BODY: analysis.clean(document.body),
            fields.STORED_VALUES: [
                analysis.clean(fields.VALUE_END.join(document.facets.get(name, ()))) for name in numbers
            ],
            fields.STORED_PAYLOAD: base64.b64encode(document.payload).decode(),
        },
    }
    for name, found in numbers.items():
        values = document.facets.get(name, ())
        entry[fields.facet_field(name)] = list(found)
        entry[fields.words_field(name)] = [" ".join(analysis.name_terms(analysis.with_cjk_pairs(v))) for v in values]
    return entry


def prose(text: str) -> str:
    """The terms of a text with CJK pairs, as they are sent."""
    return spaced(analysis.placed_terms(text))


def spaced(placed_terms: Sequence[tuple[int, str]]) -> str:
    """Terms with blanks between them, and a sign for each place between them that is empty."""
    words: list[str] = []
    first = placed_terms[0][0] if placed_terms else 0
    for place, term in placed_terms:
        words += [GAP] * (place - first - len(words))
        words.append(term)
    return " ".join(words)
