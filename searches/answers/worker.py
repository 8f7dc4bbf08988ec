"""Answers by a language model: whether they are offered, and each written once, in a thread, and kept for a day."""

import json
import logging
import threading
from datetime import timedelta
from math import ceil
from typing import Literal

from django.conf import settings
from django.db import DatabaseError, IntegrityError, connections, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from paper_search.config import ConfigError, LLMConfig, load_config
from paper_search.llm import ModelFailed
from papercore.caller import Caller
from papercore.errors import ToolError
from papercore.processes.rate_limits import ConcurrencyLimit, RateLimit, rate_limit
from papers.passages.schemas import PassageHit
from papers.search.evidence import EvidenceBoard
from papers.snapshot import served
from searches.answers.writing import write_answer
from searches.errors import TooManyAnswers
from searches.models import ModelAnswer

# How long a model may take, whatever PAPER_SEARCH_LLM_TIMEOUT allows: nobody waits longer for an answer.
ANSWER_SECONDS = 120
Offer = Literal["offered", "login", "none"]
# Answers that one process has written at once, in all and for one client; each is a thread that waits for the model.
ANSWERS_AT_ONCE = 4
ANSWERS_OF_CLIENT = 2
logger = logging.getLogger(__name__)
FAILED = "it failed with an internal error"
# How long an answer is kept for who asks the same again, and how many are.
ANSWER_KEPT_SECONDS = 24 * 3600
ANSWERS_KEPT = 1_000
# After the model's time is up, for checking and storing what it said.
GRACE_SECONDS = 15
_at_once = ConcurrencyLimit(ANSWERS_AT_ONCE, ANSWERS_OF_CLIENT)


def configured_model() -> LLMConfig | None:
    """The language model that answers, with the time it may take; None where there is none."""
    if settings.ANSWERS == "off":
        return None
    try:
        config = load_config().llm
    except ConfigError:  # a search says what is wrong; evidence needs no model
        return None
    if config.provider == "none" or not config.model:
        return None
    return config.model_copy(update={"timeout": min(config.timeout, ANSWER_SECONDS)})


def offer(request: HttpRequest) -> Offer:
    """What the page of a question offers to this reader."""
    if configured_model() is None:
        return "none"
    if settings.ANSWERS == "readers":
        return "offered"
    try:
        return "offered" if request.user.is_authenticated else "login"
    except DatabaseError:
        return "none"


def answer_calls() -> RateLimit:
    """Answers that each client has asked for, counted by all workers."""
    return rate_limit("answer calls", settings.ANSWER_CALLS)


def start(config: LLMConfig, board: EvidenceBoard, caller: Caller) -> str:
    """Begin the answer unless it is there or being written already, which costs nothing; its id."""
    key = answer_id(config, board)
    row = ModelAnswer.objects.filter(pk=key).first()
    if row and (row.is_running or row.content):
        return key
    if not _at_once.enter(caller.client):
        raise TooManyAnswers("Other answers are being written: try again in a moment.", retry_after_seconds=10)
    started = False
    try:
        seconds = ceil(answer_calls().take(caller.client))
        if seconds:
            raise TooManyAnswers(f"You asked for many answers: wait {seconds} s.", retry_after_seconds=seconds)
        if begin(key, board, config.timeout):
            given = (key, config, board.question, board.authors_words, caller.client)
            threading.Thread(target=_write_and_leave, args=given, name=f"answer {key[:6]}", daemon=True).start()
            started = True
    finally:
        if not started:
            _at_once.leave(caller.client)
    return key


def answer_id(config: LLMConfig, board: EvidenceBoard) -> str:
    """Names the question, the passages as they are now, and the model; nobody can guess what others asked from it."""
    asked = [config.provider, config.model, board.query.query_string(), *(hit.address for hit in board.authors_words)]
    return salted_hmac("searches.answers", json.dumps(asked), algorithm="sha256").hexdigest()[:32]


def begin(key: str, board: EvidenceBoard, seconds: float) -> bool:
    """Whether the caller is the one to write it; false if it is there, or another process was first."""
    now, rows = timezone.now(), ModelAnswer.objects.all()
    too_many = rows.values_list("begun_at", flat=True)[ANSWERS_KEPT : ANSWERS_KEPT + 1]
    oldest = max([now - timedelta(seconds=ANSWER_KEPT_SECONDS), *too_many])
    rows.filter(begun_at__lte=oldest).delete()
    try:
        with transaction.atomic():
            # One that failed or was lost is begun again.
            rows.filter(pk=key, progress=ModelAnswer.Progress.FAILED).delete()
            rows.filter(pk=key, progress=ModelAnswer.Progress.RUNNING, lost_at__lte=now).delete()
            lost_at = now + timedelta(seconds=seconds + GRACE_SECONDS)
            rows.create(pk=key, parameters=board.query.query_string(), begun_at=now, lost_at=lost_at)
    except IntegrityError:
        return False
    return True


def _write_and_leave(key: str, config: LLMConfig, question: str, passages: list[PassageHit], client: str) -> None:
    try:
        served.renew()
        outcome = _outcome(key, config, question, passages)
        ModelAnswer.objects.filter(pk=key).update(**outcome)
    except DatabaseError:
        # Nobody can be told; the row says by itself when it is lost.
        logger.exception("answer %s could not be stored", key[:6])
    finally:
        _at_once.leave(client)
        connections.close_all()


def _outcome(key: str, config: LLMConfig, question: str, passages: list[PassageHit]) -> dict[str, str]:
    """The columns of the row once there is an answer, or a reason why there is none."""
    try:
        answer = write_answer(config, question, passages)
        return {"progress": ModelAnswer.Progress.DONE, "content": answer.model_dump_json()}
    except ModelFailed as error:
        problem = str(error)
    except ToolError as error:
        problem = error.message.rstrip(".")
    except DatabaseError:
        raise
    except Exception:
        # A thread has nobody to raise to: the page must say that there is no answer.
        logger.exception("answer %s failed", key[:6])
        problem = FAILED
    return {"progress": ModelAnswer.Progress.FAILED, "problem": problem}
