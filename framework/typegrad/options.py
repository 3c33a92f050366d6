"""Options: the keywords that several functions share, said once in a `TypedDict`. One that is misspelt is an error, not ignored."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from inspect import Parameter, signature
from typing import Any

from typegrad.errors import OptionError

__all__ = ["check_options"]


def check_options(function: Callable[..., Any], shared: type[Any], given: Iterable[str]) -> None:
    """An `OptionError` if one of the `given` keywords is no key of `shared`, which says what `function` takes as `**options`.

    The functions that share options hand them on to one place, which checks them for all.
    """
    known: frozenset[str] = shared.__optional_keys__
    for name in given:
        if name not in known:
            raise OptionError(f"{function.__name__} takes no option `{name}`{_hint(name, function, known)}")


def _hint(name: str, function: Callable[..., Any], known: frozenset[str]) -> str:
    """What may have been meant: a shared option, or a parameter of the function's own."""
    own = {name for name, parameter in signature(function).parameters.items() if parameter.kind in _BY_NAME}
    near = get_close_matches(name, known | own, 1)
    if near:
        return f"; did you mean `{near[0]}`?"
    return f"; it takes {', '.join(f'`{name}`' for name in sorted(known | own))}"


_BY_NAME = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
