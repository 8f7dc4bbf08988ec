"""The assets of the snapshot being served, in the folder or at the URL that the settings name."""

from functools import cache

from django.conf import settings

from papercore.snapshot.assets import AssetStore, FolderStore
from papers.snapshot.errors import AssetParseFailed


@cache
def store_at(location: str) -> AssetStore:
    """The store in a folder or at a URL; one for each, because it keeps connections."""
    if "://" not in location:
        return FolderStore(location)
    # Here, because most sites have a folder, and none of those needs an HTTP client to show a page.
    from papers.snapshot.url_store import UrlStore

    return UrlStore(location)


def store() -> AssetStore:
    """The store that the settings name."""
    return store_at(str(settings.ASSETS))


def read_text(key: str, from_store: AssetStore | None = None) -> str:
    """An asset of the store given, else of the one that is served."""
    try:
        return (from_store or store()).read(key).decode("utf-8")
    except UnicodeDecodeError:
        raise AssetParseFailed("The asset is not UTF-8 text.") from None
