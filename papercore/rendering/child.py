"""The process that renders long texts: reads one after the other from its standard input, and answers."""

import json
import traceback

from msgspec import to_builtins

from papercore import limits
from papercore.processes.children import answer_parent
from papercore.rendering.markdown import convert
from papercore.rendering.rendered import Source


def main() -> None:
    answer_parent(_answer, limits.RENDER_SECONDS, limits.RENDER_MEMORY_BYTES)


def _answer(request: bytes) -> dict[str, object]:
    try:
        rendered = convert(Source(**json.loads(request)))
    except Exception as error:  # noqa: BLE001 (any text must get an answer; the parent logs this one)
        # By type and place alone: the message of the error may hold the text.
        *_, (frame, line) = traceback.walk_tb(error.__traceback__)
        return {"failure": f"{type(error).__name__} in {frame.f_code.co_name}:{line}"}
    if len(rendered.html) > limits.HTML_CHARS:
        return {"failure": "too much HTML"}
    answer: dict[str, object] = to_builtins(rendered)
    return answer


if __name__ == "__main__":
    main()
