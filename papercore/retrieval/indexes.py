"""Where the indexes of builds are: what a folder of them and a cluster both answer."""

from contextlib import AbstractContextManager
from typing import Protocol

from papercore.retrieval.index import Index


class SearchIndexes(Protocol):
    """Opens the index that fits the data. Threads may share it."""

    def open(self, build_id: str) -> Index | None:
        """The index built from this data, if there is one that can be used."""

    def problem(self, build_id: str) -> str:
        """Why the index of this data cannot be used; empty if nothing is known to be wrong."""

    def failing(self, build_id: str) -> bool:
        """Whether the index of this data is known to be unusable now. Looks at nothing and asks nobody."""

    def verify(self, build_id: str) -> None:
        """Find out now whether the index of this data is sound."""

    def verified(self, build_id: str) -> bool:
        """False while it is still being found out whether this index is sound."""

    def failures_of(self, index: Index) -> AbstractContextManager[None]:
        """Turn whatever goes wrong inside into EngineFailed, and look into it."""
