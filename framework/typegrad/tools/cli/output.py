"""Output and errors of the commands."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Final, NoReturn

import typer
from rich.console import Console
from rich.theme import Theme

from typegrad.base.errors import TypegradError

__all__ = ["CommandError", "CommandLineError", "between", "console", "emit", "fail", "is_fancy", "need"]

_WIDEST: Final = 110
"""The maximum line length, also on wider terminals."""
_THEME: Final = Theme({"markdown.code": "cyan", "markdown.code_block": ""})


class CommandError(TypegradError):
    """A command failed; the message says why, and what to do."""

    status = 1
    """The exit status."""


class CommandLineError(CommandError):
    """The options do not go together, or name what is not there."""

    status = 2


def fail(message: str) -> NoReturn:
    """End the command with exit status 1 and this message."""
    raise CommandError(message)


def need(name: str) -> None:
    """End the command unless the libraries of an optional feature are installed."""
    from typegrad.tools.cli.features import FEATURES

    feature = FEATURES[name]
    if missing := feature.missing():
        fail(f"{feature.what} needs {', '.join(missing)}: run {feature.command}")


def between(least: int, most: int | None = None) -> Callable[[int | None], int | None]:
    """A typer callback that checks a number."""

    def checked(number: int | None) -> int | None:
        if number is not None and (number < least or (most is not None and number > most)):
            expected = f"at least {least}" if most is None else f"between {least} and {most}"
            raise typer.BadParameter(f"expected {expected}, got {number}")
        return number

    return checked


def is_fancy() -> bool:
    """Whether to use colours and lines: on a terminal unless NO_COLOR is set, elsewhere if FORCE_COLOR is set."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


def console() -> Console:
    """The console on standard output."""
    fancy = is_fancy()
    made = Console(highlight=False, force_terminal=fancy, theme=_THEME, color_system="auto" if fancy else None)
    made.width = min(made.width, _WIDEST)
    return made


def emit(value: object) -> None:
    """Print a value as JSON."""
    print(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))
