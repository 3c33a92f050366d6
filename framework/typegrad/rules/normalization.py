"""Gradients of `ops/normalization.yaml`, computed in float32."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

from typegrad.base.types import TFloat32
from typegrad.graph.operand import AnyOperand, AnyOutput, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import ExpandDims, Gather, Prod, Range, Reshape, Shape, Sum, ZerosLike
from typegrad.op.dtypes import Cast
from typegrad.op.math import Abs, LessEqual, Maximum, Mean, Pow, Rsqrt
from typegrad.op.nn import (
    BatchNormWithGlobalNormalization,
    BatchNormWithGlobalNormalizationGrad,
    FusedBatchNorm,
    FusedBatchNormGrad,
    LocalResponseNormalization,
    LocalResponseNormalizationGrad,
)
from typegrad.op.train import BatchMatMul
from typegrad.rules.common import F, Gradients, N, OutputGradients, cast_to, conj
from typegrad.rules.sizes import size_between
from typegrad.shapes.narrow import rounded

_DataFormat = Literal["NHWC", "NCHW", "NDHWC", "NCDHW"]


class _Channels:
    """Arithmetic with batches and with numbers for each of their channels."""

    def __init__(self, scope: Scope, data_format: _DataFormat) -> None:
        self._scope = scope
        axis, rank = (1 if data_format.startswith("NC") else len(data_format) - 1), len(data_format)
        self._others = [other for other in range(rank) if other != axis]
        self._shape = [-1 if other == axis else 1 for other in range(rank)]

    def mean(self, x: Operand[TFloat32]) -> Operand[TFloat32]:
        """The mean over each channel."""
        return Mean.create(self._scope, x, self._others)

    def sum(self, x: Operand[TFloat32]) -> Operand[TFloat32]:
        """The sum over each channel."""
        return Sum.create(self._scope, x, self._others)

    def wide(self, vector: Operand[TFloat32]) -> Operand[TFloat32]:
        """A number for each channel, to be combined with a batch."""
        return Reshape.create(self._scope, vector, self._shape)

    def count(self, x: AnyOutput) -> float | Operand[TFloat32]:
        """The number of elements in a channel."""
        dims = x.shape.dims or (None,) * len(self._shape)
        known = [dim for other in self._others if isinstance(dim := dims[other], int)]
        if len(known) == len(self._others):
            return float(math.prod(known))
        sizes = Gather.create(self._scope, Shape.create(self._scope, x), self._others, 0)
        return Cast.create(self._scope, Prod.create(self._scope, sizes, 0), TFloat32)


def _float(scope: Scope, x: AnyOperand) -> Operand[TFloat32]:
    return cast_to(scope, x, TFloat32)


def _normalization_grad(
    scope: Scope, inputs: Any, grad: AnyOperand, *statistics: AnyOperand
) -> FusedBatchNormGrad[Any, Any]:
    """The gradients of a normalization with the options of `inputs`, where its output has this one."""
    return FusedBatchNormGrad.create(
        scope,
        grad,
        inputs.x,
        *statistics,
        epsilon=inputs.epsilon,
        data_format=inputs.data_format,
        is_training=inputs.is_training,
    )


class _Normalized:
    """The gradients of `FusedBatchNormV3`. The statistics are functions of the batch in training, else inputs."""

    def __init__(self, scope: Scope, op: FusedBatchNorm[Any, Any], grads: OutputGradients) -> None:
        self._scope, self._inputs, self._grads = scope, op.inputs, grads
        self._channels = _Channels(scope, op.inputs.data_format)
        self._scale, self._mean, self._variance, reserved = (
            _float(scope, each) for each in (op.inputs.scale, op.reserve_space1, op.reserve_space2, op.reserve_space3)
        )
        statistics = (self._scale, self._mean, self._variance, reserved)
        self._backprops = _normalization_grad(scope, op.inputs, grads[0], *statistics)

    def of_inference(self) -> Gradients:
        """The gradients of the inputs where `mean` and `variance` are the statistics."""
        inputs, backprops = self._inputs, self._backprops

        def grad_mean() -> AnyOperand | None:
            own = -self._scale * Rsqrt.create(self._scope, self._variance + inputs.epsilon) * backprops.offset_backprop
            return self._in_type_of(inputs.mean, _sum(own, self._vector((1, 1.0), (3, 1.0))))

        def grad_variance() -> AnyOperand | None:
            own = -self._scale * backprops.scale_backprop / (2 * (self._variance + inputs.epsilon))
            return self._in_type_of(inputs.variance, _sum(own, self._vector((2, 1.0), (4, 1.0))))

        return lambda: backprops.x_backprop, *self._of_vectors(), grad_mean, grad_variance

    def of_training(self) -> Gradients:
        """The gradients of the inputs where the statistics are the batch's."""
        inputs = self._inputs

        def grad_old(like: AnyOutput, index: int) -> AnyOperand | None:
            new = inputs.exponential_avg_factor
            return None if new == 1 else self._in_type_of(like, self._vector((index, 1 - new)))

        return (
            self._of_batch,
            *self._of_vectors(),
            lambda: grad_old(inputs.mean, 1),
            lambda: grad_old(inputs.variance, 2),
        )

    def _of_batch(self) -> AnyOperand:
        """The gradient of the batch in training, also through its statistics."""
        scope, channels, x, new = self._scope, self._channels, self._inputs.x, self._inputs.exponential_avg_factor
        count = channels.count(x)
        unbiased = count / (max(count - 1, 1.0) if isinstance(count, float) else Maximum.create(scope, count - 1, 1.0))
        by_mean, by_variance = self._vector((1, new), (3, 1.0)), self._vector((2, unbiased * new), (4, 1.0))
        grad: AnyOperand = self._backprops.x_backprop
        if by_mean is not None:
            grad = grad + cast_to(scope, channels.wide(by_mean / count), x.dtype)
        if by_variance is not None:
            centered = _float(scope, x) - channels.wide(self._mean)
            grad = grad + cast_to(scope, centered * channels.wide(2 * by_variance / count), x.dtype)
        return grad

    def _of_vectors(self) -> Sequence[Callable[[], AnyOperand | None]]:
        """The gradients of the factor and of the offset."""
        return (
            lambda: self._in_type_of(self._inputs.scale, self._backprops.scale_backprop),
            lambda: self._in_type_of(self._inputs.offset, self._backprops.offset_backprop),
        )

    def _vector(self, *terms: tuple[int, float | Operand[TFloat32]]) -> Operand[TFloat32] | None:
        """The sum of the gradients of some outputs, each times a factor; None if nothing depends on these outputs."""
        used = [term for term in terms if self._grads.connected(term[0])]
        products = [_float(self._scope, self._grads[index]) * factor for index, factor in used]
        return sum(products[1:], start=products[0]) if products else None

    def _in_type_of(self, like: AnyOutput, grad: Operand[TFloat32] | None) -> AnyOperand | None:
        return None if grad is None else cast_to(self._scope, grad, like.dtype)


