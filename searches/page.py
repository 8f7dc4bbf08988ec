"""A session as its page shows it: what to decide, what has happened, and the result."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.timesince import timesince

from paper_search.config import load_config
from paper_search.models import Paper, PaperCollection, SearchStrategy
from paper_search.progress import Phase, SourceReport, StepRecord
from paper_search.sources.known_sources import KNOWN_SOURCES
from paper_search.workflow.checkpoints import ResultPayload, StrategyPayload
from paper_search.workflow.state import WorkflowState
from papercore.identifiers import doi_url
from searches.models import OPEN, SearchSession, Status

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
# As many as can be judged at a glance; the others are one click away.
FIRST_PAPERS = 12


@dataclass(frozen=True)
class SourceLine:
    name: str
    count: int
    error: str | None


@dataclass(frozen=True)
class StepLine:
    """A line of the progress list; `css` is empty when the step is done."""

    title: str
    detail: str = ""
    at: datetime | None = None
    css: str = ""
    sources: list[SourceLine] = field(default_factory=list)


@dataclass(frozen=True)
class PaperView:
    """A paper of the list; `number` counts from 1."""

    number: int
    paper: Paper
    sources: str
    address: str
    kept: bool = False

    @property
    def names(self) -> list[str]:
        return [author.name for author in self.paper.authors]


@dataclass(frozen=True)
class SourceChoice:
    """A source that can be ticked."""

    name: str
    label: str
    chosen: bool


@dataclass(frozen=True)
class WordsField:
    """A filter of words, to be edited as one line with commas."""

    name: str
    label: str
    value: str


# The filters of a strategy that are lists of words.
WORD_FILTERS = {
    "authors": "By",
    "venues": "Published at",
    "excluded": "Without",
    "more_like": "More like",
    "less_like": "Less like",
}


@dataclass(frozen=True)
class StrategyForm:
    """The strategy as fields to edit."""

    strategy: SearchStrategy
    terms: str
    sources: list[SourceChoice]

    @property
    def words(self) -> list[WordsField]:
        filters = self.strategy.filters
        return [WordsField(name, label, ", ".join(getattr(filters, name))) for name, label in WORD_FILTERS.items()]


@dataclass(frozen=True)
class SessionPage:
    row: SearchSession
    state: WorkflowState

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
    def idle_minutes(self) -> int:
        return max(0, round((self.row.expires_at - timezone.now()) / timedelta(minutes=1)))

    @property
    def strategy(self) -> StrategyForm | None:
        payload = self.state.checkpoint.payload if self.state.checkpoint else None
        if not isinstance(payload, StrategyPayload) or self.row.status != Status.WAITING:
            return None
        strategy = payload.strategy
        configured = [source.name for source in load_config().enabled_sources()]
        offered = [source for source in KNOWN_SOURCES.values() if source.name in {*strategy.sources, *configured}]
        return StrategyForm(
            strategy,
            "\n".join(" ".join(query.keywords) for query in strategy.queries),
            [SourceChoice(source.name, source.label, source.name in strategy.sources) for source in offered],
        )

    @property
    def review(self) -> PaperCollection | None:
        payload = self.state.checkpoint.payload if self.state.checkpoint else None
        if not isinstance(payload, ResultPayload) or self.row.status != Status.WAITING:
            return None
        return payload.collection

    @property
    def papers(self) -> list[PaperView]:
        collection = self.review or self.state.result
        kept = {paper.id for paper in self.state.kept}
        return [
            PaperView(number, paper, source_labels(paper.source), paper_address(paper), paper.id in kept)
            for number, paper in enumerate(collection.papers if collection else [], 1)
        ]

    @property
    def first_papers(self) -> list[PaperView]:
        return self.papers[:FIRST_PAPERS]

    @property
    def other_papers(self) -> list[PaperView]:
        return self.papers[FIRST_PAPERS:]

    @property
    def steps(self) -> list[StepLine]:
        lines = [self._step(phase, title) for phase, title in STEPS]
        return [*lines, StepLine("Export", css="" if self.row.status == Status.COMPLETE else "todo")]

    def _step(self, phase: Phase, title: str) -> StepLine:
        if self._is_current(phase) and self.row.status == Status.WAITING:
            return StepLine(title, "waiting for you", css="now")
        if self._is_current(phase):
            reports = {
                name: SourceReport.model_validate(report)
                for name, report in self.row.progress.items()
                if name != "checkpoint"
            }
            lines = source_lines(reports) if phase is Phase.search else []
            return StepLine(title, "under way", css="now", sources=lines)
        record = self._latest_record(phase)
        if record is None:
            return StepLine(title, css="todo")
        failed = phase is Phase.search and any(report.error for report in self.state.sources.values())
        return StepLine(
            title,
            self._detail(record),
            datetime.fromisoformat(record.at),
            "failed" if failed else "",
            source_lines(self.state.sources) if phase is Phase.search else [],
        )

    def _detail(self, record: StepRecord) -> str:
        """The engine's words; for the strategy, with the sources' labels instead of their names."""
        if record.phase is not Phase.build or self.state.strategy is None:
            return record.detail
        count, sources = len(self.state.strategy.queries), ", ".join(self.state.strategy.sources)
        return f"{count} quer{'y' if count == 1 else 'ies'} for {source_labels(sources)}"

    def _is_current(self, phase: Phase) -> bool:
        """The page shows scoring and organizing as one step."""
        shown = Phase.organize if self.state.phase is Phase.score else self.state.phase
        return phase is shown and self.row.status in OPEN

    def _latest_record(self, phase: Phase) -> StepRecord | None:
        """The latest record of this round; the question is parsed once for all rounds."""
        found = [
            record
            for record in self.state.history
            if record.phase is phase and (phase is Phase.parse or record.iteration == self.state.iteration)
        ]
        return found[-1] if found else None


def source_lines(reports: dict[str, SourceReport]) -> list[SourceLine]:
    return [SourceLine(source_label(name), report.count, report.error) for name, report in reports.items()]


def source_labels(names: str) -> str:
    return ", ".join(source_label(name) for name in names.split(", ") if name)


def source_label(name: str) -> str:
    return KNOWN_SOURCES[name].label if name in KNOWN_SOURCES else name


def paper_address(paper: Paper) -> str:
    """Where the paper can be read: here, at its DOI, or where its source found it."""
    if "snapshot" in paper.source.split(", ") and ":" not in paper.id:
        return reverse("paper", args=[paper.id])
    return doi_url(paper.doi) if paper.doi else paper.full_text_url or ""
