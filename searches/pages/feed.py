"""What waits for a decision, as a feed: a reader of feeds, or a browser, says when an agent needs its person."""

from datetime import datetime

from django.contrib.syndication.views import Feed
from django.http import HttpRequest
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed

from searches.models import SearchSession, Status
from searches.pages.own_sessions import REMEMBERED_SESSIONS, own_sessions


class WaitingFeed(Feed):  # type: ignore[type-arg]  # Django's own class takes no type argument
    """The searches that whoever asks may decide; an entry for each checkpoint."""

    feed_type = Atom1Feed
    title = "Searches that wait for a decision"

    def link(self) -> str:
        return reverse("searches")

    def get_object(self, request: HttpRequest) -> HttpRequest:
        return request

    def items(self, request: HttpRequest) -> list[SearchSession]:
        return list(own_sessions(request).filter(status=Status.WAITING)[:REMEMBERED_SESSIONS])

    def item_title(self, item: SearchSession) -> str:
        what = "papers to review" if item.checkpoint_id.endswith("result_review") else "a plan to confirm"
        return f"{what}: {item.query}"

    def item_description(self, item: SearchSession) -> str:
        return f"Round {item.iteration + 1}, started by {'a person' if item.started_by == 'person' else 'an agent'}."

    def item_link(self, item: SearchSession) -> str:
        return reverse("search-session", args=[item.pk])

    def item_guid(self, item: SearchSession) -> str:
        return item.checkpoint_id

    def item_updateddate(self, item: SearchSession) -> datetime:
        return item.touched_at
