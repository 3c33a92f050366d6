"""Functions that pytest calls with the values of `pytest.mark.parametrize`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from types import FunctionType
from typing import Any, Final, TypeVar, final

from typegrad.dry_run.unknown import UNKNOWN

__all__ = ["Mark", "cases_of"]

_MOST: Final = 32
"""How many calls of a function are followed."""
_CASES: Final = "__cases__"
_F = TypeVar("_F")


@final
class Mark:
    """`pytest.mark`, of which only `parametrize` is known."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return UNKNOWN

    def parametrize(self, names: str | Sequence[str], values: Sequence[Any], **_report: object) -> Callable[[_F], _F]:
        """Note the values of some parameters, for `cases_of`."""
        split = [each.strip() for each in names.split(",")] if isinstance(names, str) else [*names]

        def noted(function: _F) -> _F:
            cases = [dict(zip(split, value if len(split) > 1 else [value], strict=False)) for value in values]
            vars(function)[_CASES] = [*vars(function).get(_CASES, ()), cases]
            return function

        return noted


def cases_of(function: FunctionType) -> Iterator[dict[str, Any]]:
    """The arguments of the calls of a function, one call without arguments if nothing is noted of it."""
    noted: Sequence[Sequence[dict[str, Any]]] = vars(function).get(_CASES, ())
    for parts in islice(product(*noted), _MOST):
        yield {name: value for part in parts for name, value in part.items()}
