"""Settings that write to stdout in every way there is, to show that the protocol's stdout stays clean."""

import os

from papersite.settings import *  # noqa: F403

print("settings are read")
os.write(1, b"and below Python, too\n")

LOGGING = {
    "version": 1,
    "handlers": {"out": {"class": "logging.StreamHandler", "stream": "ext://sys.stdout"}},
    "root": {"handlers": ["out"], "level": "DEBUG"},
}
