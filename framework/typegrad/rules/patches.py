"""Gradients of `ops/patches.yaml`.

The patches of an array of numbers, 0 beyond the edges, tell which element each of their elements was taken from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typegrad.base.types import TInt32
from typegrad.graph.operand import AnyOperand, AnyOutput, Operand
from typegrad.graph.scope import Scope
from typegrad.op.core import ExtractVolumePatches, Range, Reshape
from typegrad.op.image import ExtractImagePatches
from typegrad.op.linalg import Transpose
from typegrad.op.math import UnsortedSegmentSum
from typegrad.rules.common import Gradients
from typegrad.rules.sizes import size_between, vector


def extract_image_patches(scope: Scope, op: ExtractImagePatches[Any], grad: AnyOutput) -> Gradients:
    own = op.inputs

    def patches(x: Operand[TInt32]) -> Operand[TInt32]:
        return ExtractImagePatches.create(scope, x, own.ksizes, own.strides, own.rates, own.padding)

    return _moved_back(scope, own.images, 2, grad, patches)


def extract_volume_patches(scope: Scope, op: ExtractVolumePatches[Any], grad: AnyOutput) -> Gradients:
    own = op.inputs

    def patches(x: Operand[TInt32]) -> Operand[TInt32]:
        return ExtractVolumePatches.create(scope, x, own.ksizes, own.strides, own.padding)

    return _moved_back(scope, own.input, 3, grad, patches)


def _moved_back(
    scope: Scope, x: AnyOutput, rank: int, grad: AnyOutput, patches: Callable[[Operand[TInt32]], Operand[TInt32]]
) -> AnyOperand:
    """The gradients of patches, accumulated at the elements that they were taken from."""
    batch, *space, channels = (size_between(scope, x, axis, axis + 1) for axis in range(rank + 2))
    count = size_between(scope, x, 1, rank + 1)
    numbers = Reshape.create(scope, Range.create(scope, 1, count + 1, 1), vector(scope, [1, *space, 1]))
    elements = Reshape.create(scope, patches(numbers), [-1]) - 1
    of_patches = vector(scope, [batch, size_between(scope, elements.as_output(), 0, 1), channels])
    by_element = Transpose.create(scope, Reshape.create(scope, grad, of_patches), [1, 0, 2])
    sums = UnsortedSegmentSum.create(scope, by_element, elements, count)
    shape = vector(scope, [*space, batch, channels])
    return Transpose.create(scope, Reshape.create(scope, sums, shape), [rank, *range(rank), rank + 1])
