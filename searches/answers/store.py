"""Answers as rows: begun once, whoever asks; finished by the process that began; kept for a day."""

import json
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from paper_search.config import LLMConfig
from papers.pages.ask import EvidenceBoard
from searches.answers.schemas import CheckedAnswer
from searches.models import ModelAnswer

# How long an answer is kept for who asks the same again, and how many are.
ANSWER_KEPT_SECONDS = 24 * 3600
ANSWERS_KEPT = 1_000
# After the model's time is up, for checking and storing what it said.
GRACE_SECONDS = 15


def answer_id(config: LLMConfig, board: EvidenceBoard) -> str:
    """Names the question, the passages as they are now, and the model; nobody can guess what others asked from it."""
    asked = [config.provider, config.model, board.query.query_string(), *(item.hit.address for item in board.passages)]
    return salted_hmac("searches.answers", json.dumps(asked), algorithm="sha256").hexdigest()[:32]


def find(key: str) -> ModelAnswer | None:
    return ModelAnswer.objects.filter(pk=key).first()


def begin(key: str, board: EvidenceBoard, seconds: float) -> bool:
    """Whether the caller is the one to write it; false if it is there, or another process was first."""
    now = timezone.now()
    rows = ModelAnswer.objects.all()
    _delete_old(now)
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


def finish(key: str, answer: CheckedAnswer) -> None:
    ModelAnswer.objects.filter(pk=key).update(progress=ModelAnswer.Progress.DONE, content=answer.model_dump_json())


def fail(key: str, problem: str) -> None:
    ModelAnswer.objects.filter(pk=key).update(progress=ModelAnswer.Progress.FAILED, problem=problem)


def _delete_old(now: datetime) -> None:
    too_many = ModelAnswer.objects.values_list("begun_at", flat=True)[ANSWERS_KEPT : ANSWERS_KEPT + 1]
    oldest = max([now - timedelta(seconds=ANSWER_KEPT_SECONDS), *too_many])
    ModelAnswer.objects.filter(begun_at__lte=oldest).delete()
