"""Convolution and pooling beyond what TensorFlow's kernels for the CPU do: any geometry, by loops over the formulas."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pytest
from attrs import frozen
from hypothesis import assume, given
from hypothesis import strategies as st

import typegrad as tg
from support.building import constant
from support.recording import Array
from typegrad.op import nn

FORMATS: Final = st.sampled_from(["NHWC", "NCHW"])
PADDINGS: Final = st.sampled_from(["SAME", "VALID", "EXPLICIT"])


@frozen
class Axis:
    """A window along one dimension."""

    length: int
    size: int
    stride: int
    dilation: int
    edges: tuple[int, int] | None

    @property
    def span(self) -> int:
        """How many elements it covers."""
        return (self.size - 1) * self.dilation + 1

    @property
    def places(self) -> int:
        """The number of its positions."""
        if self.edges is None:
            return -(-self.length // self.stride)
        return (self.length + sum(self.edges) - self.span) // self.stride + 1

    @property
    def before(self) -> int:
        """How far it reaches over the front edge."""
        if self.edges is None:
            return max((self.places - 1) * self.stride + self.span - self.length, 0) // 2
        return self.edges[0]

    def seen(self, place: int) -> Iterator[tuple[int, int]]:
        """The elements of the window that are inside in one place, and their positions."""
        for element in range(self.size):
            position = place * self.stride + element * self.dilation - self.before
            if 0 <= position < self.length:
                yield element, position


@st.composite
def axes(draw: st.DrawFn, padding: str, *, dilated: bool) -> Axis:
    """Any window that fits."""
    length, size, stride = draw(st.integers(1, 5)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    dilation = draw(st.integers(1, 2)) if dilated else 1
    edge = st.integers(0, size - 1)
    edges = {"SAME": None, "VALID": (0, 0), "EXPLICIT": (draw(edge), draw(edge))}[padding]
    axis = Axis(length, size, stride, dilation, edges)
    assume(edges is None or length + sum(edges) >= axis.span)
    return axis


def formatted(values: Any, data_format: str) -> Any:
    """What is in the order batch, rows, columns, channels, in a data format's order."""
    batch, rows, columns, channels = values
    return (batch, channels, rows, columns) if data_format == "NCHW" else (batch, rows, columns, channels)


def sliding_attrs(padding: str, data_format: str, rows: Axis, columns: Axis) -> dict[str, Any]:
    """The attributes of convolutions."""
    dimensions = formatted((still(1), rows, columns, still(1)), data_format)
    attrs: dict[str, Any] = {"padding": padding, "data_format": data_format}
    attrs |= {"strides": [axis.stride for axis in dimensions], "dilations": [axis.dilation for axis in dimensions]}
    if padding == "EXPLICIT":
        attrs["explicit_paddings"] = [edge for axis in dimensions for edge in axis.edges or ()]
    return attrs


def pooling_arguments(padding: str, data_format: str, dimensions: tuple[Axis, ...]) -> dict[str, Any]:
    """How pooling is told of windows along the dimensions in the order of the data format."""
    sizes, steps = [axis.size for axis in dimensions], [axis.stride for axis in dimensions]
    return {"ksize": sizes, "strides": steps, "padding": padding, "data_format": data_format}


def still(length: int) -> Axis:
    """A dimension along which nothing slides."""
    return Axis(length, 1, 1, 1, (0, 0))


def places_of(dimensions: tuple[Axis, ...]) -> Iterator[tuple[int, ...]]:
    """All places."""
    return itertools.product(*(range(axis.places) for axis in dimensions))


def numbers(shape: tuple[int, ...], seed: int) -> Array:
    """Whole numbers, so that sums are exact."""
    return np.random.default_rng(seed).integers(-9, 10, shape).astype(np.float64)


def gradient(scope: tg.Scope, y: Any, x: Any, weights: Any) -> Any:
    """The gradient with respect to `x` of y times weights, summed."""
    (grad,) = tg.gradients(scope, [y], [x], grad_ys=[weights])
    return grad


# Convolution


