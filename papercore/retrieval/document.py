"""What goes into an index: documents with text, identifiers, facets and a stored payload."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b


@dataclass(frozen=True)
class Document:
    """One thing to be found. `text` gives its meaning; `body` is searched by words only."""

    id: str
    title: str
    text: str = ""
    body: str = ""
    year: int | None = None
    identifiers: tuple[str, ...] = ()
    facets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Returned with each hit, unread.
    payload: bytes = b""

    def digest(self) -> bytes:
        """Changes exactly when the document's meaning may have changed."""
        return blake2b(f"{self.title}\0{self.text}".encode("utf-8", "replace"), digest_size=16).digest()
