"""Gradients of `ops/boxes.yaml`."""

from __future__ import annotations

from typegrad.base.types import TFloat32
from typegrad.graph.operand import AnyOperand, Operand
from typegrad.graph.scope import Scope
from typegrad.op.core import ExpandDims, Gather, Sum
from typegrad.op.image import NearestNeighbors
from typegrad.op.math import UnsortedSegmentSum
from typegrad.rules.common import Gradients, OutputGradients
from typegrad.rules.sizes import size_between


def nearest_neighbors(scope: Scope, op: NearestNeighbors, grads: OutputGradients) -> Gradients:
    points, centers = op.inputs.points, op.inputs.centers
    nearest = Gather.create(scope, centers, op.nearest_center_indices, 0)
    differences: Operand[TFloat32] = ExpandDims.create(scope, points, 1) - nearest
    weighted = 2 * ExpandDims.create(scope, grads[1], -1) * differences

    def grad_centers() -> AnyOperand:
        return -UnsortedSegmentSum.create(
            scope, weighted, op.nearest_center_indices, size_between(scope, centers, 0, 1)
        )

    return lambda: Sum.create(scope, weighted, 1), grad_centers