def convolved(x: Array, filters: Array, rows: Axis, columns: Axis) -> Array:
    """The formula, for [batch, rows, columns, channels] and filters [height, width, channels of a group, filters]."""
    depth, count = filters.shape[2:]
    of_group = count * depth // x.shape[3]
    result = np.zeros((len(x), rows.places, columns.places, count))
    for i, j in places_of((rows, columns)):
        for ((d, m), (e, n)), k in itertools.product(itertools.product(rows.seen(i), columns.seen(j)), range(count)):
            first = k // of_group * depth
            result[:, i, j, k] += x[:, m, n, first : first + depth] @ filters[d, e, :, k]
    return result


@given(st.data(), PADDINGS, FORMATS, st.booleans())
def test_convolutions_are_their_formula(data: st.DataObject, padding: str, data_format: str, depthwise: bool) -> None:
    rows, columns = (data.draw(axes(padding, dilated=True)) for _ in range(2))
    batch, groups, depth, count = (data.draw(st.integers(1, 3)) for _ in range(4))
    depth = 1 if depthwise else data.draw(st.sampled_from([depth, 4]))
    x = numbers((batch, rows.length, columns.length, groups * depth), 1)
    filters = numbers((rows.size, columns.size, depth, groups * count), 2)
    expected = convolved(x, filters, rows, columns)
    given_filters = filters.reshape(rows.size, columns.size, groups, count) if depthwise else filters
    attrs = sliding_attrs(padding, data_format, rows, columns)
    scope = tg.Scope(tg.Graph())
    order = formatted(range(4), data_format)
    operands = [constant(scope, 0, value) for value in (x.transpose(order), given_filters)]
    wrapper: Any = nn.DepthwiseConv2dNative if depthwise else nn.Conv2d
    y = wrapper.create(scope, *operands, **attrs)
    weights = numbers(expected.transpose(order).shape, 3)
    grads: list[Any] = list(tg.gradients(scope, [y], operands, grad_ys=[constant(scope, 0, weights)]))
    with tg.Session(scope.graph) as session:
        value, x_grad, filter_grad = session.run([y, *grads])
    np.testing.assert_array_equal(value, expected.transpose(order))
    # A convolution is linear in its input and in its filters: it gives in any direction what its gradients say.
    other_x, other_filters = numbers(x.shape, 4), numbers(filters.shape, 5)
    along_x = convolved(other_x, filters, rows, columns).transpose(order)
    along_filters = convolved(x, other_filters, rows, columns).transpose(order)
    assert np.sum(x_grad * other_x.transpose(order)) == np.sum(along_x * weights)
    assert np.sum(filter_grad.reshape(filters.shape) * other_filters) == np.sum(along_filters * weights)


@given(st.data(), PADDINGS, st.integers(1, 2))
def test_padding_is_not_multiplied_by_an_infinite_filter(data: st.DataObject, padding: str, multiplier: int) -> None:
    rows, columns = (data.draw(axes(padding, dilated=True)) for _ in range(2))
    x = numbers((2, rows.length, columns.length, 2), 1)
    filters = numbers((rows.size, columns.size, 1, 2 * multiplier), 2)
    filters[0, 0], filters[-1, -1, :, 0] = np.inf, -np.inf
    scope = tg.Scope(tg.Graph())
    operands = (constant(scope, 0, value) for value in (x, filters.reshape(*filters.shape[:2], 2, multiplier)))
    wrapper: Any = nn.DepthwiseConv2dNative
    y = wrapper.create(scope, *operands, **sliding_attrs(padding, "NHWC", rows, columns))
    with tg.Session(scope.graph) as session, np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(session.run(y), convolved(x, filters, rows, columns))


