"""The process that renders long texts: reads one after the other from its standard input, and answers."""

import json
import traceback

from msgspec import to_builtins

from papercore.processes.children import answer_parent
from papercore.rendering.markdown import MarkdownSource, convert

# Processor time for one text: the page then answers within two seconds. A paper takes a third of it.
RENDER_SECONDS = 1.6
# Address space of this process; a text of full length needs a tenth.
RENDER_MEMORY_BYTES = 1_000_000_000
# HTML of one text; a link to one long address, used everywhere, makes gigabytes.
HTML_CHARS = 10_000_000


def answer(request: bytes) -> dict[str, object]:
    """The rendered text, or what failed."""
    try:
        rendered = convert(MarkdownSource(**json.loads(request)))
    except Exception as error:  # noqa: BLE001 (any text must get an answer; the parent logs this one)
        # By type and place alone: the message of the error may hold the text.
        *_, (frame, line) = traceback.walk_tb(error.__traceback__)
        return {"failure": f"{type(error).__name__} in {frame.f_code.co_name}:{line}"}
    if len(rendered.html) > HTML_CHARS:
        return {"failure": "too much HTML"}
    fields: dict[str, object] = to_builtins(rendered)
    return fields


if __name__ == "__main__":
    answer_parent(answer, RENDER_SECONDS, RENDER_MEMORY_BYTES)
