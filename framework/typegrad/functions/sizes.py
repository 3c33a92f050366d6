"""Sizes of arrays for functions that reshape them: Python ints where they are static, operands elsewhere."""

from __future__ import annotations

from typegrad.graph.operand import AnyOperand, AnyOutput
from typegrad.graph.scope import Scope
from typegrad.op.core import Pad, Reshape, Shape
from typegrad.rules.sizes import Size, vector

__all__ = ["resized", "sizes_of"]


def sizes_of(scope: Scope, x: AnyOutput) -> list[Size]:
    """The size of each dimension of `x`, whose rank is known."""
    if x.shape.is_static:
        return list(x.shape.as_ints())
    shape = Shape.create(scope, x)
    return [dim if isinstance(dim, int) else shape[i] for i, dim in enumerate(x.shape.known())]


def resized(scope: Scope, x: AnyOutput, size: int) -> AnyOperand:
    """`x` with `size` elements in the last dimension: the first ones, or all and zeros after them."""
    *outer, last = sizes_of(scope, x)
    if last == size:
        return x
    missing = max(0, size - last) if isinstance(last, int) else size
    padded = Pad.create(scope, x, [*([0, 0] for _ in outer), [0, missing]]) if missing else x
    first = padded[..., :size]
    return first if isinstance(last, int) else Reshape.create(scope, first, vector(scope, [*outer, size]))
