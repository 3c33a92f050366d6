"""The command line, `typegrad`. What it needs besides typegrad is imported when it runs."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that `argv` (by default, the process's arguments) asks for.

    Returns:
        The exit status: 0 where all is well, 1 where something is wrong, 2 for a command line that makes no sense.
    """
    from typegrad.tools.cli.app import run

    return run(argv)
