"""The process that renders long texts: reads one after the other from its standard input, a socket, and answers."""

import json
import resource
import signal
import socket
import sys
import traceback
from dataclasses import asdict

from papercore import limits
from papercore.rendering.markdown import Source, convert
from papercore.rendering.messages import read_message, write_message


def main() -> None:
    # A terminal and systemd signal all processes, but a page that is being answered needs this one to its end.
    # It ends when its parent does, because then there is nothing more to read.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (limits.RENDER_MEMORY_BYTES, limits.RENDER_MEMORY_BYTES))
    with socket.socket(fileno=sys.stdin.fileno()) as parent, parent.makefile("rwb") as channel:
        while request := read_message(channel):
            # The kernel ends the process when the time is over: nothing in it can refuse, not even native code.
            signal.setitimer(signal.ITIMER_PROF, limits.RENDER_SECONDS)
            answer = _answer(request)
            signal.setitimer(signal.ITIMER_PROF, 0)
            write_message(channel, json.dumps(answer).encode())


def _answer(request: bytes) -> dict[str, object]:
    try:
        rendered = convert(Source(**json.loads(request)))
    except Exception as error:  # noqa: BLE001 (any text must get an answer; the parent logs this one)
        # By type and place alone: the message of the error may hold the text.
        *_, (frame, line) = traceback.walk_tb(error.__traceback__)
        return {"failure": f"{type(error).__name__} in {frame.f_code.co_name}:{line}"}
    if len(rendered.html) > limits.HTML_CHARS:
        return {"failure": "too much HTML"}
    return asdict(rendered)


if __name__ == "__main__":
    main()
