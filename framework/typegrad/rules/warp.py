"""Gradients of `ops/warp.yaml`."""

from __future__ import annotations

from typing import Any, NamedTuple

from typegrad.base.types import TFloat32, TInt32
from typegrad.graph.operand import AnyOperand, AnyOutput, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import (
    BroadcastTo,
    Constant,
    ExpandDims,
    Fill,
    Gather,
    OnesLike,
    Pad,
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
    Equal,
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
from typegrad.rules.broadcasting import sum_to_shape
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
            _whole(scope, low, last),
            _whole(scope, Ceil.create(scope, at), last),
            at - low,
            Cast.create(scope, inside, TFloat32),
            between(grad),
        )

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


def image_projective_transform_v2(scope: Scope, op: ImageProjectiveTransformV2[Any], grad: AnyOutput) -> Gradients:
    warp = _Warp(scope, op, grad)
    return warp.of_images, warp.of_transforms


def image_projective_transform_v3(scope: Scope, op: ImageProjectiveTransformV3[Any], grad: AnyOutput) -> Gradients:
    """`fill_value` gets what of each pixel was not read in the images."""
    inputs, warp = op.inputs, _Warp(scope, op, grad)

    def of_fill_value() -> AnyOperand:
        ones = Fill.create(scope, shape_of(scope, inputs.images), 1.0)
        mode, fill = inputs.interpolation, inputs.fill_mode
        read = ImageProjectiveTransformV3.create(
            scope, ones, inputs.transforms, inputs.output_shape, 0.0, mode, fill_mode=fill
        )
        return Sum.create(scope, warp.grad * (1 - read))

    return warp.of_images, warp.of_transforms, of_fill_value


