"""What is inferred of an operation is kept; operations that differ in anything that counts have their own."""

from __future__ import annotations

import math as m
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.graph.operand import AnyOutput
from typegrad.op import core, math, nn, random


def placeholder(scope: tg.Scope, *shape: Any, dtype: type[Any] = tg.TFloat32) -> Any:
    return core.Placeholder.create(scope, dtype, shape=shape)


PAIRS: Final[dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]]] = {
    "sizes": (lambda s: math.Neg.create(s, placeholder(s, 3)), lambda s: math.Neg.create(s, placeholder(s, 4))),
    "names": (lambda s: math.Neg.create(s, placeholder(s, "A")), lambda s: math.Neg.create(s, placeholder(s, "B"))),
    "values": (
        lambda s: core.Sum.create(s, placeholder(s, 3, 4), 0),
        lambda s: core.Sum.create(s, placeholder(s, 3, 4), 1),
    ),
    "attributes": (
        lambda s: core.Sum.create(s, placeholder(s, 3, 4), 0, keep_dims=True),
        lambda s: core.Sum.create(s, placeholder(s, 3, 4), 0, keep_dims=False),
    ),
    "lengths of lists": (
        lambda s: core.Stack.create(s, [placeholder(s, 3)] * 2),
        lambda s: core.Stack.create(s, [placeholder(s, 3)] * 3),
    ),
    "operations": (
        lambda s: math.Equal.create(s, placeholder(s, 3), 1.0),
        lambda s: math.Add.create(s, placeholder(s, 3), 1.0),
    ),
}


@pytest.mark.parametrize("what", PAIRS)
def test_what_differs_is_inferred_by_itself(scope: tg.Scope, what: str) -> None:
    first, second = ((x.dtype, x.shape) for x in (make(scope) for make in PAIRS[what]))
    assert first != second


def test_the_same_is_inferred_once(scope: tg.Scope) -> None:
    x = placeholder(scope, 3, "Batch")
    first, second = math.Neg.create(scope, x), math.Neg.create(scope, math.Neg.create(scope, x))
    assert first.op.attrs is second.op.attrs and first.shape is second.shape


def test_a_zero_keeps_its_sign(scope: tg.Scope) -> None:
    x = placeholder(scope, 3)
    slopes = [nn.LeakyRelu.create(scope, x, alpha=alpha).op.attrs["alpha"] for alpha in (0.0, -0.0, 0.0)]
    assert [m.copysign(1.0, slope) for slope in slopes] == [1.0, -1.0, 1.0]


def test_values_that_are_equal_keep_their_type(scope: tg.Scope) -> None:
    values = [core.Identity.create(scope, value).as_output().static_value for value in (1, True, 1)]
    assert [type(value) for value in values] == [int, bool, int]


REPEATED: Final[Mapping[str, tuple[Callable[[tg.Scope, Any], AnyOutput], Any]]] = {
    "tile": (lambda s, x: core.Tile.create(s, x, [2, 1]).as_output(), lambda x: np.tile(x, [2, 1])),
    "tile to nothing": (lambda s, x: core.Tile.create(s, x, [2, 0]).as_output(), lambda x: np.tile(x, [2, 0])),
    "tile both": (lambda s, x: core.Tile.create(s, x, [3, 2]).as_output(), lambda x: np.tile(x, [3, 2])),
    "broadcast": (
        lambda s, x: core.BroadcastTo.create(s, x, [2, 2, 3]).as_output(),
        lambda x: np.broadcast_to(x, [2, 2, 3]),
    ),
    "broadcast a row": (
        lambda s, x: core.BroadcastTo.create(s, x[:1], [4, 3]).as_output(),
        lambda x: np.broadcast_to(x[:1], [4, 3]),
    ),
    "new dimensions": (lambda _, x: x[None, :, None].as_output(), lambda x: x[None, :, None]),
    "an ellipsis": (lambda _, x: x[..., None].as_output(), lambda x: x[..., None]),
    "reversed": (lambda _, x: x[::-1, None].as_output(), None),
    "many": (lambda s, x: core.Tile.create(s, x, [20, 1]).as_output(), None),
}


@pytest.mark.parametrize("name", REPEATED)
def test_values_that_are_repeated(name: str, scope: tg.Scope) -> None:
    array = np.arange(6, dtype=np.int32).reshape(2, 3)
    repeat, expected = REPEATED[name]
    value = repeat(scope, core.Constant.create(scope, array)).static_value
    assert value is None if expected is None else np.array_equal(np.asarray(value), expected(array))


def test_an_error_names_each_operation(scope: tg.Scope) -> None:
    x, y = placeholder(scope, 3), placeholder(scope, 4)
    for name in ("first", "second"):
        with pytest.raises(tg.ShapeError, match=f"AddV2 '{name}' .*shapes .3. and .4. do not broadcast"):
            math.AddV2.create(scope.with_name(name), x, y)


def test_seeds_of_one_operation_are_not_those_of_another(scope: tg.Scope) -> None:
    seeds = [random.RandomUniform.create(scope.with_seed(7), (2,), tg.TFloat32).op.attrs["seed2"] for _ in range(2)]
    unseeded = random.RandomUniform.create(scope, (2,), tg.TFloat32).op.attrs
    assert seeds[0] != seeds[1] and (unseeded["seed"], unseeded["seed2"]) == (0, 0)
