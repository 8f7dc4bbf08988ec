"""The site that was started last on the data folder, as commands in other processes must know it."""

from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.core.management import CommandError
from django.utils.crypto import salted_hmac
from msgspec import DecodeError, Struct, json

NOTE = "served.json"
DEFAULT_SITE = "http://127.0.0.1:8000"


class ServedSite(Struct, frozen=True):
    address: str
    # Whether the owner's link opens it.
    has_owner: bool
    # Tells secret keys apart without telling what they are.
    key_mark: str


def note(address: str) -> None:
    """Where there is nothing to write to, commands ask for the address."""
    if not address.startswith("http"):  # a socket that is no port
        return
    for everywhere in ("//0.0.0.0:", "//[::]:"):
        address = address.replace(everywhere, "//127.0.0.1:")
    site = ServedSite(address, settings.LIBRARY_CHANGES == "local", key_mark())
    with suppress(OSError):
        (Path(settings.DATA) / NOTE).write_bytes(json.encode(site))


def noted() -> ServedSite | None:
    try:
        return json.decode((Path(settings.DATA) / NOTE).read_bytes(), type=ServedSite)
    except (OSError, DecodeError):
        return None


def key_mark() -> str:
    return salted_hmac("papersite.data.served_site", "key").hexdigest()[:16]


def site_address(given: str | None) -> str:
    """The address that was given to a command, or else where the site was started last."""
    if given:
        return given.rstrip("/")
    if settings.HTTPS:
        raise CommandError("Name the address that people use: --site https://...")
    site = noted()
    return site.address if site else DEFAULT_SITE
