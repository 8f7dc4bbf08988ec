"""The fields of a cluster's indexes, and how a document fills them.

Text is analysed here and sent as terms with blanks between them, so that every engine has the same terms.
"""

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b

import numpy as np

from papercore import limits
from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.document import Document
from papercore.retrieval.engines import fields as schema
from papercore.retrieval.engines.opensearch.address import ClusterAddress
from papercore.retrieval.engines.opensearch.cluster import Json
from papercore.retrieval.vectors.word_vectors import Matrix, Vector

# In place of a stop word: keeps the distance of the words around it, and no term has this sign.
GAP = "_"
# The part of a field that knows only whether a document has a term.
ONCE = "once"
STORED = "stored"
# Marks an index of ours with its prefix, so that no other is ever removed.
OWNER = "papersite_prefix"
# Digests of a document's id and of all of it, by which the next build tells what has changed.
DIGEST = "digest"
VECTOR, VECTOR_BYTES, SENTENCE_BYTES = "vector", "vector_bytes", "sentence_bytes"
# The index of facet values.
KIND, WORDS, NUMBER, COUNT, KEY, NAME, TABLE = "kind", "words", "number", "count", "key", "name", "table"
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
    fields: Json = {
        schema.ALL: _PROSE | {"fields": {ONCE: NAMES | {"norms": False}}},
        schema.TITLE: _PROSE,
        schema.TITLE_WORDS: NAMES,
        schema.TITLE_KEY: {"type": "keyword", "index": False},
        schema.TITLE_HASH: _LOOKED_UP,
        schema.IDENTIFIER: _LOOKED_UP,
        schema.YEAR: {"type": "integer"},
        schema.YEAR_OLDEST: {"type": "integer", "index": False},
        schema.ROW: {"type": "integer"},
        schema.STORED_ID: _LOOKED_UP,
        DIGEST: {"type": "keyword", "index": False},
        STORED: _KEPT,
        VECTOR: {"type": "knn_vector", "dimension": dimensions, "method": method},
        VECTOR_BYTES: _READ_BACK,
        SENTENCE_BYTES: _READ_BACK,
    }
    for name in facets:
        fields |= {schema.facet_field(name): {"type": "integer"}, schema.words_field(name): _PROSE}
    return index_body(address, fields, kept=[STORED])


def values_index(address: ClusterAddress) -> Json:
    """Settings and fields of the index of facet values, which also keeps the tables that a reader loads."""
    fields: Json = {
        KIND: _LOOKED_UP,
        WORDS: NAMES,
        NUMBER: {"type": "integer", "index": False},
        COUNT: {"type": "integer", "index": False},
        KEY: _LOOKED_UP,
        NAME: {"type": "keyword", "index": False, "doc_values": False},
        TABLE: _KEPT,
    }
    return index_body(address, fields, kept=[NAME, NUMBER, COUNT, TABLE])


def index_body(address: ClusterAddress, fields: Json, kept: Sequence[str]) -> Json:
    """Settings and fields of one of our indexes, which returns what is kept."""
    return {
        "settings": {
            "index": {
                "knn": True,
                "knn.algo_param.ef_search": limits.CLUSTER_NEAREST,
                "number_of_shards": address.shards,
                # Copied once, when it is complete.
                "number_of_replicas": 0,
                "refresh_interval": -1,
                "max_result_window": limits.INDEX_OFFSET + 2 * limits.INDEX_HITS,
            },
            "analysis": _TERMS,
        },
        "mappings": {
            "dynamic": "strict",
            "_meta": {OWNER: address.prefix},
            "_source": {"includes": kept},
            "properties": fields,
        },
    }


def id_digest(document_id: str) -> str:
    return _digest(document_id)


def document_digest(document: Document) -> str:
    """Changes when anything in the document does."""
    facets = [(name, list(values)) for name, values in sorted(document.facets.items()) if values]
    fields = [document.title, document.text, document.body, document.year, list(document.identifiers), facets]
    passages = [(passage.text, passage.headings, passage.payload.hex()) for passage in document.passages]
    return _digest(json.dumps([*fields, document.payload.hex(), passages]))


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def fill_document(document: Document, row: int, numbers: Mapping[str, Sequence[int]]) -> Json:
    """A document for the index; `numbers` are those of its facet values."""
    title = analysis.with_cjk_pairs(document.title)
    entry: Json = {
        schema.ALL: [prose(text) for text in schema.searched_texts(document, numbers)],
        schema.TITLE: prose(title),
        schema.TITLE_WORDS: " ".join(analysis.name_terms(title)),
        schema.TITLE_KEY: analysis.value_key(document.title)[: schema.TITLE_KEY_CHARS],
        schema.TITLE_HASH: str(analysis.key_hash(document.title)),
        schema.IDENTIFIER: schema.identifier_keys(document),
        schema.YEAR: document.year or schema.NO_YEAR,
        schema.YEAR_OLDEST: document.year or schema.LAST_YEAR + 1,
        schema.ROW: row,
        schema.STORED_ID: document.id,
        DIGEST: f"{id_digest(document.id)}:{document_digest(document)}",
        STORED: _stored(document, numbers),
    }
    for name, found in numbers.items():
        values = document.facets.get(name, ())
        entry[schema.facet_field(name)] = list(found)
        entry[schema.words_field(name)] = [" ".join(analysis.name_terms(analysis.with_cjk_pairs(v))) for v in values]
    return entry


def _stored(document: Document, facets: Iterable[str]) -> Json:
    return {
        schema.STORED_ID: document.id,
        schema.STORED_TITLE: analysis.clean(document.title),
        schema.STORED_TEXT: analysis.clean(document.text),
        schema.STORED_BODY: analysis.clean(document.body),
        schema.STORED_VALUES: [analysis.clean(schema.VALUE_END.join(document.facets.get(name, ()))) for name in facets],
        schema.STORED_PAYLOAD: base64.b64encode(document.payload).decode(),
    }


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


def vector_fields(vector: Vector) -> Json:
    """A document's vector, to be searched and to be read back. One of zeros is near nothing, and is not searched."""
    searched = {VECTOR: vector.tolist()} if vector.any() else {}
    return {VECTOR_BYTES: encoded(vector), **searched}


def encoded(vector: Matrix) -> str:
    return base64.b64encode(np.asarray(vector, dtype="<f4").tobytes()).decode()


def decoded(text: str) -> Vector:
    """A vector as it was encoded, or as the cluster repeats it, without the signs that fill up the end."""
    return np.frombuffer(base64.b64decode(text + "=" * (-len(text) % 4)), dtype="<f4")
