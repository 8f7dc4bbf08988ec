"""What waits for a decision, as a feed: a reader of feeds, or a browser, says when an agent needs its person.

A reader of feeds has no cookie: an account has a secret address, which shows titles and ends with the next one.
"""

from datetime import datetime

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.syndication.views import Feed
from django.core.exceptions import PermissionDenied
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import F, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import require_POST
from msgspec import Struct

from papercore.caller import Caller
from searches.models import FeedAddress, SearchSession, Status
from searches.pages.own_sessions import REMEMBERED_SESSIONS, own_sessions, sessions_of
from searches.sessions.calls import caller_of

_SIGNER = Signer(salt="searches.feed")
_FOR_NOBODY = (
    "Nothing is listed, because it is not known who asks. A reader of feeds needs the address that /searches/ shows to "
    "whoever is logged in, or a bearer token."
)


class Waiting(Struct, frozen=True):
    """What a feed shows; `note` says why it may be empty."""

    rows: QuerySet[SearchSession]
    note: str = ""


class WaitingFeed(Feed):  # type: ignore[type-arg]  # Django's own class takes no type argument
    """The searches that whoever asks may decide; an entry for each checkpoint."""

    feed_type = Atom1Feed
    title = "Searches that wait for a decision"

    def link(self) -> str:
        return reverse("searches")

    def get_object(self, request: HttpRequest, address: str = "") -> Waiting:
        if address:
            return Waiting(sessions_of(Caller("person", account=account_at(address))))
        caller = caller_of(request)
        is_known = caller.account or caller.key or settings.SESSION_COOKIE_NAME in request.COOKIES
        return Waiting(own_sessions(request), "" if is_known else _FOR_NOBODY)

    def subtitle(self, waiting: Waiting) -> str:
        return waiting.note

    def items(self, waiting: Waiting) -> list[SearchSession]:
        return list(waiting.rows.filter(status=Status.WAITING)[:REMEMBERED_SESSIONS])

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


def feed_address(account: str) -> str:
    """The path of an account's feed, which needs no login."""
    return reverse("searches-secret-feed", args=[_SIGNER.sign_object([account, _version(account)])])


def account_at(address: str) -> str:
    """Whose feed is at an address; Http404 if it is nobody's, or no longer counts."""
    try:
        account, version = _SIGNER.unsign_object(address)
    except BadSignature:
        raise Http404 from None
    if version != _version(account) or not _is_open(account):
        raise Http404
    return str(account)


@require_POST
def new_address(request: HttpRequest) -> HttpResponse:
    """Give the account's feed another address."""
    account = caller_of(request).account
    if not account:
        raise PermissionDenied
    with transaction.atomic():
        FeedAddress.objects.get_or_create(account=account)
        FeedAddress.objects.filter(account=account).update(version=F("version") + 1)
    return HttpResponseRedirect(reverse("searches"))


def _version(account: str) -> int:
    row = FeedAddress.objects.filter(account=account).first()
    return row.version if row else 1


def _is_open(account: str) -> bool:
    """Whether the site still has this owner, or the account is still active."""
    kind, _, key = account.partition(":")
    if kind == "owner":
        return bool(settings.LIBRARY_CHANGES == "local")
    return get_user_model().objects.filter(pk=key, is_active=True).exists()
