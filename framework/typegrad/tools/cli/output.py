"""What the commands share: where their output goes, and how they fail."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any, Final, NoReturn

import typer
from rich.console import Console
from rich.theme import Theme

from typegrad.base.errors import TypegradError

__all__ = ["CommandError", "between", "console", "emit", "fail", "is_fancy", "need"]

_WIDEST: Final = 110
"""Longer lines are hard to read, however wide the terminal is."""
_THEME: Final = Theme({"markdown.code": "cyan", "markdown.code_block": ""})


class CommandError(TypegradError):
    """A command cannot do what it was asked for; the message says why, and what to do."""


def fail(message: str) -> NoReturn:
    """End the command with exit status 1 and this message."""
    raise CommandError(message)


def need(name: str) -> None:
    """End the command unless the libraries of an optional feature are there."""
    from typegrad.tools.cli.features import FEATURES

    feature = FEATURES[name]
    if missing := feature.missing():
        fail(f"{feature.what} needs {', '.join(missing)}: run {feature.command}")


def between(least: int, most: int | None = None) -> Callable[[int | None], int | None]:
    """A check of a number, as typer's callback for an option."""

    def checked(number: int | None) -> int | None:
        if number is not None and (number < least or (most is not None and number > most)):
            expected = f"at least {least}" if most is None else f"between {least} and {most}"
            raise typer.BadParameter(f"expected {expected}, got {number}")
        return number

    return checked


def is_fancy() -> bool:
    """Whether colours and lines are wanted: on a terminal, unless NO_COLOR says no; elsewhere, if FORCE_COLOR says so."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


def console() -> Console:
    """Standard output."""
    fancy = is_fancy()
    made = Console(highlight=False, force_terminal=fancy, theme=_THEME, color_system="auto" if fancy else None)
    made.width = min(made.width, _WIDEST)
    return made


def emit(value: Any) -> None:
    """Print JSON, and nothing else."""
    print(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))
