"""The facet values of a generation: their spellings, how hits with each are counted, and how one is completed."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypedDict

import numpy as np
import tantivy
from msgspec import Struct
from numpy.typing import NDArray
from tantivy import FieldType, Occur, Query

from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.analysis import same_value_key
from papercore.retrieval.basics.request import Completion, Count, Request
from papercore.retrieval.engines import fields
from papercore.retrieval.engines.embedded import folder
from papercore.retrieval.engines.embedded.folder import link_files
from papercore.retrieval.engines.embedded.word_index import new_index, open_index, open_to_write
from papercore.retrieval.engines.fields import Bucket, ValueNumbers, commonest
from papercore.retrieval.vectors.arrays import map_array

NAMES, OFFSETS, KEYS, ORDER = "names.npy", "offsets.npy", "keys.npy", "order.npy"
# How many times more values are asked for than returned, so that ties are broken by name.
MARGIN = 3
# Values that each segment of the index reports at first, which takes half of the time; and more than any facet has.
PER_SEGMENT, EVERY = 2_000, 2**31
# The index of values, by which one is completed.
KIND, WORDS, NUMBER, COUNT = "kind", "words", "number", "count"
HEAP_BYTES = 50_000_000
# Words that an unfinished one may be completed to.
COMPLETIONS = 50


class FacetValueTable(Struct, frozen=True):
    """The values of one facet, by their numbers."""

    names: NDArray[np.uint8]
    offsets: NDArray[np.uint32]
    # Hashes of the folded names in ascending order, and the numbers of their values.
    keys: NDArray[np.uint64]
    order: NDArray[np.uint32]

    @classmethod
    def open(cls, folder: Path) -> "FacetValueTable":
        return cls(*(map_array(folder / name) for name in (NAMES, OFFSETS, KEYS, ORDER)))

    @classmethod
    def empty(cls) -> "FacetValueTable":
        nothing, start = np.zeros(0, dtype=np.uint8), np.zeros(1, dtype=np.uint32)
        return cls(nothing, start, nothing.astype(np.uint64), nothing.astype(np.uint32))

    def write(self, folder: Path, new_names: Iterable[str]) -> None:
        """Write these values and behind them new ones, which get the next numbers."""
        encoded = [name.encode() for name in new_names]
        ends = int(self.offsets[-1]) + np.cumsum([len(name) for name in encoded], dtype=np.int64)
        new_keys = np.array([analysis.key_hash(name) for name in new_names], dtype=np.uint64)
        keys = np.concatenate([self.keys, new_keys])
        numbers = np.concatenate([self.order, np.arange(len(self.order), len(keys), dtype=np.uint32)])
        ascending = np.argsort(keys, kind="stable")
        folder.mkdir(parents=True)
        np.save(folder / NAMES, np.concatenate([self.names, np.frombuffer(b"".join(encoded), dtype=np.uint8)]))
        np.save(folder / OFFSETS, np.concatenate([self.offsets, ends.astype(np.uint32)]))
        np.save(folder / KEYS, keys[ascending])
        np.save(folder / ORDER, numbers[ascending])

    def name(self, number: int) -> str:
        """The spelling of a value."""
        return self.names[self.offsets[number] : self.offsets[number + 1]].tobytes().decode()

    def numbers(self, value: str) -> Sequence[int]:
        """The number of this value; if there is none, those of the values that differ only by accents."""
        key = np.uint64(analysis.key_hash(value))
        first, last = np.searchsorted(self.keys, key, "left"), np.searchsorted(self.keys, key, "right")
        alike: list[int] = self.order[first:last].tolist()
        same = [number for number in alike if same_value_key(self.name(number)) == same_value_key(value)]
        return same or alike

    def written(self, value: str) -> str | None:
        """The spelling of a value that is given in any case; None if there is no such value."""
        numbers = self.numbers(value)
        return self.name(numbers[0]) if numbers else None


class GrowingValues:
    """The values of one facet in an update: the known ones keep their numbers and spellings, new ones follow."""

    def __init__(self, known: FacetValueTable) -> None:
        self._known = known
        self._new: dict[str, int] = {}
        self._new_names: list[str] = []
        # By how many documents the count of each value changes.
        self.changes: Counter[int] = Counter()

    def add(self, values: Iterable[str]) -> list[int]:
        """Count the values of a document that comes; their numbers, each once."""
        found = list(dict.fromkeys(map(self._number, values)))
        self.changes.update(found)
        return found

    def remove(self, values: Iterable[str]) -> None:
        """Count the values of a document that goes."""
        self.changes.subtract(set(map(self._number, values)))

    def name(self, number: int) -> str:
        known = len(self._known.order)
        return self._known.name(number) if number < known else self._new_names[number - known]

    def _number(self, value: str) -> int:
        key = same_value_key(value)
        alike = self._known.numbers(value)
        same = next((number for number in alike if same_value_key(self._known.name(number)) == key), None)
        if same is not None:
            return same
        if key not in self._new:
            self._new[key] = len(self._known.order) + len(self._new_names)
            self._new_names.append(analysis.clean(value))
        return self._new[key]

    def write(self, folder: Path) -> None:
        self._known.write(folder, self._new_names)


class FacetTerms(TypedDict):
    """What tantivy answers about a facet."""

    buckets: list[Bucket]
    # The highest count of a value that a segment has not reported.
    doc_count_error_upper_bound: int


def facet_counts(
    searcher: tantivy.Searcher, query: tantivy.Query, tables: Mapping[str, FacetValueTable], request: Request
) -> dict[str, tuple[Count, ...]]:
    """For each facet that the request asks for, the commonest values among the query's hits; `year` may be one."""

    def terms_of(names: Iterable[str], per_segment: int) -> dict[str, FacetTerms]:
        asked = {}
        for name in names:
            field = fields.YEAR if name == fields.YEAR else fields.facet_field(name)
            size = MARGIN * request.counted(name) + 1  # one more for the unknown year
            asked[name] = {"terms": {"field": field, "size": size, "segment_size": max(per_segment, size)}}
        return searcher.aggregate(query, asked) if asked else {}

    def may_be_wrong(name: str) -> bool:
        """Whether a segment has kept back values that would be shown, or would add to those that are."""
        kept_back = found[name]["doc_count_error_upper_bound"]
        shown = found[name]["buckets"][: request.counted(name) + 1]
        return bool(kept_back) and (searcher.num_segments > 1 or any(each["doc_count"] <= kept_back for each in shown))

    known = [name for name in request.facets if name == fields.YEAR or name in tables]
    found = terms_of(known, PER_SEGMENT)
    found |= terms_of(filter(may_be_wrong, known), EVERY)
    counts: dict[str, tuple[Count, ...]] = dict.fromkeys(request.facets, ())
    for name in known:
        buckets, limit = found[name]["buckets"], request.counted(name)
        if name == fields.YEAR:
            counts[name] = commonest([each for each in buckets if each["key"] != fields.NO_YEAR], limit, str)
        else:
            counts[name] = commonest(buckets, limit, tables[name].name)
    return counts


