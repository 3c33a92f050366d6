"""Laws that hold for any shapes and values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import typegrad as tg
from support.building import constant, placeholder
from support.recording import Array
from typegrad.base.errors import ShapeError
from typegrad.base.shape import Shape, broadcast, merge
from typegrad.graph.operand import Output
from typegrad.op import core, dtypes, linalg, math

dims = st.one_of(st.integers(0, 3), st.sampled_from(["batch", "time"]), st.none())
shapes = st.one_of(st.just(Shape(None)), st.lists(dims, max_size=4).map(lambda sizes: Shape(tuple(sizes))))
sizes = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)
doubles = st.floats(-100, 100)


def arrays(shape: Any = sizes) -> st.SearchStrategy[Array]:
    """Arrays of doubles."""
    return hnp.arrays(np.float64, shape, elements=doubles)


@st.composite
def broadcastable(draw: st.DrawFn) -> list[Array]:
    """Two arrays that broadcast."""
    sizes = draw(hnp.mutually_broadcastable_shapes(num_shapes=2, min_dims=0, max_dims=4, min_side=0, max_side=3))
    return [draw(arrays(shape)) for shape in sizes.input_shapes]


def run(fetch: Any, feeds: Any = None) -> Any:
    """The value of an operand."""
    with tg.Session(fetch.graph) as session:
        return session.run(fetch, feeds or {})


def fresh(*values: Array) -> tuple[tg.Scope, list[Output[Any, Any]]]:
    """A new graph with constants."""
    scope = tg.Scope(tg.Graph())
    return scope, [constant(scope, 0, value) for value in values]


# Shapes


def _together(function: Callable[[Shape, Shape], Shape], a: Shape, b: Shape) -> Shape | None:
    try:
        return function(a, b)
    except ShapeError:
        return None


@given(shapes, shapes)
def test_merge_and_broadcast_are_commutative(a: Shape, b: Shape) -> None:
    for function in (merge, broadcast):
        assert _together(function, a, b) == _together(function, b, a)


@given(shapes)
def test_merge_is_idempotent_and_unknown_is_neutral(a: Shape) -> None:
    assert merge(a, a) == a
    assert merge(a, Shape(None)) == a
    assert broadcast(a, Shape(())) == a


@given(shapes, shapes, shapes)
def test_merge_is_associative(a: Shape, b: Shape, c: Shape) -> None:
    ab, bc = _together(merge, a, b), _together(merge, b, c)
    left = None if ab is None else _together(merge, ab, c)
    right = None if bc is None else _together(merge, a, bc)
    assert left == right


@given(st.data())
def test_broadcast_of_partly_known_shapes_accepts_what_numpy_makes(data: st.DataObject) -> None:
    example = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=2, min_dims=0, max_dims=4, min_side=0, max_side=3))

    def hidden(sizes: Sequence[int]) -> Shape:
        return Shape(tuple(None if data.draw(st.booleans()) else size for size in sizes))

    a, b = example.input_shapes
    assert broadcast(Shape(a), Shape(b)) == Shape(example.result_shape)
    assert broadcast(hidden(a), hidden(b)).accepts(example.result_shape)


# Broadcasting


@given(broadcastable())
def test_elementwise_operations_broadcast_as_numpy(pair: list[Array]) -> None:
    for operation, function in (
        (math.Add, np.add),
        (math.Sub, np.subtract),
        (math.Mul, np.multiply),
        (math.Maximum, np.maximum),
    ):
        scope, (x, y) = fresh(*pair)
        result = operation.create(scope, x, y)
        expected = function(*pair)
        assert result.shape == Shape(expected.shape)
        np.testing.assert_array_equal(run(result), expected)


@given(broadcastable(), st.booleans())
def test_gradients_of_broadcast_inputs_have_the_inputs_shapes(pair: list[Array], known: bool) -> None:
    scope, inputs = fresh(*pair)
    feeds: dict[tg.Operand[Any, Any], Array] = {}
    if not known:
        inputs = [placeholder(scope, value) for value in pair]
        feeds = dict(zip(inputs, pair, strict=True))
    y = math.Add.create(scope, *inputs)
    grads = tg.gradients(scope, [y], inputs)
    for grad, value, count in zip(
        grads, pair, [np.broadcast(*pair).size / max(value.size, 1) for value in pair], strict=True
    ):
        assert grad is not None
        np.testing.assert_array_equal(run(grad, feeds), np.full_like(value, count))


# Round trips


@given(arrays(), st.data())
def test_transpose_and_its_inverse_cancel(value: Array, data: st.DataObject) -> None:
    permutation = data.draw(st.permutations(range(value.ndim)))
    scope, (x,) = fresh(value)
    there = linalg.Transpose.create(scope, x, permutation)
    back = linalg.Transpose.create(scope, there, [int(i) for i in np.argsort(permutation)])
    assert there.shape == Shape(tuple(value.shape[i] for i in permutation))
    np.testing.assert_array_equal(run(back), value)


@given(arrays(hnp.array_shapes(min_dims=0, max_dims=4, min_side=1, max_side=4)))
def test_reshape_to_a_vector_and_back_cancels(value: Array) -> None:
    scope, (x,) = fresh(value)
    vector = core.Reshape.create(scope, x, (-1,))
    assert vector.shape == Shape((value.size,))
    np.testing.assert_array_equal(run(core.Reshape.create(scope, vector, value.shape)), value)


@given(arrays(hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=4)), st.data())
def test_split_and_concat_cancel(value: Array, data: st.DataObject) -> None:
    axis = data.draw(st.integers(-value.ndim, value.ndim - 1))
    cut = data.draw(st.integers(0, value.shape[axis]))
    scope, (x,) = fresh(value)
    parts = core.SplitV.create(scope, x, [cut, value.shape[axis] - cut], axis, num_split=2)
    joined = core.Concat.create(scope, list(parts.output), axis)
    assert joined.shape == Shape(value.shape)
    np.testing.assert_array_equal(run(joined), value)


@given(arrays(hnp.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=4)), st.data())
def test_unstack_and_stack_cancel(value: Array, data: st.DataObject) -> None:
    axis = data.draw(st.integers(-value.ndim, value.ndim - 1))
    scope, (x,) = fresh(value)
    parts = core.Unstack.create(scope, x, num=value.shape[axis], axis=axis)
    np.testing.assert_array_equal(run(core.Stack.create(scope, list(parts.output), axis=axis)), value)


@given(hnp.arrays(np.int16, sizes))
def test_cast_to_a_wider_type_and_back_cancels(value: Array) -> None:
    for wide in (tg.TInt32, tg.TInt64, tg.TFloat32, tg.TFloat64, tg.TComplex64):
        scope, (x,) = fresh(value)
        back = dtypes.Cast.create(scope, dtypes.Cast.create(scope, x, wide), tg.TInt16)
        np.testing.assert_array_equal(run(back), value)


@given(arrays())
def test_exp_and_log_cancel(value: Array) -> None:
    scope, (x,) = fresh(value)
    np.testing.assert_allclose(run(math.Log.create(scope, math.Exp.create(scope, x))), value, rtol=1e-9, atol=1e-9)


# Reductions


@given(arrays(), st.data())
def test_sum_over_axes_in_any_order(value: Array, data: st.DataObject) -> None:
    axes = data.draw(st.lists(st.integers(0, max(value.ndim - 1, 0)), unique=True, max_size=value.ndim))
    assume(value.ndim or not axes)
    scope, (x,) = fresh(value)
    at_once = core.Sum.create(scope, x, axes)
    one_by_one: Any = x
    for axis in sorted(axes, reverse=True):
        one_by_one = core.Sum.create(scope, one_by_one, axis)
    assert at_once.shape == one_by_one.shape
    np.testing.assert_allclose(run(at_once), run(one_by_one), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(run(at_once), value.sum(axis=tuple(axes)), rtol=1e-9, atol=1e-9)


@given(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4), st.data())
def test_matmul_of_a_product_is_associative(m: int, k: int, n: int, data: st.DataObject) -> None:
    a, b, c = (data.draw(arrays(shape)) for shape in ((m, k), (k, n), (n, 2)))
    scope, (x, y, z) = fresh(a, b, c)
    left = linalg.MatMul.create(scope, linalg.MatMul.create(scope, x, y), z)
    right = linalg.MatMul.create(scope, x, linalg.MatMul.create(scope, y, z))
    np.testing.assert_allclose(run(left), run(right), rtol=1e-7, atol=1e-5)


# Gradients


@given(arrays(), doubles)
def test_gradient_is_linear_in_the_output_gradient(value: Array, factor: float) -> None:
    scope, (x,) = fresh(value)
    y = math.Tanh.create(scope, x)
    ones, factors = (constant(scope, 0, np.full_like(value, number)) for number in (1.0, factor))
    (once,) = tg.gradients(scope, [y], [x], grad_ys=[ones])
    (scaled,) = tg.gradients(scope, [y], [x], grad_ys=[factors])
    assert once is not None and scaled is not None
    np.testing.assert_allclose(run(scaled), factor * run(once), rtol=1e-12)


@given(arrays())
def test_gradients_of_several_outputs_add_up(value: Array) -> None:
    scope, (x,) = fresh(value)
    ys = [math.Sin.create(scope, x), math.Square.create(scope, x)]
    (both,) = tg.gradients(scope, ys, [x])
    assert both is not None
    np.testing.assert_allclose(run(both), np.cos(value) + 2 * value, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", [1, 2])
def test_random_numbers_depend_on_seed_and_name_only(seed: int) -> None:
    from typegrad.op import random

    def draw(*, more: bool) -> Array:
        scope = tg.Scope(tg.Graph(seed=seed))
        if more:
            random.RandomUniform.create(scope.with_name("other"), (3,), tg.TFloat32)
        return np.asarray(run(random.RandomUniform.create(scope.with_name("this"), (3,), tg.TFloat32)))

    np.testing.assert_array_equal(draw(more=False), draw(more=True))


@given(st.sampled_from([np.float16, np.float32, np.float64]), doubles, doubles, st.floats(0.1, 10) | st.just(0.5))
def test_the_size_of_a_range_of_floats(dtype: type[np.floating[Any]], start: float, limit: float, step: float) -> None:
    scope = tg.Scope(tg.Graph())
    numbers = map(dtype, (start, limit, step if limit >= start else -step))
    numbered = core.Range.create(scope, *map(core.Constant.create, [scope] * 3, numbers))
    assert numbered.shape == (len(run(numbered)),)
