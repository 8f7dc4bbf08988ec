"""Where a search cluster is, and who asks it."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class ClusterAddress:
    """Where the cluster is, who asks, and how the names of its indexes begin."""

    hosts: tuple[str, ...]
    prefix: str = "papersite"
    # Never shown: this object may end up in a log.
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    # Files: the authority that signed the cluster's certificate, and the client's own certificate and key.
    authority: str = ""
    certificate: str = ""
    key: str = field(default="", repr=False)
    shards: int = 1
    replicas: int = 1
