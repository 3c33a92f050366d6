"""Gradients of `ops/warp.yaml`."""

from __future__ import annotations

from typing import Any, NamedTuple

from typegrad.base.types import TBool, TFloat32, TInt32
from typegrad.graph.operand import AnyOperand, AnyOutput, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import (
    BroadcastTo,
    Constant,
    ExpandDims,
    Gather,
    Range,
    Reshape,
    Select,
    Slice,
    Split,
    Stack,
    StopGradient,
    Sum,
)
from typegrad.op.dtypes import Cast
from typegrad.op.image import (
    CropAndResize,
    CropAndResizeGradBoxes,
    CropAndResizeGradImage,
    ImageProjectiveTransformV2,
    ImageProjectiveTransformV3,
)
from typegrad.op.math import (
    Abs,
    Ceil,
    Floor,
    FloorDiv,
    FloorMod,
    IsFinite,
    LogicalAnd,
    Maximum,
    Minimum,
    Sign,
    UnsortedSegmentSum,
)
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


def crop_and_resize_grad_boxes(scope: Scope, op: CropAndResizeGradBoxes[Any], grad: Output[TFloat32]) -> Gradients:
    slopes = _Slopes(scope, op, grad)
    return slopes.of_grads, slopes.of_image, slopes.of_boxes


class _Edges(NamedTuple):
    """The positions of the pixels of crops along one dimension, and what depends on them, [boxes, positions]."""

    part: AnyOperand
    """How far each position is from the first edge of the box to the second one, [positions]."""
    last: AnyOperand
    low: AnyOperand
    high: AnyOperand
    fraction: AnyOperand
    """How far the position is from the pixel before it."""
    is_inside: AnyOperand
    moved: AnyOperand
    """How the positions move if the boxes move along the gradient."""


class _Slopes:
    """How crops change if their boxes move along the gradient of `CropAndResizeGradBoxes`.

    This change, times the gradients of the crops, is what that operation is differentiated in. Arrays are [boxes, rows,
    columns, channels].
    """

    def __init__(self, scope: Scope, op: CropAndResizeGradBoxes[Any], grad: Output[TFloat32]) -> None:
        inputs = op.inputs
        self._scope, self._grads, self._boxes, self._image = scope, inputs.grads, inputs.boxes, inputs.image
        self._sizes = [size_between(scope, self._image, axis, axis + 1) for axis in range(4)]
        self._rows, self._columns = self._edges(1, grad), self._edges(2, grad)
        self._first = Reshape.create(scope, inputs.box_ind, [-1, 1, 1]) * self._sizes[1]
        self._down, self._right = self._along(1, self._rows.fraction), self._along(2, self._columns.fraction)
        self._moves = self._along(1, self._rows.moved), self._along(2, self._columns.moved)
        inside = self._along(1, self._rows.is_inside) * self._along(2, self._columns.is_inside)
        self._inside: AnyOperand = inside

    def _edges(self, axis: int, grad: Any) -> _Edges:
        """The pixels along rows (1) or columns (2)."""
        scope, boxes = self._scope, self._boxes
        count = size_between(scope, self._grads, axis, axis + 1)
        number, last = _number(scope, count), _number(scope, self._sizes[axis]) - 1
        steps = Maximum.create(scope, number - 1, 1)
        numbers = Cast.create(scope, Range.create(scope, 0, count, 1), TFloat32)
        part = numbers / steps + Maximum.create(scope, 2 - number, 0) / 2  # one position is in the middle

        def between(x: Any) -> Any:
            start, end = x[:, axis - 1 : axis], x[:, axis + 1 : axis + 2]
            middle = Maximum.create(scope, 2 - number, 0) / 2
            return start * last + ((end - start) * last / steps) * (numbers + middle)

        at = between(boxes)
        low = Floor.create(scope, at)
        inside = LogicalAnd.create(scope, at >= 0, at <= last)
        return _Edges(
            part,
            last,
            self._index(low, last),
            self._index(Ceil.create(scope, at), last),
            at - low,
            Cast.create(scope, inside, TFloat32),
            between(grad),
        )

    def _index(self, at: AnyOperand, last: AnyOperand) -> AnyOperand:
        scope = self._scope
        return Cast.create(scope, Minimum.create(scope, Maximum.create(scope, at, 0), last), TInt32)

    def _along(self, axis: int, x: AnyOperand) -> Any:
        """Numbers for each row (1) or column (2) as [boxes, rows, columns, channels]."""
        scope = self._scope
        return ExpandDims.create(scope, ExpandDims.create(scope, x, 3 - axis), 3)

    def _corners(self) -> list[AnyOperand]:
        """The indices of the pixels above, on the left and on the right, and below: [boxes, rows, columns] each."""
        scope = self._scope
        rows = [self._first + ExpandDims.create(scope, each, 2) for each in (self._rows.low, self._rows.high)]
        columns = [ExpandDims.create(scope, each, 1) for each in (self._columns.low, self._columns.high)]
        return [row * self._sizes[2] + column for row in rows for column in columns]

    def _pixels(self) -> list[Any]:
        """What is at the corners."""
        scope = self._scope
        image = Reshape.create(scope, self._image, vector(scope, [-1, self._sizes[3]]))
        return [Gather.create(scope, Cast.create(scope, image, TFloat32), each, 0) for each in self._corners()]

    def of_grads(self) -> AnyOperand:
        """The change of the crops."""
        above, beside, below, across = self._pixels()
        by_row = (below - above) * (1 - self._right) + (across - beside) * self._right
        by_column = (beside - above) * (1 - self._down) + (across - below) * self._down
        change: AnyOperand = (self._moves[0] * by_row + self._moves[1] * by_column) * self._inside
        return change

    def of_image(self) -> AnyOperand:
        """The gradients times the change by each corner, accumulated there."""
        scope, (rows, columns) = self._scope, self._moves
        weights = (
            -rows * (1 - self._right) - columns * (1 - self._down),
            columns * (1 - self._down) - rows * self._right,
            rows * (1 - self._right) - columns * self._down,
            rows * self._right + columns * self._down,
        )
        scaled = self._grads * self._inside
        sums = UnsortedSegmentSum.create(
            scope,
            Stack.create(scope, [scaled * weight for weight in weights]),
            Stack.create(scope, self._corners()),
            size_between(scope, self._image, 0, 3),
        )
        image = Reshape.create(scope, sums, vector(scope, self._sizes))
        return Cast.create(scope, image, self._image.dtype)

    def of_boxes(self) -> AnyOperand:
        """How the change along one dimension grows along the other one, divided between the edges."""
        scope = self._scope
        above, beside, below, across = self._pixels()
        twist = (above + across - beside - below) * self._grads * self._inside
        first, second = [], []
        for edges, other, axis in ((self._rows, self._moves[1], 1), (self._columns, self._moves[0], 2)):
            total: Any = Sum.create(scope, twist * other, [3 - axis, 3]) * edges.last
            first.append(Sum.create(scope, total * (1 - edges.part), 1))
            second.append(Sum.create(scope, total * edges.part, 1))
        return Stack.create(scope, [*first, *second], axis=1)


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
