"""Options: the keywords that several functions share, said once in a `TypedDict`.

One that is misspelt is an error, not ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import Parameter, signature
from typing import Any

from typegrad.arguments.calls import hint
from typegrad.base.errors import OptionError

__all__ = ["check_options"]


def check_options(function: Callable[..., object], shared: type[Any], names: Iterable[str]) -> None:
    """Raise an `OptionError` for a keyword in `names` that `shared`, the `**options` of `function`, does not have.

    The functions that share options hand them on to one place, which checks them for all.
    """
    known: frozenset[str] = shared.__optional_keys__
    for name in names:
        if name not in known:
            own = {name for name, parameter in signature(function).parameters.items() if parameter.kind in _BY_NAME}
            raise OptionError(f"{function.__name__} takes no option `{name}`; {hint(name, known | own)}")


_BY_NAME = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
