"""Commands that connect MCP clients, or call a tool as they do."""

import json
import shlex
from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError
from django.utils import timezone

from mcpapi.clients import (
    CLIENTS,
    CONNECTOR_PLACE,
    local_server,
    registry_entry,
    remote_server,
    start_command,
    write_bundle,
)
from mcpapi.listing.servers import CONNECTOR, GROUPS, PAPERS, SERVERS, UnknownTools
from mcpapi.listing.tool import Tool
from mcpapi.models import McpToken, create_token
from mcpapi.plugin import INSTALLED_BY, write_plugin
from mcpapi.protocol_stdout import claim_stdout
from mcpapi.transport import stdio
from papercore.caller import SCOPES, Scope
from papercore.errors import ToolError
from papersite.data.served_site import site_address

# A hundred years.
TOKEN_DAYS = 36_500


class McpStdio(BaseCommand):
    help = "Serve MCP over stdin and stdout. Logs go to stderr."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("server", nargs="?", default=PAPERS.name, choices=sorted(SERVERS))

    def handle(self, *args: object, **options: str) -> None:
        stdio.serve(SERVERS[options["server"]], claim_stdout())


class McpConfig(BaseCommand):
    help = "Print what to paste or run to connect an MCP client to this site."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--client", required=True, choices=sorted([*CLIENTS, CONNECTOR.name]))
        parser.add_argument("--server", default=PAPERS.name, choices=sorted(SERVERS), help="default: papers")
        parser.add_argument("--site", metavar="URL", help="default: where it was started last")
        parser.add_argument("--stdio", action="store_true", help="let the client start the server itself")
        parser.add_argument(
            "--plugin", type=Path, metavar="FOLDER", help="write a plugin with a skill and the server for it instead"
        )
        parser.add_argument(
            "--tools", default="", metavar="NAMES", help=f"what it lists, with commas: {', '.join(GROUPS)}, or tools"
        )

    def handle(
        self,
        *,
        client: str,
        server: str,
        site: str | None = None,
        stdio: bool,
        tools: str = "",
        plugin: Path | None = None,
        **options: object,
    ) -> None:
        if plugin:
            self._write_plugin(plugin, client, server, tools)
            return
        if client == CONNECTOR.name:
            if stdio:
                raise CommandError("A custom connector is reached by its address: leave out --stdio.")
            self.stderr.write(CONNECTOR_PLACE)
            self.stdout.write(remote_server(CONNECTOR, site_address(site)).url)
            return
        chosen, wanted = CLIENTS[client], SERVERS[server]
        try:
            wanted.choosing(tools)
        except UnknownTools as error:
            raise CommandError(error.message) from None
        if stdio:
            text = chosen.local(local_server(wanted, tools))
        else:
            text = chosen.remote(remote_server(wanted, site_address(site), tools))
        self.stderr.write(chosen.place)
        self.stdout.write(text)

    def _write_plugin(self, folder: Path, client: str, server: str, tools: str) -> None:
        if client not in INSTALLED_BY:
            raise CommandError(f"There are plugins for {' and '.join(INSTALLED_BY)}.")
        try:
            written = write_plugin(folder.absolute(), SERVERS[server], tools)
        except OSError as error:
            raise CommandError(f"{folder} cannot be written: {error.strerror}") from None
        self.stderr.write("\n".join(str(path) for path in written))
        self.stdout.write(INSTALLED_BY[client].format(folder=shlex.quote(str(folder.absolute()))))


class Bundle(BaseCommand):
    help = "Write a .mcpb bundle that a desktop client installs, or print server.json for the registry."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--out", type=Path, default=Path("papersite.mcpb"), metavar="FILE", help="default: %(default)s"
        )
        parser.add_argument("--wheel", type=Path, metavar="FILE", help="put this wheel of papersite into the bundle")
        parser.add_argument("--python", metavar="PYTHON", help="start with this Python, which has papersite")
        parser.add_argument(
            "--registry", metavar="NAME", help="print server.json for io.github.OWNER/papersite instead"
        )

    def handle(
        self, *args: Any, out: Path, wheel: Path | None, python: str | None, registry: str | None, **options: Any
    ) -> None:  # Any: Django's signature
        if registry:
            self.stdout.write(json.dumps(registry_entry(registry), indent=2))
            return
        if wheel and not wheel.is_file():
            raise CommandError(f"There is no wheel {wheel}.")
        try:
            write_bundle(out, PAPERS, start_command(python, wheel), wheel)
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error.strerror}") from None
        self.stdout.write(f"{out}: {len(PAPERS.listed)} tools. Open it with your desktop client.")


