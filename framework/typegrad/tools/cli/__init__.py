"""The command line, `typegrad`. Other libraries that a command needs are imported when it runs."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns:
        The exit status: 0 for success, 1 for an error, 2 for an invalid command line.
    """
    from typegrad.tools.cli.app import run

    return run(argv)
