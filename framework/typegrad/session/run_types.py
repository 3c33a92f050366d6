"""The static types of `Session.run`: one overload per element type, so that a fetch has NumPy's dtype; the shape passes through."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from typegrad.calls import explained
from typegrad.literals import Listed
from typegrad.operand import Operand, S
from typegrad.operation import Operation
from typegrad.types import (
    TBfloat16,
    TBool,
    TComplex64,
    TComplex128,
    TFloat16,
    TFloat32,
    TFloat64,
    TInt8,
    TInt16,
    TInt32,
    TInt64,
    TResource,
    TString,
    TType,
    TUint8,
    TUint16,
    TUint32,
    TUint64,
)

if TYPE_CHECKING:
    from typegrad.wrapper import Op, Wrapper

__all__ = ["Feeds", "TypedRun"]


class _Items(Protocol):
    """A mapping seen through its items alone: unlike `Mapping`, that is covariant, so a `dict[Output[TFloat32], ...]` fits."""

    def items(self) -> Iterable[tuple[Operand[Any, Any], ArrayLike]]: ...


Feeds: TypeAlias = Mapping[Operand[Any, Any], ArrayLike] | _Items
"""What a run feeds: a value for each of some operands."""

K = TypeVar("K", bound=Hashable)
T = TypeVar("T", bound=TType)


class TypedRun(ABC):
    """`run`, typed."""

    @abstractmethod
    def _run(self, fetches: Any, feeds: Feeds | None) -> Any:
        """Do what `run` says."""

    # A handle has no value to fetch. The form is for operands of type Any: Pyright takes the first form that they fit.
    @overload
    def run(self, fetches: Operand[TResource, S], feeds: Feeds | None = None) -> np.ndarray[S, np.dtype[Any]]: ...
    @overload
    def run(self, fetches: Operand[TFloat32, S], feeds: Feeds | None = None) -> np.ndarray[S, np.dtype[np.float32]]: ...
    @overload
    def run(self, fetches: Operand[TFloat64, S], feeds: Feeds | None = None) -> np.ndarray[S, np.dtype[np.float64]]: ...
    @overload
    def run(self, fetches: Operand[TFloat16, S], feeds: Feeds | None = None) -> np.ndarray[S, np.dtype[np.float16]]: ...
    @overload
    def run(self, fetches: Operand[TBfloat16, S], feeds: Feeds | None = None) -> np.ndarray[S, np.dtype[Any]]: ...
    @overload
    def run(self, fetches: Operand[TInt8, S], feeds: Feeds | None = None) -> np.ndarray[S, np.dtype[np.int8]]: ...
    @overload
    def run(self, fetches: Operand[TInt16, S], feeds: Feeds | None = None) -> np.ndarray[S, np.dtype[np.int16]]: ...
    @overload
    def run(self, fetches: Operand[TInt32, S], feeds: Feeds | None = None) -> np.ndarray[S, np.dtype[np.int32]]: ...
    @overload
    def run(self, fetches: Operand[TInt64, S], feeds: Feeds | None = None) -> np.ndarray[S, np.dtype[np.int64]]: ...
    @overload
    def run(self, fetches: Operand[TUint8, S], feeds: Feeds | None = None) -> np.ndarray[S, np.dtype[np.uint8]]: ...
    @overload
    def run(self, fetches: Operand[TUint16, S], feeds: Feeds | None = None) -> np.ndarray[S, np.dtype[np.uint16]]: ...
    @overload
    def run(self, fetches: Operand[TUint32, S], feeds: Feeds | None = None) -> np.ndarray[S, np.dtype[np.uint32]]: ...
    @overload
    def run(self, fetches: Operand[TUint64, S], feeds: Feeds | None = None) -> np.ndarray[S, np.dtype[np.uint64]]: ...
    @overload
    def run(
        self, fetches: Operand[TComplex64, S], feeds: Feeds | None = None
    ) -> np.ndarray[S, np.dtype[np.complex64]]: ...
    @overload
    def run(
        self, fetches: Operand[TComplex128, S], feeds: Feeds | None = None
    ) -> np.ndarray[S, np.dtype[np.complex128]]: ...
    @overload
    def run(self, fetches: Operand[TBool, S], feeds: Feeds | None = None) -> np.ndarray[S, np.dtype[np.bool_]]: ...
    @overload
    def run(self, fetches: Operand[TString, S], feeds: Feeds | None = None) -> np.ndarray[S, np.dtype[np.object_]]: ...
    @overload
    def run(self, fetches: Operand[T, S], feeds: Feeds | None = None) -> np.ndarray[S, np.dtype[Any]]: ...
    @overload
    def run(self, fetches: Operation | Op, feeds: Feeds | None = None) -> None: ...
    @overload
    def run(self, fetches: tuple[Operand[Any, Any], ...], feeds: Feeds | None = None) -> tuple[NDArray[Any], ...]: ...
    @overload
    def run(
        self, fetches: tuple[Operand[Any, Any] | Operation | Wrapper, ...], feeds: Feeds | None = None
    ) -> tuple[Any, ...]: ...
    @overload
    def run(self, fetches: Listed[Operand[Any, Any]], feeds: Feeds | None = None) -> list[NDArray[Any]]: ...
    @overload
    def run(
        self, fetches: Listed[Operand[Any, Any] | Operation | Wrapper], feeds: Feeds | None = None
    ) -> list[Any]: ...
    @overload
    def run(
        self, fetches: Mapping[K, Operand[Any, Any] | Operation | Wrapper], feeds: Feeds | None = None
    ) -> dict[K, Any]: ...
    @explained
    def run(self, fetches: Any, feeds: Feeds | None = None) -> Any:
        """Run what `fetches` needs and return its value: an array for an operand, None for an operation.

        A tuple of fetches gives a tuple, a list a list, a mapping a dict with the same keys. `feeds` gives operands (placeholders,
        or any other) their values for this run: arrays of the operand's type, or Python numbers and lists.
        Raises `FeedError` for a feed or fetch that does not fit, `ShapeError` if the feeds' shapes do not fit the graph,
        `InvalidArgumentError` for values an operation refuses; variables are then as they were.
        """
        return self._run(fetches, feeds)
