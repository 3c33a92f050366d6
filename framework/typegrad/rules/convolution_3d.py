"""Gradients of `ops/convolution_3d.yaml`: a convolution and its two gradients are differentiated by each other."""

from __future__ import annotations

from typing import Any, Literal, Protocol, TypedDict

from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.nn import Conv3d, Conv3dBackpropFilter, Conv3dBackpropInput
from typegrad.rules.common import F, Gradients
from typegrad.rules.sizes import shape_of


class _Inputs(Protocol):
    """What the attributes of all three operations have."""

    @property
    def strides(self) -> tuple[int, ...]: ...
    @property
    def padding(self) -> Literal["SAME", "VALID"]: ...
    @property
    def data_format(self) -> Literal["NDHWC", "NCDHW"]: ...
    @property
    def dilations(self) -> tuple[int, ...]: ...


class _Slide(TypedDict):
    """How filters slide over the input."""

    strides: tuple[int, ...]
    padding: Literal["SAME", "VALID"]
    data_format: Literal["NDHWC", "NCDHW"]
    dilations: tuple[int, ...]


def _slide(inputs: _Inputs) -> _Slide:
    return {
        "strides": inputs.strides,
        "padding": inputs.padding,
        "data_format": inputs.data_format,
        "dilations": inputs.dilations,
    }


def conv3d(scope: Scope, op: Conv3d[F], grad: Output[F]) -> Gradients:
    x, filters, options = op.inputs.input, op.inputs.filter, _slide(op.inputs)
    return (
        lambda: Conv3dBackpropInput.create(scope, shape_of(scope, x), filters, grad, **options),
        lambda: Conv3dBackpropFilter.create(scope, x, shape_of(scope, filters), grad, **options),
    )


def conv3d_backprop_input(scope: Scope, op: Conv3dBackpropInput[F, Any], grad: Output[F]) -> Gradients:
    """Linear in the filters and in `out_backprop`; `grad` has the shape of the convolution's input."""
    filters, out_grad, options = op.inputs.filter, op.inputs.out_backprop, _slide(op.inputs)
    return (
        lambda: Conv3dBackpropFilter.create(scope, grad, shape_of(scope, filters), out_grad, **options),
        lambda: Conv3d.create(scope, grad, filters, **options),
    )


def conv3d_backprop_filter(scope: Scope, op: Conv3dBackpropFilter[F], grad: Output[F]) -> Gradients:
    """Linear in the input and in `out_backprop`; `grad` has the shape of the filters."""
    x, out_grad, options = op.inputs.input, op.inputs.out_backprop, _slide(op.inputs)
    return (
        lambda: Conv3dBackpropInput.create(scope, shape_of(scope, x), grad, out_grad, **options),
        lambda: Conv3d.create(scope, x, grad, **options),
    )
