"""Gradients of `ops/warp.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.base.types import TBool, TFloat32
from typegrad.graph.operand import AnyOperand, AnyOutput, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import (
    BroadcastTo,
    Constant,
    ExpandDims,
    Range,
    Reshape,
    Select,
    Slice,
    Split,
    Stack,
    StopGradient,
)
from typegrad.op.dtypes import Cast
from typegrad.op.image import (
    CropAndResize,
    CropAndResizeGradBoxes,
    CropAndResizeGradImage,
    ImageProjectiveTransformV2,
    ImageProjectiveTransformV3,
)
from typegrad.op.math import Abs, Floor, FloorDiv, FloorMod, IsFinite, LogicalAnd, Maximum, Minimum, Sign
from typegrad.rules.common import Gradients
from typegrad.rules.sizes import Size, shape_of, size_between, vector

Warp = ImageProjectiveTransformV2[Any] | ImageProjectiveTransformV3[Any]


def crop_and_resize(scope: Scope, op: CropAndResize[Any], grad: Output[TFloat32]) -> Gradients:
    inputs = op.inputs
    boxes, box_ind = inputs.boxes, inputs.box_ind

    def grad_image() -> AnyOperand:
        dtype, shape = inputs.image.dtype, shape_of(scope, inputs.image)
        return CropAndResizeGradImage.create(scope, grad, boxes, box_ind, shape, dtype, method=inputs.method)

    return grad_image, lambda: CropAndResizeGradBoxes.create(scope, grad, inputs.image, boxes, box_ind)


def crop_and_resize_grad_image(scope: Scope, op: CropAndResizeGradImage[Any], grad: AnyOutput) -> Gradients:
    inputs = op.inputs
    boxes, box_ind = inputs.boxes, inputs.box_ind
    size = vector(scope, [size_between(scope, inputs.grads, axis, axis + 1) for axis in (1, 2)])
    return (
        lambda: CropAndResize.create(scope, grad, boxes, box_ind, size, method=inputs.method),
        lambda: CropAndResizeGradBoxes.create(scope, inputs.grads, grad, boxes, box_ind),
    )


def image_projective_transform_v2(scope: Scope, op: Warp, grad: AnyOutput) -> Gradients:
    """Each pixel of the result is a crop of one pixel; a border around the images takes what falls outside."""
    inputs, images = op.inputs, op.inputs.images
    batch, height, width, channels = (size_between(scope, images, axis, axis + 1) for axis in range(4))
    rows, columns = (size_between(scope, grad, axis, axis + 1) for axis in (1, 2))
    *positions, is_finite = _positions(scope, inputs.transforms, rows, columns)
    places = []
    for at, size in zip(positions, (height, width), strict=True):
        length = _number(scope, size)
        moved = _filled(scope, at, length, inputs.fill_mode)
        if inputs.interpolation == "NEAREST":
            moved = Sign.create(scope, moved) * Floor.create(scope, Abs.create(scope, moved) + 0.5)
        places.append((moved + 1) / (length + 1))
    boxes = StopGradient.create(scope, Stack.create(scope, [*places, *places], axis=3))
    count, pixels = size_between(scope, grad, 0, 3), size_between(scope, grad, 1, 3)
    read = Select.create(scope, ExpandDims.create(scope, is_finite, 3), Cast.create(scope, grad, TFloat32), 0)
    back = CropAndResizeGradImage.create(
        scope,
        Reshape.create(scope, read, vector(scope, [count, 1, 1, channels])),
        Reshape.create(
            scope, BroadcastTo.create(scope, boxes, vector(scope, [batch, rows, columns, 4])), vector(scope, [count, 4])
        ),
        FloorDiv.create(scope, Range.create(scope, 0, count, 1), pixels),
        vector(scope, [batch, height + 2, width + 2, channels]),
        TFloat32,
        method="nearest" if inputs.interpolation == "NEAREST" else "bilinear",
    )
    inner = Slice.create(scope, back, [0, 1, 1, 0], vector(scope, [batch, height, width, channels]))
    return Cast.create(scope, inner, images.dtype)


def _number(scope: Scope, size: Size) -> Operand[TFloat32]:
    return Constant.create(scope, size, TFloat32) if isinstance(size, int) else Cast.create(scope, size, TFloat32)


def _positions(
    scope: Scope, transforms: AnyOutput, rows: Size, columns: Size
) -> tuple[Operand[TFloat32], Operand[TFloat32], Operand[TBool]]:
    """The row and column at which each pixel of the result is read, and whether that is anywhere."""
    parts: list[Operand[TFloat32]] = [
        Reshape.create(scope, part, [-1, 1, 1]) for part in Split.create(scope, -1, transforms, 8).output
    ]
    a0, a1, a2, b0, b1, b2, c0, c1 = parts
    y = Reshape.create(scope, Cast.create(scope, Range.create(scope, 0, rows, 1), TFloat32), [-1, 1])
    x = Cast.create(scope, Range.create(scope, 0, columns, 1), TFloat32)
    k = c0 * x + c1 * y + 1
    places = (b0 * x + b1 * y + b2) / k, (a0 * x + a1 * y + a2) / k
    is_finite = LogicalAnd.create(scope, *(IsFinite.create(scope, at) for at in places))
    row, column = (Select.create(scope, is_finite, at, 0.0) for at in places)
    return row, column, is_finite


def _filled(scope: Scope, at: Operand[TFloat32], length: Operand[TFloat32], fill_mode: str) -> Operand[TFloat32]:
    """Positions outside the images, moved to where the mode finds their pixels."""
    if fill_mode == "CONSTANT":
        return at
    if fill_mode == "REFLECT":
        turned = FloorMod.create(scope, at, 2 * length)
        at = Select.create(scope, turned >= length, 2 * length - turned - 1, turned)
    elif fill_mode == "WRAP":
        step = Maximum.create(scope, length - 1, 1)
        after = Select.create(scope, at > length - 1, at - length * Floor.create(scope, at / step), at)
        at = Select.create(scope, at < 0, at + length * (Floor.create(scope, -at / step) + 1), after)
    return Minimum.create(scope, Maximum.create(scope, at, 0), length - 1)
