"""Decides whether documents match a clause from which of its single parts they match."""

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from papercore.retrieval.engines.clauses import AllMatch, AnyMatch, Boosted, Clause, Scored

Matches = NDArray[np.bool_]


def single_parts(clause: Clause) -> Iterator[Clause]:
    """The clauses that it is made of in the end, some of them perhaps several times."""
    match clause:
        case AnyMatch(parts):
            joined = parts
        case AllMatch(parts, filters, excluded):
            joined = (*parts, *filters, *excluded)
        case Boosted(part) | Scored(part):
            joined = (part,)
        case _:
            yield clause
            return
    for part in joined:
        yield from single_parts(part)


def matches(clause: Clause, known: Mapping[Clause, Matches]) -> Matches:
    """Which documents match, given which of them match each single part."""
    match clause:
        case AnyMatch(parts, at_least):
            return np.asarray(sum(matches(part, known).astype(np.int64) for part in parts) >= at_least)
        case AllMatch(parts, filters, excluded):
            required = [matches(part, known) for part in (*parts, *filters)]
            allowed = [~matches(part, known) for part in excluded]
            return np.asarray(np.logical_and.reduce([*required, *allowed]), dtype=np.bool_)
        case Boosted(part) | Scored(part):
            return matches(part, known)
    return known[clause]
