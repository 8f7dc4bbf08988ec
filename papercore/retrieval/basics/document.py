"""The documents of an index: text, identifiers, facets and a stored payload."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from msgspec import Struct, field


class PassageEntry(Struct, frozen=True):
    """A passage of a document: a few sentences that are found by themselves, and the headings above them."""

    text: str
    headings: str = ""
    # Returned when it is found, as it is: it tells where the passage is.
    payload: bytes = b""


class Document(Struct, frozen=True):
    """Something to be found. `text` is searched by words and meaning, `body` by words only."""

    id: str
    title: str
    text: str = ""
    body: str = ""
    year: int | None = None
    identifiers: tuple[str, ...] = ()
    facets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Returned with each hit as it is.
    payload: bytes = b""
    passages: Sequence[PassageEntry] = ()

    def digest(self) -> bytes:
        """Changes exactly when the document's meaning may have changed."""
        return blake2b(f"{self.title}\0{self.text}".encode("utf-8", "replace"), digest_size=16).digest()
