"""Which people and venues the library knows: a name in a text counts as one only if it is known."""

from collections.abc import Sequence
from functools import cached_property

from paper_search.domains import VENUE_NAMES
from paper_search.sources.interface import MENTIONS, Library
from papercore.text import without_accents


class KnownNames:
    """Read from the library when a name is first asked for; without a library nobody is known."""

    def __init__(self, library: Library | None = None) -> None:
        self.library = library

    def is_author(self, name: str) -> bool:
        """By full name, or by family name alone."""
        plain = _plain(name)
        return plain in self._authors or plain in self._families

    def is_full_name(self, name: str) -> bool:
        return _plain(name) in self._authors

    def is_venue(self, name: str) -> bool:
        return _plain(name) in self._venues

    def is_plain_word(self, name: str) -> bool:
        """Whether so many papers have the word that it need not be a name: `German`."""
        return self.library is not None and len(self.library.mentions(name)) >= MENTIONS

    @cached_property
    def _authors(self) -> frozenset[str]:
        """Each name also without its initials: `Emily Bender` for `Emily M. Bender`."""
        names = self._names("author")
        short = (" ".join(part for part in name.split() if len(part) > 1) for name in names)
        return frozenset((*names, *short))

    @cached_property
    def _families(self) -> frozenset[str]:
        return frozenset(name.split()[-1] for name in self._authors if " " in name)

    @cached_property
    def _venues(self) -> frozenset[str]:
        return frozenset((*self._names("venue"), *VENUE_NAMES))

    def _names(self, facet: str) -> Sequence[str]:
        return [plain for name in (self.library.names(facet) if self.library else ()) if (plain := _plain(name))]


def _plain(name: str) -> str:
    return " ".join(without_accents(name).lower().replace(".", "").split())
