"""Command for developers: python -m paper_search <words>: search, approve everything, print the table."""

import asyncio
import sys

from paper_search.config import load_config
from paper_search.export import export_markdown
from paper_search.models import PaperCollection
from paper_search.progress import SourceReport, StepRecord
from paper_search.workflow import SearchWorkflow
from papercore.errors import ToolError


class TerminalProgress:
    """One line on stderr for each thing that is done, if somebody watches."""

    def step_done(self, record: StepRecord) -> None:
        self._say(f"{record.phase}: {record.detail}")

    def source_done(self, source: str, report: SourceReport) -> None:
        self._say(f"  {source}: {report.error or f'{report.count} papers'}")

    def _say(self, line: str) -> None:
        if sys.stderr.isatty():
            print(line, file=sys.stderr)


def main() -> int:
    words = sys.argv[1:]
    if not words:
        print("Usage: python -m paper_search <query>", file=sys.stderr)
        return 1
    try:
        print(export_markdown(asyncio.run(_search(" ".join(words)))))
    except ToolError as error:
        print(f"paper_search: {error.message}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("paper_search: interrupted", file=sys.stderr)
        return 1
    return 0


async def _search(query: str) -> PaperCollection:
    workflow = SearchWorkflow.from_config(load_config(), progress_reporter=TerminalProgress())
    result = await workflow.run(query)
    failed = {name: report.error for name, report in _reports(workflow).items() if report.error}
    if failed and len(failed) == len(_reports(workflow)):
        raise AllSourcesFailed("; ".join(f"{name}: {why}" for name, why in failed.items()))
    for name, why in failed.items():
        print(f"paper_search: {name}: {why}", file=sys.stderr)
    return result


def _reports(workflow: SearchWorkflow) -> dict[str, SourceReport]:
    return workflow.state.sources if workflow.state else {}


class AllSourcesFailed(ToolError):
    """No source answered, so an empty table would be a lie."""

    code = "all_sources_failed"


if __name__ == "__main__":
    sys.exit(main())
