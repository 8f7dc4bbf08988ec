"""`papersite settings`: every setting with its value and where it comes from; secrets are masked."""

import re
from collections.abc import Mapping
from pathlib import Path

from django.conf import settings

from papersite.configuration import environment, files

MASK = "********"
_SECRET = re.compile(r"SECRET|PASSWORD|TOKEN|API_KEY")
_CREDENTIALS = re.compile(r"(?<=://)[^/@]*@")


def rows() -> list[tuple[str, str, str]]:
    """Name, value and source of each, in the order of their names."""
    # Read before what was recorded, because reading them records it.
    used = {files.VARIABLE: settings.CONFIG, **environment.READ}
    return [(name, shown(name, used[name]), environment.source_of(name)) for name in sorted(used) if name.isupper()]


def shown(name: str, value: object) -> str:
    """A value as it would be written, without what must stay secret."""
    if value in ("", None, []):
        return "-"
    if _SECRET.search(name):
        return MASK
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Mapping):
        if str(value["ENGINE"]).endswith("sqlite3"):
            return f"sqlite:///{value['NAME']}"
        return f"postgresql://{MASK}@{value['HOST']}:{value['PORT'] or 5432}/{value['NAME']}"
    text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return _CREDENTIALS.sub(f"{MASK}@", text)


def table(found: list[tuple[str, str, str]]) -> list[str]:
    """Columns, with the values of the environment and of the file first to see."""
    width = max(len(name) for name, _, _ in found)
    value_width = min(60, max(len(value) for _, value, _ in found))
    home = str(Path.home())
    return [
        f"{name:<{width}}  {value:<{value_width}}  {source.replace(home, '~')}".rstrip()
        for name, value, source in found
    ]
