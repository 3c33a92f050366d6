"""Gradients of `ops/crops.yaml`."""

from __future__ import annotations

from typegrad.base.types import TFloat32
from typegrad.graph.operand import AnyOperand, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Stack
from typegrad.op.dtypes import Cast
from typegrad.op.image import ExtractGlimpse
from typegrad.op.math import Abs, Floor, Sign
from typegrad.rules.common import Gradients
from typegrad.rules.sizes import size_between


def extract_glimpse_v2(scope: Scope, op: ExtractGlimpse, grad: Output[TFloat32]) -> Gradients:
    """The image is where it is cut from in the gradient: a window that begins at minus the start."""
    inputs = op.inputs
    size = Stack.create(scope, [size_between(scope, inputs.input, axis, axis + 1) for axis in (1, 2)])
    lengths, window = (Cast.create(scope, each, TFloat32) for each in (size, inputs.size_output))
    at: Operand[TFloat32] = inputs.offsets
    if inputs.normalized:
        at = at * lengths
        at = at / 2 + lengths / 2 - window / 2 if inputs.centered else at
    elif inputs.centered:
        at = at + lengths / 2
    start: AnyOperand = Sign.create(scope, at) * Floor.create(scope, Abs.create(scope, at))
    return ExtractGlimpse.create(
        scope, grad, size, -start, centered=False, normalized=False, uniform_noise=False, noise="zero"
    )
