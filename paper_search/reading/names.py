"""Which people and venues the library knows: a name in a text counts as one only if it is known."""

from collections.abc import Sequence
from functools import cached_property

from paper_search.sources.interface import MENTIONS, Library
from papercore.bibliography.venues import VENUE_NAMES
from papercore.text import without_accents

# A family name that more papers have among their words may be meant as a word: `Brown` is a corpus too.
FEW_PAPERS = 5
_LANGUAGES = frozenset(
    """
    afrikaans amharic arabic armenian assamese basque bengali breton bulgarian burmese cantonese catalan chinese
    croatian czech danish dutch english esperanto estonian finnish french galician georgian german greek gujarati
    hausa hebrew hindi hungarian icelandic igbo indonesian irish italian japanese kannada kazakh khmer korean
    kurdish lao latin latvian lithuanian malay malayalam maltese mandarin maori marathi mongolian nepali norwegian
    pashto persian polish portuguese punjabi quechua romanian russian sanskrit serbian sinhala slovak slovene
    slovenian somali spanish swahili swedish tagalog tamil telugu thai tibetan turkish ukrainian urdu uyghur uzbek
    vietnamese welsh yiddish yoruba zulu
    """.split()  # noqa: SIM905 - a list of eighty quoted words would be harder to read
)


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

    def is_only_author(self, name: str) -> bool:
        """Whether it can be nothing but a person: written as a name, known, and no word of the library's papers."""
        as_name = name[:1].isupper() and not name.isupper()
        return as_name and (self.is_full_name(name) or (self.is_author(name) and not self.is_word(name, FEW_PAPERS)))

    def is_venue(self, name: str) -> bool:
        return _plain(name) in self._venues

    def is_word(self, name: str, papers: int = MENTIONS) -> bool:
        """Whether so many papers have the name among their words that it need not be one: `German`."""
        return is_language(name) or (self.library is not None and len(self.library.mentions(name)) >= papers)

    def is_phrase(self, text: str) -> bool:
        """Whether a paper has several words as they are, as it has `skip connections`."""
        return " " in text and self.library is not None and bool(self.library.mentions(text))

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


def is_language(name: str) -> bool:
    return name.lower() in _LANGUAGES


def _plain(name: str) -> str:
    return " ".join(without_accents(name).lower().replace(".", "").split())
