"""`python -m paper_search <words>`: search, approve every checkpoint, print the table."""

import asyncio
import sys

from paper_search.config import load_config
from paper_search.export import export_markdown
from paper_search.models import SourceReport, StepRecord
from paper_search.workflow import SearchWorkflow
from papercore.errors import ToolError


class TerminalProgress:
    """One line on stderr for each step and source that has finished, if stderr is a terminal."""

    def step_done(self, record: StepRecord) -> None:
        self._print(f"{record.phase}: {record.detail}")

    def source_done(self, source: str, report: SourceReport) -> None:
        self._print(f"  {source}: {report.error or f'{report.count} papers'}")

    def _print(self, line: str) -> None:
        if sys.stderr.isatty():
            print(line, file=sys.stderr)


def main() -> int:
    words = sys.argv[1:]
    if not words:
        print("Usage: python -m paper_search <query>", file=sys.stderr)
        return 1
    try:
        workflow = SearchWorkflow.from_config(load_config(), progress_reporter=TerminalProgress())
        result = asyncio.run(workflow.run(" ".join(words)))
    except ToolError as error:
        print(f"paper_search: {error.message}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("paper_search: interrupted", file=sys.stderr)
        return 1
    for name, reason in result.metadata.failed_sources.items():
        print(f"paper_search: {name}: {reason}", file=sys.stderr)
    print(export_markdown(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