def _sum(x: Operand[TFloat32], y: Operand[TFloat32] | None) -> Operand[TFloat32]:
    return x if y is None else x + y


def fused_batch_norm_v3(scope: Scope, op: FusedBatchNorm[Any, Any], grads: OutputGradients) -> Gradients:
    normalized = _Normalized(scope, op, grads)
    return normalized.of_training() if op.inputs.is_training else normalized.of_inference()


def fused_batch_norm_grad_v3(scope: Scope, op: FusedBatchNormGrad[Any, Any], grads: OutputGradients) -> Gradients:
    """With g, c, r of the entry, and X, S, O for the gradients of its outputs; a bar is a mean over each channel.

    X's part is X r scale (g - bar(g) - c r^2 bar(g c)), which is symmetric in g and X; in inference X r scale g.
    """
    inputs, channels = op.inputs, _Channels(scope, op.inputs.data_format)
    scale, mean, variance = inputs.scale, inputs.reserve_space1, inputs.reserve_space2
    x, grad, by_x = (_float(scope, each) for each in (inputs.x, inputs.y_backprop, grads[0]))
    by_scale: Operand[TFloat32] = grads[1]
    by_offset: Operand[TFloat32] = grads[2]
    centered = x - channels.wide(mean)
    inverse = Rsqrt.create(scope, variance + inputs.epsilon)
    along = channels.sum(grad * centered)

    def grad_y() -> AnyOperand:
        back = _normalization_grad(scope, inputs, grads[0], scale, mean, variance, inputs.reserve_space3)
        from_sums = centered * channels.wide(inverse * by_scale) + channels.wide(by_offset)
        return back.x_backprop + cast_to(scope, from_sums, inputs.x.dtype)

    grad_centered: Operand[TFloat32] = grad * channels.wide(inverse * by_scale)
    level: Operand[TFloat32] = channels.sum(by_x * grad)
    slope: Operand[TFloat32] = ZerosLike.create(scope, scale)
    if inputs.is_training:
        cube, mean_along = inverse * inverse * inverse * scale, channels.mean(grad * centered)
        product = by_x * channels.wide(mean_along) + grad * channels.wide(channels.mean(by_x * centered))
        grad_centered = grad_centered - channels.wide(cube) * product
        level = level - channels.sum(by_x) * channels.mean(grad)
        slope = channels.sum(by_x * centered) * inverse * inverse * mean_along

    def grad_variance() -> AnyOperand:
        grad_inverse = scale * (level - 3 * slope) + by_scale * along
        return -grad_inverse * inverse * inverse * inverse / 2

    return (
        grad_y,
        lambda: cast_to(scope, grad_centered, inputs.x.dtype),
        lambda: inverse * (level - slope),
        lambda: -channels.sum(grad_centered),
        grad_variance,
    )


