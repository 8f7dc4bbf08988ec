"""Matches new entries with the papers of a library, by the same rules as within a build."""

from collections.abc import Callable, Collection, Iterable

from ingest.entries.entry import PaperEntry
from ingest.matching.keys import keys_of
from ingest.matching.matcher import Matcher
from ingest.publishing.stored_papers import StoredPaper, StoredPapers

# Called with the number that a paper of the library got.
FoundPaper = Callable[[int, PaperEntry], None]


class LibraryMatcher(Matcher):
    """Reads a paper of the library when an entry comes that may be about it."""

    def __init__(self, stored: StoredPapers, left_out: Collection[str] = ()) -> None:
        super().__init__()
        self.on_found: FoundPaper = lambda number, entry: None
        self._stored = stored
        self._number_of_id: dict[str, int | None] = dict.fromkeys(left_out)
        self._known: dict[int, StoredPaper] = {}

    def number_of(self, entry: PaperEntry, file_number: int) -> int:
        by_key = self._stored.with_keys(key.text for key in keys_of(entry))
        self.take_in([*by_key, *self._stored.with_title(entry.title)])
        return super().number_of(entry, file_number)

    def take_in(self, paper_ids: Iterable[str]) -> None:
        """Let entries join these papers of the library."""
        new = [paper_id for paper_id in dict.fromkeys(paper_ids) if paper_id not in self._number_of_id]
        found = [paper for paper in map(self._stored.read, new) if paper]
        for paper in sorted(found, key=lambda paper: paper.rowid):
            number = self.add_known(paper.entry, paper.keys)
            self._number_of_id[paper.paper_id] = number
            self._known[number] = paper
            self.on_found(number, paper.entry)

    def known(self) -> dict[int, list[StoredPaper]]:
        """The papers of the library by number; more than one where an entry showed that they are the same."""
        found: dict[int, list[StoredPaper]] = {}
        for number, paper in self._known.items():
            found.setdefault(self.root(number), []).append(paper)
        return found