class _Warp:
    """The gradients of a warp. Positions are [images, rows, columns], with one or all images."""

    def __init__(self, scope: Scope, op: Warp, grad: AnyOutput) -> None:
        inputs = op.inputs
        self._scope, self._inputs, self._images = scope, inputs, inputs.images
        self.grad: Any = Cast.create(scope, grad, TFloat32)
        self._batch, height, width, self._channels = (size_between(scope, self._images, at, at + 1) for at in range(4))
        self._lengths = height, width
        self._rows, self._columns = (size_between(scope, grad, axis, axis + 1) for axis in (1, 2))
        a0, a1, a2, b0, b1, b2, c0, c1 = (
            Reshape.create(scope, part, [-1, 1, 1]) for part in Split.create(scope, -1, inputs.transforms, 8).output
        )
        self._y: Any = Reshape.create(scope, self._numbers(self._rows), [-1, 1])
        self._x: Any = self._numbers(self._columns)
        k = c0 * self._x + c1 * self._y + 1
        ends = b0 * self._x + b1 * self._y + b2, a0 * self._x + a1 * self._y + a2
        self._is_finite: Any = LogicalAnd.create(scope, *(IsFinite.create(scope, at / k) for at in ends))
        self._k: Any = Select.create(scope, self._is_finite, k, 1.0)
        self._places: list[Any] = [Select.create(scope, self._is_finite, at, 0.0) / self._k for at in ends]
        self._found = [
            _filled(scope, at, _number(scope, size), inputs.fill_mode)
            for at, size in zip(self._places, self._lengths, strict=True)
        ]

    def _numbers(self, count: Size) -> AnyOperand:
        scope = self._scope
        return Cast.create(scope, Range.create(scope, 0, count, 1), TFloat32)

    def of_images(self) -> AnyOperand:
        """Each pixel of the result is a crop of one pixel; a border around the images takes what falls outside."""
        scope, (height, width), channels = self._scope, self._lengths, self._channels
        is_nearest = self._inputs.interpolation == "NEAREST"
        places = [
            ((self._nearest(moved) if is_nearest else moved) + 1) / (_number(scope, size) + 1)
            for (moved, _), size in zip(self._found, self._lengths, strict=True)
        ]
        boxes = Stack.create(scope, [*places, *places], axis=3)
        count, pixels = size_between(scope, self.grad, 0, 3), size_between(scope, self.grad, 1, 3)
        read = Select.create(scope, ExpandDims.create(scope, self._is_finite, 3), self.grad, 0)
        whole = vector(scope, [self._batch, self._rows, self._columns, 4])
        back = CropAndResizeGradImage.create(
            scope,
            Reshape.create(scope, read, vector(scope, [count, 1, 1, channels])),
            Reshape.create(
                scope,
                BroadcastTo.create(scope, StopGradient.create(scope, boxes) if is_nearest else boxes, whole),
                vector(scope, [count, 4]),
            ),
            FloorDiv.create(scope, Range.create(scope, 0, count, 1), pixels),
            vector(scope, [self._batch, height + 2, width + 2, channels]),
            TFloat32,
            method="nearest" if is_nearest else "bilinear",
        )
        inner = Slice.create(scope, back, [0, 1, 1, 0], vector(scope, [self._batch, height, width, channels]))
        return Cast.create(scope, inner, self._images.dtype)

    def _nearest(self, at: AnyOperand) -> Any:
        scope = self._scope
        return Sign.create(scope, at) * Floor.create(scope, Abs.create(scope, at) + 0.5)

    def of_transforms(self) -> AnyOperand | None:
        """The slopes of the images where they are read, times the derivatives of the positions."""
        if self._inputs.interpolation == "NEAREST":
            return None
        scope, (row, column) = self._scope, self._places
        by_row, by_column = (
            Select.create(scope, self._is_finite, Sum.create(scope, self.grad * each, 3), 0.0) / self._k
            for each in self._slopes()
        )
        by_scale = -(by_row * row + by_column * column)
        by_number = [
            Sum.create(scope, each * factor, (1, 2))
            for each, factors in (
                (by_column, (self._x, self._y, 1.0)),
                (by_row, (self._x, self._y, 1.0)),
                (by_scale, (self._x, self._y)),
            )
            for factor in factors
        ]
        return sum_to_shape(scope, Stack.create(scope, by_number, axis=1).as_output(), self._inputs.transforms)

    def _slopes(self) -> tuple[Any, Any]:
        """The slopes of the images along rows and columns, [images, rows, columns, channels].

        At a pixel it is the slope to the next one.
        """
        scope, (height, width) = self._scope, self._lengths
        edge = 1 if self._inputs.fill_mode == "CONSTANT" else 0
        border, fill = [[0, 0], [edge, edge], [edge, edge], [0, 0]], getattr(self._inputs, "fill_value", 0.0)
        bordered = Pad.create(scope, Cast.create(scope, self._images, TFloat32), border, fill)
        pixels = Reshape.create(scope, bordered, vector(scope, [-1, self._channels]))
        edges, weights = [], []
        for (moved, _), size in zip(self._found, self._lengths, strict=True):
            low, last = Floor.create(scope, moved), _number(scope, size) + (2 * edge - 1)
            edges.append([_whole(scope, low + each, last) for each in (edge, edge + 1)])
            weights.append(ExpandDims.create(scope, moved - low, 3))
        first = Reshape.create(scope, Range.create(scope, 0, self._batch, 1), [-1, 1, 1]) * (height + 2 * edge)
        above, beside, below, across = (
            Gather.create(scope, pixels, (first + row) * (width + 2 * edge) + column, 0)
            for row in edges[0]
            for column in edges[1]
        )
        down, right = weights
        turns = [ExpandDims.create(scope, turn, 3) for _, turn in self._found]
        return (
            turns[0] * ((below - above) * (1 - right) + (across - beside) * right),
            turns[1] * ((beside - above) * (1 - down) + (across - below) * down),
        )


def _whole(scope: Scope, at: AnyOperand, last: AnyOperand) -> AnyOperand:
    """Positions as indices, moved inside."""
    return Cast.create(scope, Minimum.create(scope, Maximum.create(scope, at, 0), last), TInt32)


def _number(scope: Scope, size: Size) -> Operand[TFloat32]:
    return Constant.create(scope, size, TFloat32) if isinstance(size, int) else Cast.create(scope, size, TFloat32)


def _filled(
    scope: Scope, at: Operand[TFloat32], length: Operand[TFloat32], fill_mode: str
) -> tuple[Operand[TFloat32], Operand[TFloat32]]:
    """Positions outside the images, moved to where the mode finds their pixels, and how these move with them."""
    turn: Any = OnesLike.create(scope, at)
    if fill_mode == "CONSTANT":
        return at, turn
    if fill_mode == "REFLECT":
        turned = FloorMod.create(scope, at, 2 * length)
        is_back = turned >= length
        at = Select.create(scope, is_back, 2 * length - turned - 1, turned)
        turn = Select.create(scope, is_back, -turn, turn)
    elif fill_mode == "WRAP":
        step = Maximum.create(scope, length - 1, 1)
        after = Select.create(scope, at > length - 1, at - length * Floor.create(scope, at / step), at)
        at = Select.create(scope, at < 0, at + length * (Floor.create(scope, -at / step) + 1), after)
    moved = Minimum.create(scope, Maximum.create(scope, at, 0), length - 1)
    return moved, Select.create(scope, Equal.create(scope, moved, at), turn, 0.0)
