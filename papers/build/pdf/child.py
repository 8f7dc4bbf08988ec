"""The process that reads PDFs: takes paths from its standard input, a socket, one after the other, and answers."""

import json
import resource
import signal
import socket
import sys
from dataclasses import asdict
from pathlib import Path

from papercore import limits
from papercore.rendering.messages import read_message, write_message
from papers.build.pdf.document import CannotReadPdf, read_pdf


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (limits.PDF_MEMORY_BYTES, limits.PDF_MEMORY_BYTES))
    with socket.socket(fileno=sys.stdin.fileno()) as parent, parent.makefile("rwb") as channel:
        while request := read_message(channel):
            # The kernel ends the process when the time is over: nothing in it can refuse, not even native code.
            signal.setitimer(signal.ITIMER_PROF, limits.PDF_SECONDS)
            answer = _answer(Path(request.decode()))
            signal.setitimer(signal.ITIMER_PROF, 0)
            write_message(channel, json.dumps(answer).encode())


def _answer(path: Path) -> dict[str, object]:
    try:
        return asdict(read_pdf(path))
    except CannotReadPdf as error:
        return {"failure": str(error)}
    except MemoryError:
        return {"failure": "it needs too much memory"}
    except Exception as error:  # noqa: BLE001 (any file must get an answer)
        return {"failure": f"reading it failed ({type(error).__name__})"}


if __name__ == "__main__":
    main()
