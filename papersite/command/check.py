"""The command that checks a draft's bibliography, citation keys, quotations and claims against the library."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ingest.drafts.reading import DRAFT_KINDS, read_draft
from ingest.entries.report import NoProgress, TaskProgress, command_progress
from paper_search.config import load_config
from paper_search.sources.cited_works import CitedWorks
from papercore.bibliography.checking import BibliographyEntry, Elsewhere, FoundElsewhere
from papercore.errors import ToolError
from papers.drafts.checking import CheckedDraft, check_draft
from papers.drafts.report import FAILING, KINDS, as_json, as_sarif, listed


class CheckDraft(BaseCommand):
    help = "Check a bibliography (.bib) against the library, and the keys, quotations and claims of drafts."
    requires_system_checks = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: object) -> CommandParser:
        """Django has a command called "check" of its own; whoever asks for help has typed that name."""
        return super().create_parser(prog_name, "check", **kwargs)

    def add_arguments(self, parser: CommandParser) -> None:
        kinds = ", ".join(DRAFT_KINDS)
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help=f"a .bib, and drafts: {kinds}")
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--json", action="store_true", help="print the findings as JSON")
        form.add_argument("--sarif", action="store_true", help="print them as SARIF 2.1.0, for editors and CI")
        parser.add_argument("--fail-on", default=",".join(FAILING), metavar="KINDS", help="kinds that end with 1")
        parser.add_argument("--online", action="store_true", help="ask Crossref, OpenAlex and arXiv about the .bib too")

    def handle(
        self, *, files: list[Path], json: bool, sarif: bool, fail_on: str, online: bool, **options: object
    ) -> None:
        failing = [kind.strip() for kind in fail_on.split(",") if kind.strip()]
        if unknown := [kind for kind in failing if kind not in KINDS]:
            raise CommandError(f"--fail-on: no finding is called {unknown[0]}; there are {', '.join(KINDS)}.")
        # Programs that read the output may read what is said beside it, too: a bar is for people.
        progress = command_progress(self.stderr) if online or self.stderr.isatty() else NoProgress()
        try:
            checked = check_files(files, progress, online_sources(progress) if online else None)
        except (OSError, ToolError) as error:
            raise CommandError(error.message if isinstance(error, ToolError) else str(error)) from None
        if json or sarif:
            self.stdout.write(as_json(checked, failing) if json else as_sarif(checked, failing))
        else:
            self._report(checked, failing)
        if {item.kind for item in checked.findings} & set(failing):
            sys.exit(1)

    def _report(self, checked: CheckedDraft, failing: Sequence[str]) -> None:
        """A line for each finding; of what is only counted, one line in all."""
        found = listed(checked, failing)
        for item in found:
            place = item.place if item.place_kind == "line" else f"{item.place_kind} {item.place}"
            kind = self.style.ERROR(item.kind) if item.kind in failing else self.style.WARNING(item.kind)
            self.stdout.write(f"{item.file}:{place}: {kind}: {item.message}")
        for note in checked.notes:
            self.stdout.write(note)
        kinds = {"supported": "supported", "differs": "differ", "not_found": "not found", "no_text": "without a text"}
        cited = [f"{count} {said}" for kind, said in kinds.items() if (count := checked.verdicts[kind])]
        if cited:
            self.stdout.write(f"Sentences compared with the papers that they cite: {', '.join(cited)}.")
        if count := checked.verdicts["may_bear"]:
            self.stdout.write(f"Uncited sentences on which papers here may bear: {count} (--json lists them).")
        self.stdout.write(f"{len(found)} to look at.")


def online_sources(progress: TaskProgress) -> Elsewhere:
    """The sources as they are configured; for each entry that gets no answer, why is said as it happens."""
    works = CitedWorks(load_config())

    def ask(entries: Sequence[BibliographyEntry]) -> Iterator[FoundElsewhere]:
        found = progress.track("Entries looked up online", works.look_up(entries), len(entries))
        for entry, answer in zip(entries, found, strict=True):
            if not answer.work:
                progress.say(f"{entry.key}: {answer.note}")
            yield answer

    return ask


def check_files(files: list[Path], progress: TaskProgress, elsewhere: Elsewhere | None = None) -> CheckedDraft:
    """Without a .bib those count that a draft names, if they are in its folder."""
    given = [path for path in files if path.suffix.lower() == ".bib"]
    drafts = {path: read_draft(path) for path in files if path not in given}
    named = [path.parent / name for path, draft in drafts.items() for name in draft.bibliographies]
    given = given or [path for path in dict.fromkeys(named) if path.is_file()]
    bibliographies = {str(path): path for path in given}
    return check_draft({str(path): draft for path, draft in drafts.items()}, bibliographies, progress, elsewhere)
