#!/usr/bin/env python
"""Run a command of the project from a checkout: `python manage.py help`."""

import os
import sys


def main() -> None:
    if sys.argv[1:2] == ["mcp_stdio"]:
        # Before anything can print: stdout is for the protocol alone.
        from mcpapi.protocol_stdout import claim_stdout

        claim_stdout()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
    from django.core.exceptions import ImproperlyConfigured

    from papersite.command.commands import CommandLine
    from papersite.configuration.files import let_children_import

    let_children_import()
    try:
        CommandLine(sys.argv).execute()
    except ImproperlyConfigured as error:  # a wrong setting, which the message names
        sys.exit(f"{error}")


if __name__ == "__main__":
    main()
