"""The command `papersite`, also as `python -m papersite`."""

import sys


def main() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 (a checkout can be started with any Python)
        sys.exit("papersite needs Python 3.11 or newer: uvx --python 3.12 papersite")
    from papersite.command.main import main as run

    sys.exit(run())


if __name__ == "__main__":
    main()
