"""Which rows documents have after an update: those that stay keep theirs, and no row is left empty."""

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct


class RowPlan(Struct, frozen=True):
    """`rows`: of every document that is written, new, changed or moved; `moved`: from which row to which."""

    rows: dict[str, int]
    moved: dict[int, int]
    total: int


def plan_rows(before: int, known: Mapping[str, int], present: Collection[str], id_at: Callable[[int], str]) -> RowPlan:
    """Rows for the documents in `present`; of those in `known`, which have rows, the others go.

    Documents that go make room for new ones. If more go than come, the last documents move up.
    """
    free = sorted(row for key, row in known.items() if key not in present)
    new = [key for key in present if key not in known]
    total = before - len(free) + len(new)
    ends: Sequence[int] = [*free[: len(new)], *range(before, total)]
    rows = {key: row for key, row in known.items() if key in present}
    rows |= dict(zip(new, ends, strict=True))
    left = set(free[len(new) :])
    holes = iter(sorted(row for row in left if row < total))
    by_row = {row: key for key, row in rows.items()}
    moved: dict[int, int] = {}
    for row in range(total, before):
        if row not in left:
            moved[row] = next(holes)
            rows[by_row.get(row) or id_at(row)] = moved[row]
    return RowPlan(rows, moved, total)
