"""A session as its page shows it: what to decide, what has happened, and the result."""

from collections import Counter
from datetime import datetime, timedelta
from functools import cached_property
from typing import ClassVar

from django.http import QueryDict
from django.utils import timezone
from django.utils.timesince import timesince, timeuntil
from msgspec import Struct, field

from paper_search.models import PaperCollection, Phase, SourceReport
from paper_search.plan import SearchPlan
from paper_search.workflow.checkpoints import ResultPayload, StrategyPayload
from paper_search.workflow.session_state import Mark, marks_of
from paper_search.workflow.state import WorkflowState
from searches.forms import PlanForm, TypedPlan, typed_plan
from searches.models import SearchSession, Status
from searches.pages.paper_list import PaperListPage, paper_page, source_label, source_labels
from searches.sessions import marks

# The steps of a round, in the words of the page.
STEPS = (
    (Phase.parse, "Question understood"),
    (Phase.build, "Strategy drawn up"),
    (Phase.confirm, "Strategy decided"),
    (Phase.search, "Sources searched"),
    (Phase.deduplicate, "Duplicates merged"),
    (Phase.organize, "Papers scored"),
    (Phase.review, "Results reviewed"),
)
# Of a round that follows citations instead.
FOLLOWING_STEPS = (
    (Phase.parse, "Question understood"),
    (Phase.follow, "Citations followed"),
    *STEPS[-3:],
)


class SourceLine(Struct, frozen=True):
    """`steps` are the queries that it was asked, from strict to loose; `ignored` what it cannot apply."""

    name: str
    count: int
    error: str | None
    steps: list[str]
    ignored: list[str]


class StepLine(Struct, frozen=True):
    """A line of the progress list; `css` is empty when the step is done."""

    title: str
    detail: str = ""
    at: datetime | None = None
    css: str = ""
    sources: list[SourceLine] = field(default_factory=list)


class SessionPage(Struct, frozen=True, dict=True):
    """`number` is the page of papers that is shown."""

    saves_marks: ClassVar[bool] = True

    row: SearchSession
    state: WorkflowState
    number: int = 1
    # A form that was refused, to be shown again.
    typed: QueryDict | None = None

    @property
    def checkpoint_id(self) -> str:
        """What the decision is for."""
        return self.row.checkpoint_id

    @property
    def round(self) -> int:
        return self.row.iteration + 1

    @property
    def domain(self) -> str:
        return self.row.domain.replace("_", " ")

    @property
    def started(self) -> str:
        """How long ago."""
        ago = timezone.now() - self.row.created_at
        return f"{timesince(self.row.created_at)} ago" if ago >= timedelta(minutes=1) else "just now"

    @property
    def waits(self) -> str:
        """How long it still waits for a decision."""
        return timeuntil(self.row.expires_at)

    @property
    def strategy(self) -> PlanForm | None:
        payload = self.state.checkpoint.payload if self.state.checkpoint else None
        if not isinstance(payload, StrategyPayload) or self.row.status != Status.WAITING:
            return None
        plan = payload.plan or SearchPlan.of(payload.intent, payload.strategy.sources)
        return PlanForm(plan, typed_plan(self.typed) if self.typed else TypedPlan())

    @property
    def not_understood(self) -> list[str]:
        return self.state.reading.not_understood if self.state.reading else []

    @property
    def read_by(self) -> str:
        """Who filled the plan."""
        by = self.state.reading.by if self.state.reading else ""
        return {"model": "as a language model understood the question", "plan": "as it was planned"}.get(by, "")

    @property
    def review(self) -> PaperCollection | None:
        payload = self.state.checkpoint.payload if self.state.checkpoint else None
        if not isinstance(payload, ResultPayload) or self.row.status != Status.WAITING:
            return None
        return payload.collection

    @cached_property
    def papers(self) -> PaperListPage:
        collection = self.review or self.state.result
        return paper_page(
            collection.papers if collection else [],
            self.number,
            self.row.query,
            self.marks,
            marks_of(self.state) if self.review else {},
        )

    @cached_property
    def marks(self) -> dict[str, Mark]:
        """Those saved since the last decision."""
        return marks.saved(self.row) if self.review else {}

    @property
    def marks_elsewhere(self) -> dict[str, int]:
        """How many papers on other pages have each mark: a script adds those of this page."""
        here = {item.paper.id for item in self.papers.papers}
        shown = {paper.id for paper in self.review.papers} if self.review else set()
        all_marks = {**marks_of(self.state), **self.marks}
        counts = Counter(mark for paper_id, mark in all_marks.items() if paper_id in shown - here)
        return {mark: counts[mark] for mark in ("relevant", "unsure", "irrelevant")}

    @property
    def tally(self) -> str:
        """The marks of all pages in words."""
        here = Counter(item.mark for item in self.papers.papers)
        counts = {mark: number + here[mark] for mark, number in self.marks_elsewhere.items()}  # type: ignore[index]  # marks are its keys
        return f"{counts['relevant']} relevant, {counts['unsure']} unsure, {counts['irrelevant']} not relevant"

    @property
    def unsure_label(self) -> str:
        count = len(self.state.unsure)
        return f"With the {count} paper{'' if count == 1 else 's'} marked unsure, which the result leaves out"

    @property
    def steps(self) -> list[StepLine]:
        follows = any(
            record.phase is Phase.follow and record.iteration == self.state.iteration for record in self.state.history
        )
        steps = FOLLOWING_STEPS if follows or self.state.follows_citations else STEPS
        lines = [self._step(phase, title) for phase, title in steps]
        return [*lines, StepLine("Export", css="" if self.row.status == Status.COMPLETE else "todo")]

    def _step(self, phase: Phase, title: str) -> StepLine:
        # The page shows scoring and organizing as one step.
        current = Phase.organize if self.state.phase is Phase.score else self.state.phase
        if phase is current and self.row.status == Status.WAITING:
            return StepLine(title, "waiting for you", css="now")
        if phase is current and self.row.status == Status.RUNNING:
            reports = {name: SourceReport.model_validate(report) for name, report in self.row.progress.items()}
            lines = source_lines(reports) if phase in (Phase.search, Phase.follow) else []
            return StepLine(title, "under way", css="now", sources=lines)
        # The question is parsed once for all rounds.
        records = [
            record
            for record in self.state.history
            if record.phase is phase and (phase is Phase.parse or record.iteration == self.state.iteration)
        ]
        if not records:
            return StepLine(title, css="todo")
        detail = records[-1].detail
        if phase is Phase.build and self.state.strategy:
            count, sources = len(self.state.strategy.queries), ", ".join(self.state.strategy.sources)
            detail = f"{count} quer{'y' if count == 1 else 'ies'} for {source_labels(sources)}"
        searched = self.state.sources if phase in (Phase.search, Phase.follow) else {}
        failed = any(report.error for report in searched.values())
        at = datetime.fromisoformat(records[-1].at)
        return StepLine(title, detail, at, "failed" if failed else "", source_lines(searched))


def source_lines(reports: dict[str, SourceReport]) -> list[SourceLine]:
    return [
        SourceLine(source_label(name), report.count, report.error, report.steps, report.ignored)
        for name, report in reports.items()
    ]
