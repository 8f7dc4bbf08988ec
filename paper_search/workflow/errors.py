"""What can be wrong with a call on a search session."""

from papercore.errors import Conflict, InvalidInput, NotFound, Unavailable

UNSEEN = (
    "This checkpoint has not been shown to anybody yet, so the decision was meant for an earlier one. "
    "Call get_session, then decide with its checkpoint_id."
)


class SessionNotFound(NotFound):
    code = "session_not_found"


class SessionComplete(Conflict):
    code = "session_complete"


class SessionNotComplete(Conflict):
    code = "session_not_complete"


class NoPendingCheckpoint(Conflict):
    code = "no_pending_checkpoint"


class CheckpointBusy(Conflict):
    code = "checkpoint_busy"


class CheckpointUnseen(Conflict):
    """A decision without checkpoint_id came before its checkpoint was shown to anybody: it was meant for another."""

    code = "checkpoint_unseen"


class SearchFailed(Unavailable):
    """The workflow ended with an error; the details are the session's state."""

    code = "search_failed"


class AllSourcesFailed(Unavailable):
    """No source answered: an empty result would say that there are no papers."""

    code = "all_sources_failed"


class InvalidAction(InvalidInput):
    code = "invalid_action"


class UnknownFormat(InvalidInput):
    code = "unknown_format"


class InvalidDecision(InvalidInput):
    """The decision does not fit the checkpoint, and changed nothing."""

    code = "invalid_decision"


class UnusableState(Conflict):
    """What is stored of a session does not make a state."""

    code = "session_unusable"
