"""What can be wrong with a call on a search session."""

from papercore.errors import Conflict, InvalidInput, NotFound


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


class InvalidAction(InvalidInput):
    code = "invalid_action"


class UnknownFormat(InvalidInput):
    code = "unknown_format"
