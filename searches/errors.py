"""Errors of search sessions in the database, beside those of paper_search.workflow.errors."""

from papercore.errors import Conflict, NotFound, Unavailable


class AlreadyDecided(Conflict):
    """Somebody else was first; the details say who decided what."""

    code = "checkpoint_busy"


class SessionExpired(Conflict):
    code = "session_expired"


class KeyReused(Conflict):
    code = "idempotency_key_reused"


class TooManySearches(Unavailable):
    code = "too_many_searches"


class TooManyCalls(Unavailable):
    code = "rate_limited"


class TooManyWaiting(Unavailable):
    code = "too_many_waiting"


class TooManyAnswers(Unavailable):
    code = "rate_limited"


class AnswerNotFound(NotFound):
    code = "answer_not_found"
    heading = "This answer is no longer kept"


class StorageUnavailable(Unavailable):
    code = "storage_unavailable"
