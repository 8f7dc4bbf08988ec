"""The caller that a request speaks for: an agent or a person."""

import select
import socket
import time
from functools import partial

from django.http import HttpRequest

from papercore import limits
from papercore.caller import Caller


def agent(request: HttpRequest, token_key: str) -> Caller:
    return Caller(
        key=token_key,
        site=f"{request.scheme}://{request.get_host()}",
        address=request.META["REMOTE_ADDR"],
        waits_until=time.monotonic() + limits.SESSION_WAIT_SECONDS,
        has_hung_up=partial(_has_hung_up, request.META.get("gunicorn.socket")),
    )


def person(request: HttpRequest) -> Caller:
    return Caller("person", trusted=request.user.is_authenticated, address=request.META["REMOTE_ADDR"])


def _has_hung_up(connection: socket.socket | None) -> bool:
    """Looks without taking anything: the next request may have arrived already.

    Polls first: on a socket with a time limit, `recv` waits for all of it, whatever its flags say.
    """
    if connection is None:
        return False
    poll = select.poll()
    try:
        poll.register(connection, select.POLLIN)
        return bool(poll.poll(0)) and not connection.recv(1, socket.MSG_PEEK)
    except (OSError, ValueError):  # it was reset, or is closed
        return True
