"""Writes answers, each in a thread of the process that was asked: as many at once as the limits allow."""

import logging
import threading
from math import ceil

from django.conf import settings
from django.db import DatabaseError, connections

from paper_search.config import LLMConfig
from paper_search.llm import ModelFailed
from papercore import limits
from papercore.caller import Caller
from papercore.errors import ToolError
from papercore.processes.rate_limits import ConcurrencyLimit, RateLimit, rate_limit
from papers.pages.ask import EvidenceBoard
from papers.passages.schemas import PassageHit
from papers.snapshot import served
from searches.answers import store
from searches.answers.writing import write_answer
from searches.errors import TooManyAnswers

logger = logging.getLogger(__name__)
FAILED = "it failed with an internal error"
_at_once = ConcurrencyLimit(limits.ANSWERS_AT_ONCE, limits.ANSWERS_OF_CLIENT)


def answer_calls() -> RateLimit:
    """Answers that each client has asked for, counted by all workers."""
    return rate_limit("answer calls", settings.ANSWER_CALLS)


def start(config: LLMConfig, board: EvidenceBoard, caller: Caller) -> str:
    """Begin the answer unless it is there or being written already, which costs nothing; its id."""
    key = store.answer_id(config, board)
    row = store.find(key)
    if row and (row.is_running or row.content):
        return key
    if not _at_once.enter(caller.client):
        raise TooManyAnswers("Other answers are being written: try again in a moment.", retry_after_seconds=10)
    started = False
    try:
        _count(caller)
        if store.begin(key, board, config.timeout):
            given = (key, config, board.question, [item.hit for item in board.passages], caller.client)
            threading.Thread(target=_write_and_leave, args=given, name=f"answer {key[:6]}", daemon=True).start()
            started = True
    finally:
        if not started:
            _at_once.leave(caller.client)
    return key


def _count(caller: Caller) -> None:
    seconds = ceil(answer_calls().take(caller.client))
    if seconds:
        raise TooManyAnswers(f"You asked for many answers: wait {seconds} s.", retry_after_seconds=seconds)


def _write_and_leave(key: str, config: LLMConfig, question: str, passages: list[PassageHit], client: str) -> None:
    try:
        served.renew()
        _write(key, config, question, passages)
    except DatabaseError:
        # Nobody can be told; the row says by itself when it is lost.
        logger.exception("answer %s could not be stored", key[:6])
    finally:
        _at_once.leave(client)
        connections.close_all()


def _write(key: str, config: LLMConfig, question: str, passages: list[PassageHit]) -> None:
    try:
        store.finish(key, write_answer(config, question, passages))
    except ModelFailed as error:
        store.fail(key, str(error))
    except ToolError as error:
        store.fail(key, error.message.rstrip("."))
    except DatabaseError:
        raise
    except Exception:
        # A thread has nobody to raise to: the page must say that there is no answer.
        logger.exception("answer %s failed", key[:6])
        store.fail(key, FAILED)
