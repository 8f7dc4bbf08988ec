"""The snapshot being served: a replaced file is picked up between requests, never within one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import DatabaseError, connections

from papercore.snapshot_file import SnapshotFacts
from papercore.tool import tool
from papers.errors import QueryTimeout, SnapshotUnavailable
from papers.router import ALIAS
from papers.snapshot.backend.base import DatabaseWrapper
from papers.snapshot.backend.base import served_file as served_file

P = ParamSpec("P")
R = TypeVar("R")


def connection() -> DatabaseWrapper:
    wrapper = connections[ALIAS]
    assert isinstance(wrapper, DatabaseWrapper)  # noqa: S101 (tells mypy what the settings say)
    return wrapper


def renew(**_: object) -> None:
    """Between requests: notice a replaced file, and switch this thread to it."""
    served_file().refresh()
    connection().drop_if_replaced()


def facts() -> SnapshotFacts:
    """What the snapshot this thread reads contains."""
    with reading():
        return connection().facts()


@contextmanager
def reading() -> Iterator[None]:
    """Turn database errors into tool errors."""
    try:
        yield
    except DatabaseError as error:
        if "interrupted" in str(error):
            raise QueryTimeout("The query took too long and was stopped: make it narrower.") from error
        raise SnapshotUnavailable("The paper library cannot be read right now.") from error


def paper_tool(function: Callable[P, R]) -> Callable[P, R]:
    """A tool that reads the snapshot."""

    @wraps(function)
    def read(*args: P.args, **kwargs: P.kwargs) -> R:
        with reading():
            return function(*args, **kwargs)

    return tool(read)
