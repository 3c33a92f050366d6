"""Arguments of the command line: a dry run is given none, so that options have their defaults."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, Final

from typegrad.dry_run.unknown import UncertainError

__all__ = ["parsed"]

_METHODS: Final = frozenset(("parse_args", "parse_intermixed_args", "parse_known_args"))
"""The methods that read the command line unless they are given arguments."""


def parsed(call: Callable[..., Any], function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What a method of a parser returns.

    A `SystemExit` if these arguments end the program, an `UncertainError` if no arguments would.
    """
    given = args[0] if args else kwargs.get("args")
    if getattr(function, "__name__", "") in _METHODS and given is None:
        args, kwargs = ([], *args[1:]), {key: each for key, each in kwargs.items() if key != "args"}
    with redirect_stderr(io.StringIO()), redirect_stdout(io.StringIO()):
        try:
            return call(function, args, kwargs)
        except SystemExit:
            if given is None:
                raise UncertainError from None
            raise
