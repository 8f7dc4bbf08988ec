"""Search sessions as rows, with all that any process needs to continue one."""

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

from paper_search.workflow.state import WorkflowState, load_state
from papercore.limits import ID_CHARS, MARK_CHARS, QUERY_CHARS


def new_id() -> str:
    """128 random bits: whoever knows the id may see the session."""
    return secrets.token_hex(16)


class Status(models.TextChoices):
    RUNNING = "running", "Searching"
    WAITING = "waiting", "Waiting for a decision"
    COMPLETE = "complete", "Complete"
    FAILED = "failed", "Failed"
    EXPIRED = "expired", "Expired"


OPEN = (Status.RUNNING, Status.WAITING)


class SearchSession(models.Model):
    """`state` is the workflow's; other columns repeat parts of it for queries."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    query = models.CharField(max_length=QUERY_CHARS)
    domain = models.CharField(max_length=40, default="general")
    max_results = models.PositiveIntegerField(default=100)
    started_by = models.CharField(max_length=10, default="agent")
    owner = models.CharField(max_length=80, blank=True, help_text="The token that started it, if one did.")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.RUNNING)
    state = models.TextField()
    checkpoint_id = models.CharField(max_length=ID_CHARS, blank=True)
    shown_checkpoint_id = models.CharField(
        max_length=ID_CHARS, blank=True, default="", help_text="The latest checkpoint that somebody was shown."
    )
    iteration = models.PositiveIntegerField(default=0)
    step = models.PositiveIntegerField(default=0)
    paper_count = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    progress = models.JSONField(default=dict, help_text="Sources that have answered while a search is under way.")
    version = models.PositiveIntegerField(default=0, help_text="Grows with every change.")
    lease = models.CharField(max_length=32, blank=True, help_text="Who is working on it.")
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Claims since the last step that was stored.")
    created_at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-touched_at",)
        indexes = (models.Index(fields=["status", "touched_at"], name="searches_idle"),)

    def __str__(self) -> str:
        return self.query

    @property
    def workflow_state(self) -> WorkflowState:
        """UnusableState if what is stored cannot be read."""
        return load_state(self.state)

    @property
    def checkpoint_was_shown(self) -> bool:
        return self.shown_checkpoint_id == self.checkpoint_id

    @property
    def expires_at(self) -> datetime:
        return self.touched_at + timedelta(days=settings.SEARCH_WAIT_DAYS)


class PaperMark(models.Model):
    """What somebody thinks of a paper under review, stored before the decision."""

    session = models.ForeignKey(SearchSession, on_delete=models.CASCADE, related_name="marks")
    paper_id = models.CharField(max_length=MARK_CHARS)
    mark = models.CharField(max_length=10)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["session", "paper_id"], name="searches_one_mark_a_paper"),)

    def __str__(self) -> str:
        return f"{self.paper_id} {self.mark}"


class DecisionRecord(models.Model):
    """One decision. There is at most one for a checkpoint; `answer` is the state that it led to."""

    session = models.ForeignKey(SearchSession, on_delete=models.CASCADE, related_name="decisions")
    checkpoint_id = models.CharField(max_length=ID_CHARS)
    kind = models.CharField(max_length=30)
    iteration = models.PositiveIntegerField()
    action = models.CharField(max_length=10)
    data = models.JSONField(null=True)
    note = models.TextField(blank=True)
    decided_by = models.CharField(max_length=10)
    decided_at = models.DateTimeField(default=timezone.now)
    answer = models.TextField(blank=True)

    class Meta:
        ordering = ("-decided_at", "-id")
        constraints = (
            models.UniqueConstraint(fields=["session", "checkpoint_id"], name="searches_one_decision_a_checkpoint"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.action}"


class ModelUsage(models.Model):
    """What was asked of language models on one day, by all processes."""

    day = models.DateField(primary_key=True)
    calls = models.PositiveIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.day}: {self.calls} calls, {self.tokens} tokens"


class ModelAnswer(models.Model):
    """What a language model answered to a question; its id names question, passages and model, so it is asked once."""

    class Progress(models.TextChoices):
        RUNNING = "running", "Being written"
        DONE = "done", "Written"
        FAILED = "failed", "Failed"

    id = models.CharField(primary_key=True, max_length=32, editable=False)
    parameters = models.TextField(help_text="The question and its filters, as in the address of the page.")
    progress = models.CharField(max_length=10, choices=Progress.choices, default=Progress.RUNNING)
    content = models.TextField(blank=True, help_text="The checked answer.")
    problem = models.TextField(blank=True, help_text="Why there is no answer.")
    begun_at = models.DateTimeField(default=timezone.now, db_index=True)
    lost_at = models.DateTimeField(help_text="Who was writing it has died if it is not there by then.")

    class Meta:
        ordering = ("-begun_at",)

    def __str__(self) -> str:
        return self.id[:6]

    @property
    def is_running(self) -> bool:
        return self.progress == self.Progress.RUNNING and timezone.now() < self.lost_at


class FeedAddress(models.Model):
    """Which of the addresses of an account's feed counts; an earlier one is void."""

    account = models.CharField(primary_key=True, max_length=40)
    version = models.PositiveIntegerField(default=1)

    def __str__(self) -> str:
        return f"{self.account}: {self.version}"


class KeptDraft(models.Model):
    """What a person decided about one version of a draft: hashes of its sentences and findings, none of its words."""

    owner = models.CharField(max_length=40)
    draft = models.CharField(max_length=16, help_text="The hash of its sentences.")
    sentences = models.JSONField(default=list)
    decisions = models.JSONField(default=dict, help_text="By finding: right, fixed or leave.")
    at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-at", "-id")
        constraints = (models.UniqueConstraint(fields=["owner", "draft"], name="searches_one_row_a_draft"),)

    def __str__(self) -> str:
        return f"{self.owner} {self.draft}"
