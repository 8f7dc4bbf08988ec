"""The site's commands by name: called, listed and run as Django's own are."""

from django.core.management import BaseCommand, ManagementUtility
from django.core.management import call_command as call_django_command
from django.utils.module_loading import import_string

# A chapter is loaded when one of its commands is named.
COMMANDS = {
    "build_snapshot": "index.BuildSnapshot",
    "add_papers": "library.AddPapers",
    "remove_papers": "library.RemovePapers",
    "undo_update": "library.Undo",
    "undo": "library.Undo",
    "redo": "library.Redo",
    "add": "library.AddPapers",
    "history": "library.History",
    "edit": "records.Edit",
    "merge": "records.Merge",
    "split": "records.Split",
    "tell_apart": "records.TellApart",
    "attach": "records.Attach",
    "duplicates": "records.Duplicates",
    "incomplete": "records.Incomplete",
    "ocr": "index.ReadByOcr",
    "remove": "library.RemovePapers",
    "watch": "watch.WatchLibrary",
    "watch_library": "watch.WatchLibrary",
    "look_up": "searches.LookUp",
    "check_draft": "check.CheckDraft",
    "check_snapshot": "index.CheckSnapshot",
    "build_index": "index.BuildIndex",
    "fill_index": "index.FillIndex",
    "build_spec_index": "index.BuildSpecIndex",
    "model": "models.Models",
    "install_model": "models.InstallModel",
    "mcp_stdio": "clients.McpStdio",
    "mcp_config": "clients.McpConfig",
    "bundle": "clients.Bundle",
    "call": "clients.CallTool",
    "create_token": "clients.CreateToken",
    "revoke_token": "clients.RevokeToken",
    "expire_sessions": "searches.ExpireSessions",
    "demo": "service.Demo",
    "serve": "service.Serve",
    "link": "service.Link",
    "invite": "service.Invite",
    "prepare": "service.Prepare",
    "upgrade_check": "service.UpgradeCheck",
    "doctor": "doctor.Doctor",
}


def site_command(name: str) -> BaseCommand:
    command: type[BaseCommand] = import_string(f"papersite.command.{COMMANDS[name]}")
    return command()


def call_command(name: str, *arguments: object, **options: object) -> None:
    """Run a command of the site or of Django in this process; it raises what it fails with."""
    call_django_command(site_command(name) if name in COMMANDS else name, *arguments, **options)


class CommandLine(ManagementUtility):
    """Django's command line with the site's commands in it."""

    def fetch_command(self, subcommand: str) -> BaseCommand:
        return site_command(subcommand) if subcommand in COMMANDS else super().fetch_command(subcommand)

    def main_help_text(self, commands_only: bool = False) -> str:
        listed = super().main_help_text(commands_only)
        if commands_only:
            return "\n".join(sorted([*listed.splitlines(), *COMMANDS]))
        return "\n".join([listed, "", "[papersite]", *(f"    {name}" for name in sorted(COMMANDS))])