class CreateToken(BaseCommand):
    help = "Make a bearer token for /mcp and print it. It is stored hashed, so it is shown this once only."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="who or what will use it")
        parser.add_argument("--scope", choices=SCOPES, default="decide", help="what it may do (default: decide)")
        parser.add_argument("--days", type=int, metavar="N", help="how long it holds (default: until it is revoked)")
        parser.add_argument("--owner", metavar="ACCOUNT", help="whose it is: it ends with that account")

    def handle(self, *, name: str, scope: Scope, days: int | None, owner: str | None, **options: object) -> None:
        if days is not None and not 0 < days <= TOKEN_DAYS:
            raise CommandError(f"--days takes 1 to {TOKEN_DAYS:,}, not {days}.")
        expires_at = None if days is None else timezone.now() + timedelta(days=days)
        try:
            token = create_token(name, scope, expires_at, owner)
        except IntegrityError:
            raise CommandError(f"There is a token named {name!r} already.") from None
        except ObjectDoesNotExist:
            raise CommandError(f"There is no account named {owner!r}.") from None
        except ValueError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(token)
        self.stderr.write("Keep it now: it cannot be shown again. 'papersite revoke-token' revokes it.")


class RevokeToken(BaseCommand):
    help = "Revoke a bearer token by its name; without a name, list all tokens."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", help="the token's name")

    def handle(self, *, name: str | None, **options: object) -> None:
        if name:
            if not McpToken.objects.filter(name=name, revoked_at=None).update(revoked_at=timezone.now()):
                raise CommandError(f"No valid token is named {name!r}.")
            self.stdout.write(f"{name}: revoked.")
            return
        for token in McpToken.objects.select_related("owner").order_by("name"):
            dates = {"expires": token.expires_at, "last used": token.last_used_at, "revoked": token.revoked_at}
            shown = [f"{label} {date:%Y-%m-%d}" for label, date in dates.items() if date]
            owner = [f"of {token.owner}"] if token.owner else []
            self.stdout.write(", ".join([f"{token.name}: {token.scope}", *owner, *shown]))


class CallTool(BaseCommand):
    help = "Call a tool of /mcp and print its answer as JSON; without a name, list the tools."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("tool", nargs="?", metavar="TOOL")
        parser.add_argument("values", nargs="*", metavar="NAME=VALUE", help="lists and objects as JSON")

    def handle(self, *, tool: str | None, values: Sequence[str], **options: object) -> None:
        if tool is None:
            for each in PAPERS.tools:
                self.stdout.write(f"{each.name}({' '.join(_parameters(each))}): {each.description.splitlines()[0]}")
            return
        wanted = PAPERS.tool_by_name.get(tool)
        if wanted is None:
            raise CommandError(f"There is no tool {tool}; without a name, this command lists them.")
        try:
            answer = wanted.function(**dict(_argument(wanted, text) for text in values))
        except ToolError as error:
            raise CommandError(json.dumps(error.payload(), ensure_ascii=False)) from None
        self.stdout.write(answer.model_dump_json(by_alias=True))


def _parameters(tool: Tool) -> dict[str, dict[str, object]]:
    """The schemas of its arguments, by their names."""
    found = tool.input_schema.get("properties")
    return found if isinstance(found, dict) else {}


def _argument(tool: Tool, text: str) -> tuple[str, object]:
    """A value is JSON, unless the tool takes a text there."""
    name, equals, value = text.partition("=")
    schema = _parameters(tool).get(name)
    if not equals or schema is None:
        raise CommandError(f"{tool.name} takes no {text!r}: write name=value, see its names without a value.")
    if "string" in str(schema.get("type", "string")):
        return name, value
    try:
        return name, json.loads(value)
    except ValueError:
        raise CommandError(f'{name}: write it as JSON, such as 5, true or \'["a", "b"]\'.') from None
