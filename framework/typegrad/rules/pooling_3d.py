"""Gradients of `ops/pooling_3d.yaml`."""

from __future__ import annotations

from typing import Any, Literal, Protocol, TypedDict

from typegrad.base.errors import GradientError
from typegrad.base.types import TFloat32, TFloat64
from typegrad.graph.operand import AnyOutput, Output
from typegrad.graph.scope import Scope
from typegrad.op.dtypes import Cast
from typegrad.op.nn import AvgPool3d, AvgPool3dGrad, MaxPool3d, MaxPool3dGrad, MaxPool3dGradGrad
from typegrad.rules.common import F, Gradients
from typegrad.rules.sizes import shape_of


class _Inputs(Protocol):
    """What the attributes of all operations have."""

    @property
    def ksize(self) -> tuple[int, ...]: ...
    @property
    def strides(self) -> tuple[int, ...]: ...
    @property
    def padding(self) -> Literal["SAME", "VALID"]: ...
    @property
    def data_format(self) -> Literal["NDHWC", "NCDHW"]: ...


class _Pool(TypedDict):
    """How the window slides."""

    ksize: tuple[int, ...]
    strides: tuple[int, ...]
    padding: Literal["SAME", "VALID"]
    data_format: Literal["NDHWC", "NCDHW"]


def _pool(inputs: _Inputs) -> _Pool:
    return {
        "ksize": inputs.ksize,
        "strides": inputs.strides,
        "padding": inputs.padding,
        "data_format": inputs.data_format,
    }


def avg_pool3d(scope: Scope, op: AvgPool3d[F], grad: Output[F]) -> Gradients:
    return AvgPool3dGrad.create(scope, shape_of(scope, op.inputs.input), grad, **_pool(op.inputs))


def avg_pool3d_grad(scope: Scope, op: AvgPool3dGrad[F], grad: Output[F]) -> Gradients:
    return AvgPool3d.create(scope, grad, **_pool(op.inputs))


def max_pool3d(scope: Scope, op: MaxPool3d[Any], grad: AnyOutput) -> Gradients:
    return MaxPool3dGrad.create(scope, op.inputs.input, op, grad, **_pool(op.inputs))


def max_pool3d_grad(scope: Scope, op: MaxPool3dGrad[Any, Any], grad: AnyOutput) -> Gradients:
    x, y = op.inputs.orig_input, op.inputs.orig_output
    if x.dtype is grad.dtype:
        return MaxPool3dGradGrad.create(scope, x, y, grad, **_pool(op.inputs))
    x32, y32, grad32 = (Cast.create(scope, each, TFloat32) for each in (x, y, grad))
    return Cast.create(scope, MaxPool3dGradGrad.create(scope, x32, y32, grad32, **_pool(op.inputs)), grad.dtype)


def max_pool3d_grad_grad(scope: Scope, op: MaxPool3dGradGrad[Any], grad: AnyOutput) -> Gradients:
    inputs = op.inputs
    if op.dtype is TFloat64:
        raise GradientError("MaxPool3dGradGrad has a gradient in float32, float16 and bfloat16 only, as MaxPool3d does")
    return MaxPool3dGrad.create(scope, inputs.orig_input, inputs.orig_output, grad, **_pool(inputs))
