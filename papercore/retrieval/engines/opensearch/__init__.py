"""The remote engine: words and vectors on an OpenSearch cluster. All but its address needs the extra `opensearch`."""

from msgspec import Struct


class ClusterAddress(Struct, frozen=True):
    """Where the cluster is, who asks, and how the names of its indexes begin."""

    hosts: tuple[str, ...]
    prefix: str = "papersite"
    user: str = ""
    password: str = ""
    # Files: the authority that signed the cluster's certificate, and the client's own certificate and key.
    authority: str = ""
    certificate: str = ""
    key: str = ""
    shards: int = 1
    replicas: int = 1

    def __repr__(self) -> str:
        """Without user, password and key: this object may end up in a log."""
        return f"ClusterAddress({', '.join(self.hosts)}, prefix={self.prefix!r})"
