"""What `==` and `!=` of operands return, which is no value of a graph."""

from __future__ import annotations

from typing import Any, Final, NoReturn, final

__all__ = ["NO_VALUES", "Sameness"]

NO_VALUES: Final = "== and != compare whether operands are the same; math.Equal and math.NotEqual compare their values"


@final
class Sameness:
    """A bool, but for one thing: an operation or a feed refuses it.

    `math.Mean.create(scope, dtypes.Cast.create(scope, predicted == labels, tg.TFloat32))` would always be 0 otherwise.
    """

    __slots__ = ("_truth",)

    def __init__(self, truth: bool) -> None:  # like bool(truth)
        """Whether two operands are the same, or are not."""
        self._truth = truth

    def __bool__(self) -> bool:
        return self._truth

    def __eq__(self, other: object) -> bool:
        return self._truth == bool(other) if isinstance(other, (bool, Sameness)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._truth)

    def __repr__(self) -> str:
        return repr(self._truth)

    def __and__(self, other: Any) -> Any:
        return Sameness(self._truth & bool(other)) if isinstance(other, (bool, Sameness)) else NotImplemented

    def __or__(self, other: Any) -> Any:
        return Sameness(self._truth | bool(other)) if isinstance(other, (bool, Sameness)) else NotImplemented

    __rand__, __ror__ = __and__, __or__

    def __add__(self, other: Any) -> Any:
        return self._truth + other if isinstance(other, int) else NotImplemented

    __radd__ = __add__  # `sum(x == y for y in others)` counts

    def __getitem__(self, index: object) -> NoReturn:
        raise TypeError(f"a bool has no items: {NO_VALUES}")

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a bool has no attribute {name!r}: {NO_VALUES}", name=name, obj=self)
