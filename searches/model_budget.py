"""What the whole site may ask of language models in a day, counted in the default database."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import F
from django.db.models.functions import Greatest

from paper_search.llm import ModelFailed
from searches.models import ModelUsage


class DailyBudget:
    """One for each piece of work: what is given back counts for the day on which it was taken."""

    def __init__(self) -> None:
        self.day = today()

    def take(self, tokens: int) -> None:
        """Count a call and the tokens that it may cost, in one step; ModelFailed if the day's are used up."""
        self.day = today()
        calls_a_day, tokens_a_day = settings.MODEL_CALLS_A_DAY, settings.MODEL_TOKENS_A_DAY
        with _own_connection():
            ModelUsage.objects.get_or_create(day=self.day)
            left = ModelUsage.objects.filter(day=self.day)
            if calls_a_day:
                left = left.filter(calls__lt=calls_a_day)
            if tokens_a_day:
                left = left.filter(tokens__lte=tokens_a_day - tokens)
            if not left.update(calls=F("calls") + 1, tokens=F("tokens") + tokens):
                raise ModelFailed("this site's calls or tokens of the day are used up; they count anew at 00:00 UTC")

    def give_back(self, tokens: int) -> None:
        """Correct the estimate by what was really used; it may have been more."""
        with _own_connection():
            usage = ModelUsage.objects.filter(day=self.day)
            usage.update(tokens=Greatest(F("tokens") - tokens, 0))


def today() -> date:
    return datetime.now(UTC).date()


@contextmanager
def _own_connection() -> Iterator[None]:
    """The event loop lends a thread for each call, which must not keep its connection."""
    try:
        yield
    except DatabaseError as error:
        raise ModelFailed("its calls could not be counted") from error
    finally:
        if threading.current_thread().name.startswith("asyncio_") and not connection.in_atomic_block:
            connection.close()