def batch_norm_with_global_normalization(
    scope: Scope, op: BatchNormWithGlobalNormalization[N], grad: Output[N]
) -> Gradients:
    """Every input has an output of the gradient operation."""
    inputs = op.inputs
    grads = BatchNormWithGlobalNormalizationGrad.create(
        scope,
        conj(inputs.t),
        conj(inputs.m),
        conj(inputs.v),
        conj(inputs.gamma),
        grad,
        inputs.variance_epsilon,
        inputs.scale_after_normalization,
    )
    return grads.dx, grads.dm, grads.dv, grads.db, grads.dg if inputs.scale_after_normalization else None


def batch_norm_with_global_normalization_grad(
    scope: Scope, op: BatchNormWithGlobalNormalizationGrad[N], grads: OutputGradients
) -> Gradients:
    """With g, c, r, gamma of the entry, and X, M, V, B, D for the gradients of its outputs, the derivatives of

    sum(g (gamma r (X - M) - gamma V c r^3 / 2 + B + D c r)).
    """
    inputs = op.inputs
    t, mean, variance, gamma, g = map(conj, (inputs.t, inputs.m, inputs.v, inputs.gamma, inputs.backprop))
    _, by_mean, by_variance, by_beta, by_gamma = grads
    is_scaled = inputs.scale_after_normalization
    centered, inverse = t - mean, Rsqrt.create(scope, variance + rounded(inputs.variance_epsilon, "f"))
    by_x = grads[0] - by_mean
    half = by_variance * inverse * inverse / 2
    factor = gamma * inverse if is_scaled else inverse
    along = by_gamma * inverse - factor * half if is_scaled else -factor * half
    to_t = g * along

    def total(x: AnyOperand) -> AnyOperand:
        return Sum.create(scope, x, [0, 1, 2])

    def grad_variance() -> AnyOperand:
        slope = gamma * (by_x - 3 * half * centered) + by_gamma * centered if is_scaled else by_x - 3 * half * centered
        return total(g * slope) * inverse * inverse * inverse / -2

    return (
        lambda: to_t,
        lambda: -total(to_t),
        grad_variance,
        lambda: total(g * (by_x - centered * half)) * inverse if is_scaled else None,
        lambda: factor * by_x + centered * along + by_beta,
    )


class _Neighbours:
    """The arithmetic of `LRN`, whose norm is bias + alpha times the sum of squares."""

    def __init__(self, scope: Scope, op: LocalResponseNormalization[Any] | LocalResponseNormalizationGrad[Any]) -> None:
        inputs = op.inputs
        self._scope, self._radius = scope, inputs.depth_radius
        self._bias, self._alpha = inputs.bias, inputs.alpha

    def sum(self, x: Operand[TFloat32]) -> Operand[TFloat32]:
        """The sum over each channel and its neighbours: a product with a matrix of zeros and ones."""
        scope = self._scope
        channels = Range.create(scope, 0, size_between(scope, x.as_output(), -1, None), 1)
        distance = Abs.create(scope, ExpandDims.create(scope, channels, 1) - channels)
        near = Cast.create(scope, LessEqual.create(scope, distance, self._radius), TFloat32)
        return BatchMatMul.create(scope, x, near, TFloat32)

    def norm(self, x: Operand[TFloat32]) -> Operand[TFloat32]:
        """What a power of divides each element of `x`."""
        return self._bias + self._alpha * self.sum(x * x)


def lrn(scope: Scope, op: LocalResponseNormalization[F], grad: Output[F]) -> Gradients:
    inputs = op.inputs
    return LocalResponseNormalizationGrad.create(
        scope,
        grad,
        inputs.input,
        op,
        depth_radius=inputs.depth_radius,
        bias=inputs.bias,
        alpha=inputs.alpha,
        beta=inputs.beta,
    )


def lrn_grad(scope: Scope, op: LocalResponseNormalizationGrad[F], grad: Output[F]) -> Gradients:
    """With g, x, y, n of the entry, G for the gradient of its output, and W for the sum over neighbours, derivatives of

    sum(G g n^-beta - 2 alpha beta (g y / n) W(G x)), where n = bias + alpha W(x^2).
    """
    inputs, neighbours = op.inputs, _Neighbours(scope, op)
    g, x, y, by = (_float(scope, e) for e in (inputs.input_grads, inputs.input_image, inputs.output_image, grad))
    alpha, beta = inputs.alpha, inputs.beta
    norm = neighbours.norm(x)
    power, factor = Pow.create(scope, norm, -beta), 2 * alpha * beta
    along = factor * neighbours.sum(by * x) / norm

    def grad_x() -> AnyOperand:
        slope = g * (y * along - beta * by * power) / norm
        return 2 * alpha * x * neighbours.sum(slope) - factor * by * neighbours.sum(g * y / norm)

    return (
        lambda: cast_to(scope, by * power - y * along, grad.dtype),
        lambda: cast_to(scope, grad_x(), grad.dtype),
        lambda: cast_to(scope, -g * along, grad.dtype),
    )
