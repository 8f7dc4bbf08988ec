"""What the tools of search sessions may object; the library's own errors of sessions come beside them."""

from papercore.errors import Conflict, Unavailable


class AlreadyDecided(Conflict):
    """Somebody else was first; the details say what was decided, and by whom."""

    code = "checkpoint_busy"


class SessionExpired(Conflict):
    code = "session_expired"


class TooManySearches(Unavailable):
    code = "too_many_searches"


class TooManyCalls(Unavailable):
    code = "rate_limited"


class StorageUnavailable(Unavailable):
    code = "storage_unavailable"