@pytest.mark.parametrize("stride", [1, 2, 3])
def test_depthwise_convolution_does_not_depend_on_the_order_of_dimensions(stride: int) -> None:
    rows, columns = (Axis(length, 2, stride, 2, (0, 0)) for length in (7, 8))
    x, filters = numbers((2, 7, 8, 3), 1), numbers((2, 2, 3, 1), 2)
    weights = numbers((2, rows.places, columns.places, 3), 3)
    answers = []
    for data_format in ("NHWC", "NCHW"):
        order = formatted(range(4), data_format)
        scope = tg.Scope(tg.Graph())
        operands = [constant(scope, 0, value) for value in (x.transpose(order), filters)]
        wrapper: Any = nn.DepthwiseConv2dNative
        y = wrapper.create(scope, *operands, **sliding_attrs("VALID", data_format, rows, columns))
        grads: list[Any] = list(
            tg.gradients(scope, [y], operands, grad_ys=[constant(scope, 0, weights.transpose(order))])
        )
        with tg.Session(scope.graph) as session:
            value, x_grad, filter_grad = session.run([y, *grads])
        back = np.argsort(order)
        answers.append((value.transpose(back), x_grad.transpose(back), filter_grad))
    for first, second in zip(*answers, strict=True):
        np.testing.assert_array_equal(first, second)


# Pooling


def elements_of(dimensions: tuple[Axis, ...], place: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The positions that a window sees in one place, row by row."""
    seen = ([position for _, position in axis.seen(i)] for axis, i in zip(dimensions, place, strict=True))
    return list(itertools.product(*seen))


@st.composite
def pools(draw: st.DrawFn, padding: str) -> tuple[Axis, ...]:
    """A window over two dimensions, or over all four."""
    if draw(st.booleans()):
        rows, columns = draw(axes(padding, dilated=False)), draw(axes(padding, dilated=False))
        return still(draw(st.integers(1, 2))), rows, columns, still(draw(st.integers(1, 2)))
    return tuple(draw(axes(padding, dilated=False)) for _ in range(4))


@given(st.data(), st.sampled_from(["SAME", "VALID"]), FORMATS)
def test_max_pool_is_its_formula(data: st.DataObject, padding: str, data_format: str) -> None:
    dimensions = tuple(formatted(data.draw(pools(padding)), data_format))
    x = numbers(tuple(axis.length for axis in dimensions), 1)
    weights, directions = numbers(tuple(axis.places for axis in dimensions), 2), numbers(x.shape, 3)
    expected, expected_grad, along = np.zeros(weights.shape), np.zeros(x.shape), np.zeros(weights.shape)
    for place in places_of(dimensions):
        first = max(elements_of(dimensions, place), key=lambda position: x[position])
        expected[place] = x[first]
        expected_grad[first] += weights[place]
        along[place] = directions[first]
    attrs = pooling_arguments(padding, data_format, dimensions)
    scope = tg.Scope(tg.Graph())
    a, w, v = (constant(scope, 0, value) for value in (x, weights, directions))
    y: Any = nn.MaxPool.create(scope, a, **attrs)
    grad = gradient(scope, y, a, w)
    second = gradient(scope, grad, w, v)
    third = gradient(scope, second, v, w)
    with tg.Session(scope.graph) as session:
        answers = session.run([y, grad, second, third])
    for answer, exact in zip(answers, (expected, expected_grad, along, expected_grad), strict=True):
        np.testing.assert_array_equal(answer, exact)


@given(st.data(), st.sampled_from(["SAME", "VALID"]), FORMATS)
def test_avg_pool_is_its_formula(data: st.DataObject, padding: str, data_format: str) -> None:
    dimensions = tuple(formatted(data.draw(pools(padding)), data_format))
    x = numbers(tuple(axis.length for axis in dimensions), 1)
    weights = numbers(tuple(axis.places for axis in dimensions), 2)
    expected, expected_grad = np.zeros(weights.shape), np.zeros(x.shape)
    for place in places_of(dimensions):
        elements = elements_of(dimensions, place)
        for position in elements:
            expected[place] += x[position] / len(elements)
            expected_grad[position] += weights[place] / len(elements)
    attrs = pooling_arguments(padding, data_format, dimensions)
    scope = tg.Scope(tg.Graph())
    a = constant(scope, 0, x)
    y: Any = nn.AvgPool.create(scope, a, **attrs)
    grad = gradient(scope, y, a, constant(scope, 0, weights))
    with tg.Session(scope.graph) as session:
        value, x_grad = session.run([y, grad])
    np.testing.assert_allclose(value, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(x_grad, expected_grad, rtol=1e-12, atol=1e-12)