def write_completions(path: Path, values: Mapping[str, ValueNumbers]) -> None:
    """Index the words of the distinct facet values, with their numbers and counts."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field(KIND, tokenizer_name="verbatim", index_option="basic")
    builder.add_text_field(WORDS, tokenizer_name="name", index_option="basic")
    builder.add_unsigned_field(NUMBER, fast=True)
    builder.add_unsigned_field(COUNT, fast=True)
    writer = new_index(path / folder.SUGGESTIONS, builder.build()).writer(HEAP_BYTES, 1)
    for kind, numbered in values.items():
        for number, (name, count) in enumerate(zip(numbered.names, numbered.counts, strict=True)):
            writer.add_document(_completion_entry(kind, number, name, count))
    writer.commit()
    writer.wait_merging_threads()


def update_completions(before: Path, path: Path, values: Mapping[str, GrowingValues]) -> None:
    """The index of the values before, with those whose counts changed written again."""
    link_files(before / folder.SUGGESTIONS, path / folder.SUGGESTIONS)
    index = open_to_write(path / folder.SUGGESTIONS)
    searcher, writer = index.searcher(), index.writer(HEAP_BYTES, 1)
    for kind, growing in values.items():
        for number, change in growing.changes.items():
            if not change:
                continue
            one_number = Query.range_query(index.schema, NUMBER, FieldType.Unsigned, number, number)
            same = [(Occur.Must, Query.term_query(index.schema, KIND, kind)), (Occur.Must, one_number)]
            found = searcher.search(Query.boolean_query(same), 1, count=False, order_by_field=COUNT).hits
            count = change + (int(found[0][0]) if found else 0)
            writer.delete_documents_by_query(Query.boolean_query(same))
            if count > 0:
                writer.add_document(_completion_entry(kind, number, growing.name(number), count))
    writer.commit()
    writer.wait_merging_threads()


def _completion_entry(kind: str, number: int, name: str, count: int) -> tantivy.Document:
    entry = tantivy.Document()
    entry.add_text(KIND, kind)
    entry.add_text(WORDS, analysis.with_cjk_pairs(name))
    entry.add_unsigned(NUMBER, number)
    entry.add_unsigned(COUNT, count)
    return entry


class CompletionIndex:
    """The suggestions of one opened index."""

    def __init__(self, path: Path, values: Mapping[str, FacetValueTable]) -> None:
        self._index = open_index(path / folder.SUGGESTIONS)
        self._searcher = self._index.searcher()
        self._values = values

    def find(self, prefix: str, kind: str, limit: int) -> list[Completion]:
        """The commonest values with all the words, the last of which may be unfinished."""
        query = prefix_query(self._index.schema, self._searcher, WORDS, prefix)
        if query is None or kind not in self._values:
            return []
        wanted = Query.term_query(self._index.schema, KIND, kind)
        both = Query.boolean_query([(Occur.Must, query), (Occur.Must, wanted)])
        found = self._searcher.search(both, limit, count=False, order_by_field=COUNT)
        numbers = self._searcher.fast_field_values(NUMBER, [address for _, address in found.hits])
        names = [self._values[kind].name(int(number or 0)) for number in numbers]
        return [Completion(kind, name, int(count)) for name, (count, _) in zip(names, found.hits, strict=True)]


def prefix_query(schema: tantivy.Schema, searcher: tantivy.Searcher, field: str, text: str) -> Query | None:
    """Matches all words typed so far in a field of names; the last may be unfinished. None without words."""
    *whole, last = analysis.name_terms(text) or [""]
    if not last:
        return None
    endings = searcher.terms_with_prefix(field, last, limit=COMPLETIONS)
    terms = [(Occur.Must, Query.term_query(schema, field, term)) for term in whole]
    ended = [term for term, _ in endings]
    return Query.boolean_query([*terms, (Occur.Must, Query.term_set_query(schema, field, ended))])
