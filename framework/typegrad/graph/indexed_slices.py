"""`IndexedSlices`: a gradient that is zero except for some rows, stored as these rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, final

from typegrad.base.shape import Shape
from typegrad.graph import later
from typegrad.graph.operand import AnyOperand, AnyOutput, Operand, Output, S_co, T, with_shape

if TYPE_CHECKING:
    from typegrad.graph.graph import Graph
    from typegrad.graph.scope import Scope

__all__ = ["AnyIndexedSlices", "IndexedSlices"]


@final
class IndexedSlices(Operand[T, S_co]):
    """The gradient of an operand whose rows were gathered: `values[i]` is row `indices[i]`, other rows are zero.

    Rows of a repeated index accumulate. An optimizer updates only these rows. Used as an operand anywhere else, it
    becomes a dense array: the operations that compute it are added to the graph on first use.

    Source: TensorFlow's `tf.IndexedSlices`.
    """

    __slots__ = ("_dense", "_scope", "_shape", "indices", "rows", "values")

    values: Output[T, Any]
    """The rows, of shape [n, ...]."""
    indices: AnyOutput
    """Their positions, int32 or int64 of shape [n]."""
    rows: int | AnyOperand
    """How many rows the dense array has."""

    def __init__(
        self,
        scope: Scope,
        values: Operand[T, Any],
        indices: AnyOperand,
        rows: int | AnyOperand,
        shape: Shape,
    ) -> None:
        """`shape` is the dense array's; the dense array is made in `scope`, on first use."""
        self.values = values.as_output()
        self.indices = indices.as_output()
        self.rows = rows
        self._shape = shape
        self._scope = scope
        self._dense: Output[T, S_co] | None = None

    def as_output(self) -> Output[T, S_co]:
        """The dense array."""
        if self._dense is None:
            self._dense = self._made_dense()
        return self._dense

    def _made_dense(self) -> Output[T, S_co]:
        wrapper: Any = later.math.UnsortedSegmentSum
        dense: Output[T, S_co] = wrapper.create(self._scope, self.values, self.indices, self.rows).as_output()
        return with_shape(self._scope, dense, self._shape)

    def with_shape(self, shape: Shape) -> IndexedSlices[T, Any]:
        """The same rows of a dense array with this `shape`."""
        return IndexedSlices(self._scope, self.values, self.indices, self.rows, shape)

    @property
    def dtype(self) -> type[T]:
        """The element type."""
        return self.values.dtype

    @property
    def shape(self) -> Shape:
        """The static shape of the dense array."""
        return self._shape

    @property
    def graph(self) -> Graph:
        """The graph this operand belongs to."""
        return self.values.graph

    def __repr__(self) -> str:
        return f"<IndexedSlices {self.dtype.__name__} {self.shape}: {self.values.name} at {self.indices.name}>"


AnyIndexedSlices: TypeAlias = IndexedSlices[Any, Any]
"""Rows of any element type and shape."""
