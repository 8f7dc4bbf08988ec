"""Accepts what the servers list now: `python -m tests.mcpapi.pin_listings`."""

import json
import os
from pathlib import Path

import django

LISTINGS = Path(__file__).parent / "listings"


def as_text(tools: object) -> str:
    return json.dumps(tools, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
    django.setup()
    from mcpapi.listing.servers import SERVERS

    for name, server in SERVERS.items():
        text = as_text([tool.listing(with_app=True) for tool in server.listed])
        (LISTINGS / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
