"""Arguments of the command line: a dry run is given none, so that options have their defaults."""

from __future__ import annotations

import argparse
import io
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Any, Final

from typegrad.dry_run.functions.library import evaluated
from typegrad.dry_run.known.unknown import UNKNOWN, UncertainError, has_unknown
from typegrad.dry_run.tracking.core import OutOfTimeError

if TYPE_CHECKING:
    from typegrad.dry_run.tracking.core import Core

__all__ = ["called"]

_METHODS: Final = frozenset(("parse_args", "parse_intermixed_args", "parse_known_args"))
"""The methods that read the command line unless they are given arguments."""
_SHOWN: Final = frozenset(("choices", "help", "metavar"))
"""What of an option may be left out: it refuses arguments, or is shown."""
_ANY_TEXT: Final = "text"
"""In the place of an unknown argument of the command line."""
_STORING: Final = type(argparse.ArgumentParser().add_argument("--name"))
"""The class of options that store their argument."""


def called(machine: Core, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """What a method of a parser returns.

    A `SystemExit` if these arguments end the program, an `UncertainError` if no arguments would, or if that is unknown.
    """
    name, options = getattr(function, "__name__", ""), getattr(function.__self__, "_actions", None)
    if options in machine.tainted:  # which a parser shares with its groups
        return UNKNOWN
    if kwargs.get("type") is evaluated:
        kwargs = {**kwargs, "type": _evaluated}
    if not has_unknown((args, kwargs)):
        call = _parsed if name in _METHODS else _silently
        return call(machine, function, args, kwargs)
    if name == "parse_args" and not kwargs:
        return _partly_parsed(function, args)
    if name in _METHODS:
        return UNKNOWN
    kwargs = _without_unknown(kwargs) if name == "add_argument" else kwargs
    is_known = name == "set_defaults" or not has_unknown((args, {**kwargs, "default": None}))
    if name in ("add_argument", "set_defaults") and is_known:
        return _silently(machine, function, args, kwargs)
    machine.tainted.lose(options)
    return UNKNOWN


def _without_unknown(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `add_argument` for an option that may be unknown, but is there."""
    known = {key: each for key, each in kwargs.items() if key not in _SHOWN or not has_unknown(each)}
    return {**known, "type": _unknown} if known.get("type") is UNKNOWN else known


def _unknown(text: str) -> Any:
    """What an unknown function makes of an argument."""
    del text
    return UNKNOWN


def _evaluated(text: str) -> Any:
    """What `eval` makes of an argument, which is unknown but for literals."""
    try:
        return evaluated(text)
    except OutOfTimeError:
        return UNKNOWN


def _silently(machine: Core, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    with redirect_stderr(io.StringIO()), redirect_stdout(io.StringIO()):
        return machine.of_library(function, args, kwargs)


def _parsed(machine: Core, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    given = args[0] if args else kwargs.get("args")
    if given is not None:
        return _silently(machine, function, args, kwargs)
    try:
        return _silently(machine, function, ([], *args[1:]), {key: kwargs[key] for key in kwargs if key != "args"})
    except SystemExit:
        raise UncertainError from None


def _partly_parsed(function: Any, args: Sequence[Any]) -> Any:
    """The options, where those are unknown that have an unknown text; an `UncertainError` if it may be no option's."""
    parser, texts = function.__self__, args[0]
    if texts is UNKNOWN or len(args) > 1:
        raise UncertainError
    options = [_option(parser, texts, place) for place, text in enumerate(texts) if text is UNKNOWN]
    known = [_ANY_TEXT if text is UNKNOWN else text for text in texts]
    if any(each.nargs in (argparse.PARSER, argparse.REMAINDER) for each in _actions(parser)) or "--" in known:
        raise UncertainError
    with _of_any_text(options), redirect_stderr(io.StringIO()), redirect_stdout(io.StringIO()):
        result = parser.parse_args(known)
    for each in options:
        setattr(result, each.dest, UNKNOWN)
    return result


def _option(parser: Any, texts: Sequence[Any], place: int) -> argparse.Action:
    """The option that takes the text at a place, whatever it is."""
    name = texts[place - 1] if place else None
    action = next((each for each in _actions(parser) if isinstance(name, str) and name in each.option_strings), None)
    if action is None or type(action) is not _STORING or action.nargs is not None:
        raise UncertainError
    return action


def _actions(parser: Any) -> Sequence[argparse.Action]:
    actions: Sequence[argparse.Action] = parser._actions
    return actions


@contextmanager
def _of_any_text(options: Sequence[argparse.Action]) -> Generator[None]:
    """Have options take any text as it is."""
    before = [(each, each.type, each.choices) for each in options]
    for each in options:
        each.type = each.choices = None
    try:
        yield
    finally:
        for each, type_, choices in reversed(before):
            each.type, each.choices = type_, choices
