"""The assets of the snapshot in use, read from the store that the settings name."""

from functools import cache

from django.conf import settings

from papercore.snapshot.assets import AssetStore, FolderStore
from papers.snapshot.errors import AssetParseFailed


@cache
def store_at(location: str) -> AssetStore:
    """The store in a folder or at a URL."""
    if "://" not in location:
        return FolderStore(location)
    # Here, because httpx takes long to load, and most sites have a folder.
    from papers.snapshot.url_store import UrlStore

    return UrlStore(location)


def store() -> AssetStore:
    """The store that the settings name."""
    return store_at(str(settings.ASSETS))


def read_text(key: str) -> str:
    try:
        return store().read(key).decode("utf-8")
    except UnicodeDecodeError:
        raise AssetParseFailed("The asset is not UTF-8 text.") from None
