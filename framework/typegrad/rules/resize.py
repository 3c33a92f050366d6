"""Gradients of `ops/resize.yaml`. All operations are linear: the gradient of one is its transpose, and vice versa."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typegrad.base.types import TFloat32, TFloat64
from typegrad.graph.operand import AnyOperand, AnyOutput, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import OneHot, Range, Reshape, Stack, Sum, ZerosLike
from typegrad.op.image import (
    ResizeArea,
    ResizeBicubic,
    ResizeBicubicGrad,
    ResizeBilinear,
    ResizeBilinearGrad,
    ResizeNearestNeighbor,
    ResizeNearestNeighborGrad,
    ScaleAndTranslate,
    ScaleAndTranslateGrad,
)
from typegrad.op.linalg import Einsum
from typegrad.rules.common import F, Gradients, N, cast_to
from typegrad.rules.resize_filters import Moved, moved
from typegrad.rules.sizes import Size, size_between, vector


def _size(scope: Scope, images: AnyOutput) -> Any:
    """The height and width of images."""
    return vector(scope, [size_between(scope, images, axis, axis + 1) for axis in (1, 2)])


def resize_bilinear(scope: Scope, op: ResizeBilinear[Any], grad: Output[TFloat32]) -> Gradients:
    inputs = op.inputs
    return ResizeBilinearGrad.create(
        scope,
        grad,
        inputs.images,
        align_corners=inputs.align_corners,
        half_pixel_centers=inputs.half_pixel_centers,
    )


def resize_bilinear_grad(scope: Scope, op: ResizeBilinearGrad[F], grad: Output[F]) -> Gradients:
    return _resized(scope, op, grad, ResizeBilinear)


def resize_nearest_neighbor(scope: Scope, op: ResizeNearestNeighbor[N], grad: Output[N]) -> Gradients:
    inputs = op.inputs
    return ResizeNearestNeighborGrad.create(
        scope,
        grad,
        _size(scope, inputs.images),
        align_corners=inputs.align_corners,
        half_pixel_centers=inputs.half_pixel_centers,
    )


def resize_nearest_neighbor_grad(scope: Scope, op: ResizeNearestNeighborGrad[N], grad: Output[N]) -> Gradients:
    return _resized(scope, op, grad, ResizeNearestNeighbor)


def _resized(
    scope: Scope, op: ResizeBilinearGrad[Any] | ResizeNearestNeighborGrad[Any], grad: AnyOutput, resize: Any
) -> AnyOperand:
    """The gradient, resized to the shape of `grads`; without elements, it has no pixels that could be resized."""
    inputs = op.inputs
    if inputs.grads.shape.size == 0:
        return ZerosLike.create(scope, inputs.grads)
    result: AnyOperand = resize.create(
        scope,
        grad,
        _size(scope, inputs.grads),
        align_corners=inputs.align_corners,
        half_pixel_centers=inputs.half_pixel_centers,
    )
    return result


def resize_bicubic(scope: Scope, op: ResizeBicubic[Any], grad: Output[TFloat32]) -> Gradients:
    inputs = op.inputs
    images = inputs.images if inputs.images.dtype is TFloat64 else cast_to(scope, inputs.images, TFloat32)
    back = ResizeBicubicGrad.create(
        scope,
        grad,
        images,
        align_corners=inputs.align_corners,
        half_pixel_centers=inputs.half_pixel_centers,
    )
    return cast_to(scope, back, inputs.images.dtype)


def resize_bicubic_grad(scope: Scope, op: ResizeBicubicGrad[F], grad: Output[F]) -> Gradients:
    inputs = op.inputs
    return ResizeBicubic.create(
        scope,
        grad,
        _size(scope, inputs.grads),
        align_corners=inputs.align_corners,
        half_pixel_centers=inputs.half_pixel_centers,
    )


def resize_area(scope: Scope, op: ResizeArea[Any], grad: Output[TFloat32]) -> Gradients:
    """The weights are what the operation makes of an identity matrix, along rows and along columns."""
    images = op.inputs.images

    def weights(axis: int) -> AnyOperand:
        old, new = (size_between(scope, x, axis, axis + 1) for x in (images, grad))
        pixels = Range.create(scope, 0, old, 1)
        identity = OneHot.create(scope, pixels, old, 1.0, 0.0)
        sizes: list[Size] = [old, old, 1, 1]
        resized = ResizeArea.create(
            scope,
            Reshape.create(scope, identity, vector(scope, sizes)),
            vector(scope, [new, 1]),
            align_corners=op.inputs.align_corners,
        )
        return Reshape.create(scope, resized, vector(scope, [old, new]))

    by_rows: Operand[TFloat32] = Einsum.create(scope, [grad, weights(1)], "bpqc,ip->biqc")
    back = Einsum.create(scope, [by_rows, weights(2)], "biqc,jq->bijc")
    return cast_to(scope, back, images.dtype)


def scale_and_translate(scope: Scope, op: ScaleAndTranslate[Any], grad: Output[TFloat32]) -> Gradients:
    inputs = op.inputs
    images = cast_to(scope, inputs.images, TFloat32)

    def grad_images() -> AnyOperand:
        back = ScaleAndTranslateGrad.create(
            scope,
            grad,
            images,
            inputs.scale,
            inputs.translation,
            kernel_type=inputs.kernel_type,
            antialias=inputs.antialias,
        )
        return cast_to(scope, back, inputs.images.dtype)

    return grad_images, *_of_motion(scope, op, images, grad)


def scale_and_translate_grad(scope: Scope, op: ScaleAndTranslateGrad, grad: Output[TFloat32]) -> Gradients:
    inputs = op.inputs

    def grad_grads() -> AnyOperand:
        return ScaleAndTranslate.create(
            scope,
            grad,
            _size(scope, inputs.grads),
            inputs.scale,
            inputs.translation,
            kernel_type=inputs.kernel_type,
            antialias=inputs.antialias,
        )

    return grad_grads, *_of_motion(scope, op, grad, inputs.grads)


def _of_motion(
    scope: Scope, op: ScaleAndTranslate[Any] | ScaleAndTranslateGrad, images: AnyOperand, grads: AnyOutput
) -> tuple[Callable[[], AnyOperand], Callable[[], AnyOperand]]:
    """The gradients of scale and translation, from `grads`, the gradients of the resized `images`."""

    def along(axis: int) -> Moved:
        length, size = (size_between(scope, x.as_output(), 1 + axis, 2 + axis) for x in (images, grads))
        return moved(scope, op, axis, length, size)

    def gradient(which: str) -> AnyOperand:
        rows, columns = along(0), along(1)
        by_rows = Einsum.create(scope, [grads, columns.weights], "bpqc,qj->bpjc")
        by_columns = Einsum.create(scope, [grads, rows.weights], "bpqc,pi->biqc")
        of_weights = (
            Einsum.create(scope, [by_rows, images], "bpjc,bijc->pi") * getattr(rows, which),
            Einsum.create(scope, [by_columns, images], "biqc,bijc->qj") * getattr(columns, which),
        )
        return Stack.create(scope, [Sum.create(scope, each) for each in of_weights])

    return lambda: gradient("by_scale"), lambda: gradient("by_translation")
