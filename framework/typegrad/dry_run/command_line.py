"""Arguments of the command line: a dry run is given none, so that options have their defaults."""

from __future__ import annotations

import io
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, Final

from typegrad.dry_run.unknown import UncertainError

__all__ = ["is_parsing", "parsed"]

_METHODS: Final = frozenset(("parse_args", "parse_intermixed_args", "parse_known_args"))


def is_parsing(function: Any) -> bool:
    """Whether it is a method that reads the command line unless it is given arguments."""
    owner = getattr(function, "__self__", None)
    return isinstance(owner, ArgumentParser) and getattr(function, "__name__", "") in _METHODS


def parsed(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The options; a `SystemExit` if these arguments end the program, an `UncertainError` if none would."""
    given = args[0] if args else kwargs.get("args")
    with redirect_stderr(io.StringIO()), redirect_stdout(io.StringIO()):
        try:
            return function([] if given is None else given)
        except SystemExit:
            if given is None:
                raise UncertainError from None
            raise
