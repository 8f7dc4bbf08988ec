"""What people decided about the findings in a draft, so that its next version shows only what changed."""

import secrets
from typing import Literal, get_args

from django.db import transaction
from django.http import HttpRequest
from msgspec import Struct

from papercore.errors import InvalidInput
from papers.drafts.checking import CheckedDraft, text_hash
from searches.models import KeptDraft
from searches.sessions.calls import caller_of

# Drafts whose decisions are kept: of one person, and of all browsers without an account.
KEPT_DRAFTS = 20
KEPT_BROWSER_DRAFTS = 1_000
Decision = Literal["right", "fixed", "leave"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)
_BROWSER = "browser:"
# Where the cookie session has the name of its browser.
_KEY = "drafts"


class EarlierDecisions(Struct, frozen=True):
    """By finding what was decided; and the sentences of the versions before this one, empty for the first."""

    decisions: dict[str, str] = {}
    sentences: frozenset[str] = frozenset()


def owner_of(request: HttpRequest, begin: bool = False) -> str:
    """Whose decisions count: an account's, the owner's, this browser's; nothing for a browser that has made none."""
    if account := caller_of(request).account:
        return account
    if begin and _KEY not in request.session:
        request.session[_KEY] = secrets.token_hex(16)
    name = request.session.get(_KEY, "")
    return f"{_BROWSER}{name}" if name else ""


def earlier_decisions(owner: str, checked: CheckedDraft) -> EarlierDecisions:
    rows = list(KeptDraft.objects.filter(owner=owner)) if owner else []
    decisions: dict[str, str] = {}
    for row in reversed(rows):
        decisions |= row.decisions
    before = {name for row in rows if row.draft != checked.hash for name in row.sentences}
    return EarlierDecisions(decisions, frozenset(before))


def decide(owner: str, checked: CheckedDraft, finding: str, decision: str) -> None:
    """Keep a decision, or take it back by an empty one."""
    if decision not in ("", *DECISIONS) or finding not in {item.id for item in checked.findings}:
        raise InvalidInput("decision: must be right, fixed or leave, on a finding of this draft.")
    sentences = list(dict.fromkeys(text_hash(item.sentence.text) for item in checked.sentences))
    with transaction.atomic():
        row, _ = KeptDraft.objects.get_or_create(
            owner=owner, draft=checked.hash, defaults={"sentences": sentences, "decisions": {}}
        )
        row.decisions = {**row.decisions, finding: decision}
        row.save()
    _remove_old(owner)


def forget(owner: str) -> None:
    KeptDraft.objects.filter(owner=owner).delete()


def _remove_old(owner: str) -> None:
    """The oldest of this person, and of all browsers: strangers cannot fill the disk."""
    for rows, most in (
        (KeptDraft.objects.filter(owner=owner), KEPT_DRAFTS),
        (KeptDraft.objects.filter(owner__startswith=_BROWSER), KEPT_BROWSER_DRAFTS),
    ):
        old = list(rows.values_list("pk", flat=True)[most : most + 100])
        if old:
            KeptDraft.objects.filter(pk__in=old).delete()
