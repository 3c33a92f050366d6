"""Gradients of `ops/partitioning.yaml`."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from typegrad.graph.operand import AnyOperand, AnyOutput, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import DynamicPartition, DynamicStitch, Gather, Range, Reshape, Select, Size
from typegrad.op.math import Equal
from typegrad.rules.common import Gradients, N, OutputGradients
from typegrad.rules.segment import stretched
from typegrad.rules.sizes import shape_of


def dynamic_partition(scope: Scope, op: DynamicPartition[N], grads: OutputGradients) -> Gradients:
    """Stitch the gradients together at the numbers of the slices, which are partitioned in the same way."""
    data, partitions = op.inputs.data, op.inputs.partitions
    numbers = _numbers(scope, partitions, 0)
    places = DynamicPartition.create(scope, numbers, partitions, num_partitions=op.inputs.num_partitions).outputs
    return Reshape.create(scope, DynamicStitch.create(scope, places, grads[:]), shape_of(scope, data))


def _numbers(scope: Scope, x: AnyOutput, first: Any) -> AnyOperand:
    """Consecutive numbers in an array of x's shape."""
    end = first + Size.create(scope, x)
    return Reshape.create(scope, Range.create(scope, first, end, 1), shape_of(scope, x))


def dynamic_stitch(scope: Scope, op: DynamicStitch[N], grad: Output[N]) -> Gradients:
    """The gradient at the position of each slice that is the last one there."""
    indices, data = op.inputs.indices, op.inputs.data
    sizes = [Size.create(scope, each) for each in indices]
    starts = accumulate(sizes[:-1], initial=0)
    numbers = [_numbers(scope, each, start) for each, start in zip(indices, starts, strict=True)]
    last = DynamicStitch.create(scope, indices, numbers)

    def gradient(places: AnyOutput, number: AnyOperand, values: AnyOutput) -> AnyOperand:
        is_last = Equal.create(scope, Gather.create(scope, last, places, 0), number)
        return Select.create(scope, stretched(scope, is_last, values), Gather.create(scope, grad, places, 0), 0)

    return [gradient(*each) for each in zip(indices, numbers, data, strict=True)]
