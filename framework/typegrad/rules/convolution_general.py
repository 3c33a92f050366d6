"""Gradients of `ops/convolution_general.yaml`."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from typegrad.graph.operand import AnyOperand, AnyOutput, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Pad, Reshape, Slice
from typegrad.op.nn import (
    Conv,
    Conv2d,
    Conv2dBackpropFilter,
    Conv2dBackpropFilterV2,
    Conv2dBackpropInput,
    Conv2dBackpropInputV2,
    Conv3dBackpropFilter,
    Conv3dBackpropInput,
)
from typegrad.rules.common import F, Gradients
from typegrad.rules.convolution import slide_of
from typegrad.rules.sizes import shape_of, size_between, vector


def conv(scope: Scope, op: Conv[F], grad: Output[F]) -> Gradients:
    """The gradients of the convolution of the padded images, all in one batch."""
    inputs = op.inputs
    x, rank = inputs.input, len(inputs.strides)
    images, grads = (_in_one_batch(scope, each, inputs.batch_dims, rank) for each in (x, grad))
    pads = list(zip(inputs.explicit_paddings[::2], inputs.explicit_paddings[1::2], strict=True))
    padded = Pad.create(scope, images, pads).as_output() if pads else images

    def grad_padded() -> AnyOperand:
        sizes, options = shape_of(scope, padded), _slide(op)
        if rank == 4:
            return Conv2dBackpropInput.create(
                scope, sizes, inputs.filter, grads, **options, data_format=_image_format(op)
            )
        return Conv3dBackpropInput.create(scope, sizes, inputs.filter, grads, **options, data_format=_volume_format(op))

    def grad_x() -> AnyOperand:
        result = grad_padded()
        if pads:
            result = Slice.create(scope, result, [before for before, _ in pads], shape_of(scope, images))
        return result if images is x else Reshape.create(scope, result, shape_of(scope, x))

    def grad_filter() -> AnyOperand:
        sizes, options = shape_of(scope, inputs.filter), _slide(op)
        if rank == 4:
            return Conv2dBackpropFilter.create(scope, padded, sizes, grads, **options, data_format=_image_format(op))
        return Conv3dBackpropFilter.create(scope, padded, sizes, grads, **options, data_format=_volume_format(op))

    return grad_x, grad_filter


class _Slide(TypedDict):
    """How filters slide over what is padded explicitly already."""

    strides: tuple[int, ...]
    padding: Literal["SAME", "VALID"]
    dilations: tuple[int, ...]


def _slide(op: Conv[Any]) -> _Slide:
    inputs = op.inputs
    return {
        "strides": inputs.strides,
        "padding": "SAME" if inputs.padding == "SAME" else "VALID",
        "dilations": inputs.dilations or (1,) * len(inputs.strides),
    }


def _image_format(op: Conv[Any]) -> Literal["NCHW", "NHWC"]:
    return "NCHW" if op.inputs.data_format == "CHANNELS_FIRST" else "NHWC"


def _volume_format(op: Conv[Any]) -> Literal["NCDHW", "NDHWC"]:
    return "NCDHW" if op.inputs.data_format == "CHANNELS_FIRST" else "NDHWC"


def _in_one_batch(scope: Scope, x: AnyOutput, batch_dims: int, rank: int) -> AnyOutput:
    if batch_dims == 1:
        return x
    axes = range(batch_dims, batch_dims + rank - 1)
    sizes = [size_between(scope, x, 0, batch_dims), *(size_between(scope, x, axis, axis + 1) for axis in axes)]
    return Reshape.create(scope, x, vector(scope, sizes)).as_output()


def conv2d_backprop_input_v2(scope: Scope, op: Conv2dBackpropInputV2[F], grad: Output[F]) -> Gradients:
    """Linear in the filters and in `out_backprop`, as `Conv2dBackpropInput`; of the input, it uses the shape."""
    filters, out_grad, options = op.inputs.filter, op.inputs.out_backprop, slide_of(op.inputs)
    return (
        lambda: Conv2dBackpropFilterV2.create(scope, grad, filters, out_grad, **options),
        lambda: Conv2d.create(scope, grad, filters, **options),
    )


def conv2d_backprop_filter_v2(scope: Scope, op: Conv2dBackpropFilterV2[F], grad: Output[F]) -> Gradients:
    """Linear in the input and in `out_backprop`, as `Conv2dBackpropFilter`; of the filter, it uses the shape."""
    x, out_grad, options = op.inputs.input, op.inputs.out_backprop, slide_of(op.inputs)
    return (
        lambda: Conv2dBackpropInputV2.create(scope, x, grad, out_grad, **options),
        lambda: Conv2d.create(scope, x, grad, **options),
    )
