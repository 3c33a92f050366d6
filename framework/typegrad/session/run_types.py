"""The static types of `Session.run` and `Session.callable`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Never, Protocol, TypeAlias, TypeVar, overload

import numpy as np

from typegrad.arguments.calls import explained
from typegrad.base.array import Array
from typegrad.graph.operand import AnyOperand, S
from typegrad.graph.operand_like import ReadOnlyList
from typegrad.graph.operation import Operation
from typegrad.graph.operators import Fetchable
from typegrad.graph.part import Part
from typegrad.graph.values import ValueLike

if TYPE_CHECKING:
    from typegrad.graph.wrapper import Op

__all__ = ["Feeds", "Operands", "PreparedCall", "TypedRun"]

K = TypeVar("K", bound=Hashable)
N = TypeVar("N", bound=np.generic)
N_co = TypeVar("N_co", bound=np.generic, covariant=True)
R_co = TypeVar("R_co", covariant=True)


class _ArrayOrNumber(Protocol):
    """What mypy makes of an array and a number of NumPy in one dict: a class of NumPy that both derive from."""

    @property
    def nbytes(self) -> int: ...


class _Items(Protocol):
    """A mapping with covariant keys, unlike `Mapping`, so that a `dict[Output[TFloat32], ...]` fits."""

    def items(self) -> Iterable[tuple[AnyOperand | str, ValueLike | _ArrayOrNumber]]: ...


class _FeedsOfSeveralTypes(Protocol):
    """What mypy makes of a dict whose keys are operands of several types: of what these have in common, or `object`.

    No dict of numbers fits, nor one of operands of one type, as the keys of dicts are invariant.
    """

    def __getitem__(self, key: Part, /) -> object: ...
    def items(self) -> Iterable[tuple[object, object]]: ...


class _FeedsOfSeveralValues(Protocol):
    """What mypy makes of a dict whose values are of several types, such as an array and a number: of `object`.

    No dict of one type of values fits, as it does not take any object as a value.
    """

    def __setitem__(self, key: Never, value: object, /) -> None: ...
    def items(self) -> Iterable[tuple[AnyOperand | str, object]]: ...


Feeds: TypeAlias = Mapping[AnyOperand, ValueLike] | Mapping[str, ValueLike] | _Items
"""What a run feeds: values for operands, by the operand or its name."""
_Fed: TypeAlias = Feeds | _FeedsOfSeveralTypes | _FeedsOfSeveralValues | None
"""What `run` accepts as feeds."""


Operands: TypeAlias = Iterable[AnyOperand | str]
"""What a callable is fed: operands or their names."""


class PreparedCall(Protocol[R_co]):
    """What `Session.callable` returns."""

    def __call__(self, *values: ValueLike) -> R_co:
        """Run with these values for the fed operands, in their order; what `run` returns."""
        ...


class _ElementType(Protocol[N_co]):
    """An element type whose arrays hold NumPy's `N`; `Any` if it is a marker, which covers several types."""

    @property
    def numpy(self) -> np.dtype[N_co]: ...


class _NamedTuple(Protocol):
    def _asdict(self) -> dict[str, Any]: ...


class _Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]


class _Attrs(Protocol):
    __attrs_attrs__: ClassVar[Any]


_Record: TypeAlias = _NamedTuple | _Dataclass | _Attrs
"""Named tuples, dataclasses and attrs classes whose fields are fetches."""
_One: TypeAlias = Part | str | None
_Nested: TypeAlias = "_One | _Record | tuple[_Nested, ...] | ReadOnlyList[_Nested] | Mapping[Any, _Nested]"


