"""Lets the person who starts a site for themselves add papers in the browser."""

import os

from papercore.caller import is_loopback
from papersite.environment import source_of

_SETTING = "PAPERSITE_LIBRARY_CHANGES"


def allow_local_changes(host: str) -> None:
    """On a site that only this machine reaches, unless the settings say who may. Call it before anything is served."""
    if is_loopback(host) and source_of(_SETTING) == "default":
        os.environ[_SETTING] = "local"
