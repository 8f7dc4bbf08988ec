"""The health of the snapshot, its search index and its assets."""

from pathlib import Path

from django.conf import settings

from papercore.errors import ToolError
from papercore.health import CachedProbe, Part, State
from papers.snapshot import served
from papers.snapshot.models import PaperSummary
from papers.texts.named import texts_of

# Probes come often and a remote store may be slow, so it is asked at most this often.
REMOTE_REST_SECONDS = 10.0


def parts() -> list[Part]:
    return [snapshot_part(), index_part(), assets_part()]


def snapshot_part() -> Part:
    file = served.served_file()
    file.refresh()
    if file.problem is None:
        checking = Part("snapshot", "degraded", "It is served while it is being checked for damage.")
        return checking if file.verifying else Part("snapshot", "ok")
    if file.good is None:
        return Part("snapshot", "missing", file.problem)
    what = "It is served as far as it can be read." if file.served_damaged else "The last good one is served."
    return Part("snapshot", "degraded", f"{what} {file.problem}")


def index_part() -> Part:
    try:
        found = served.index_state()
    except ToolError as error:
        return Part("index", "missing", error.message)
    if found.status == "ready":
        return Part("index", "ok")
    if found.status == "filling":
        counts = {"papers": found.papers, "with_sentence_vector": found.with_sentences}
        return Part("index", "ok", f"Search works; it gets better: {found.message}.", counts)
    if found.status == "verifying":
        return Part("index", "degraded", f"The index is used, and {found.message}.")
    if found.status == "other_model":
        return Part("index", "degraded", f"Search goes by words and word vectors: {found.message}.")
    state: State = "missing" if found.status == "missing" else "degraded"
    return Part("index", state, f"Search goes by the snapshot's own words: {found.message}.")


def assets_part() -> Part:
    place = str(settings.ASSETS)
    if "://" in place:
        return _remote.part()
    if not Path(place).is_dir():
        return Part("assets", "missing", "The asset folder is missing: set PAPERSITE_ASSETS.")
    return sample()


def sample() -> Part:
    """Whether the first summary that the snapshot names can be read."""
    try:
        with served.reading():
            first = PaperSummary.objects.order_by("pk").first()
        if first:
            texts_of(first.paper).summary(first.template_tag)
    except ToolError as error:
        return Part("assets", "degraded", f"The first paper's summary cannot be read. {error.message}")
    return Part("assets", "ok")


_remote = CachedProbe(sample, REMOTE_REST_SECONDS)