class TypedRun:
    """`run` and `callable`, typed."""

    _run: Callable[[Any, Any], Any]
    """Does what `run` says."""
    _callable: Callable[[Any, Operands], Any]
    """Does what `callable` says."""

    # Few forms, because type checkers try them in turn. A dict display has `Any` in its type; Pyright then tries all.
    # A gradient that may be None has an array, as a run refuses None.
    @overload
    def run(
        self, fetches: Fetchable[_ElementType[N], S] | None, feed_dict: _Fed = None
    ) -> np.ndarray[S, np.dtype[N]]: ...
    @overload
    def run(self, fetches: Operation, feed_dict: _Fed = None) -> None: ...
    @overload
    def run(self, fetches: Op | str | _Record, feed_dict: _Fed = None) -> Any: ...
    @overload
    def run(self, fetches: tuple[AnyOperand, ...], feed_dict: _Fed = None) -> tuple[Array, ...]: ...
    @overload
    def run(self, fetches: tuple[_Nested, ...], feed_dict: _Fed = None) -> tuple[Any, ...]: ...
    @overload
    def run(self, fetches: ReadOnlyList[AnyOperand], feed_dict: _Fed = None) -> list[Array]: ...
    @overload
    def run(self, fetches: ReadOnlyList[_Nested], feed_dict: _Fed = None) -> list[Any]: ...
    @overload
    def run(self, fetches: Mapping[str, _Nested], feed_dict: _Fed = None) -> dict[str, Any]: ...
    @overload
    def run(self, fetches: Mapping[K, _Nested], feed_dict: _Fed = None) -> dict[K, Any]: ...
    @explained
    def run(self, fetches: Any, feed_dict: Any = None) -> Any:
        """Run what `fetches` needs and return its value.

        Args:
            fetches: An operand, whose value is an array. Or an operation, run for its effect: its value is None. A
                wrapper of several outputs has a tuple of arrays, a list output a list. A variable has its value at the
                end of the run. A name means an output ("y:0", "Split:1"), a variable ("w") or an operation ("train").
                Lists, tuples, mappings, named tuples, dataclasses and attrs classes of fetches, nested as one likes,
                have a value of the same structure, in which mappings are dicts. A field that is None stays None.
            feed_dict: The values for this run of some operands, which may be placeholders or any others, by the operand
                or its name: arrays of the operand's type, or Python numbers and lists.

        Raises:
            FeedError: A feed or fetch does not fit.
            GraphError: There is no operand or operation of that name, or it belongs to another graph.
            ShapeError: The shapes of the feeds do not fit the graph.
            FailedPreconditionError: A variable has no value yet.
            InvalidArgumentError: An operation refuses a value; variables are then as they were.
        """
        return self._run(fetches, feed_dict)

    @overload
    def callable(
        self, fetches: Fetchable[_ElementType[N], S] | None, feeds: Operands = ()
    ) -> PreparedCall[np.ndarray[S, np.dtype[N]]]: ...
    @overload
    def callable(self, fetches: Operation, feeds: Operands = ()) -> PreparedCall[None]: ...
    @overload
    def callable(self, fetches: Op | str | _Record, feeds: Operands = ()) -> PreparedCall[Any]: ...
    @overload
    def callable(self, fetches: tuple[AnyOperand, ...], feeds: Operands = ()) -> PreparedCall[tuple[Array, ...]]: ...
    @overload
    def callable(self, fetches: tuple[_Nested, ...], feeds: Operands = ()) -> PreparedCall[tuple[Any, ...]]: ...
    @overload
    def callable(self, fetches: ReadOnlyList[AnyOperand], feeds: Operands = ()) -> PreparedCall[list[Array]]: ...
    @overload
    def callable(self, fetches: ReadOnlyList[_Nested], feeds: Operands = ()) -> PreparedCall[list[Any]]: ...
    @overload
    def callable(self, fetches: Mapping[str, _Nested], feeds: Operands = ()) -> PreparedCall[dict[str, Any]]: ...
    @overload
    def callable(self, fetches: Mapping[K, _Nested], feeds: Operands = ()) -> PreparedCall[dict[K, Any]]: ...
    @explained
    def callable(self, fetches: Any, feeds: Operands = ()) -> Any:
        """Prepare a run: a function that takes the values of `feeds`, in their order, and returns what `run` does.

        It costs less than `run` for each call, which matters for small graphs. It may be called by several threads.

        Args:
            fetches: What to return, as for `run`.
            feeds: The operands, or their names, that the function takes values for.

        Raises:
            FeedError: A fetch or an operand to feed does not fit, or a placeholder is missing.
            GraphError: There is no operand or operation of that name, or it belongs to another graph.
        """
        return self._callable(fetches, feeds)
