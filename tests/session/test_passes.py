"""Passes over the steps of a plan: what each removes, and that results and errors stay the same, bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import typegrad as tg
from support.blocks import small_blocks
from support.entries import entries
from support.registry import definition
from typegrad.base.types import TResource
from typegrad.op import core, dtypes, linalg, math, nn
from typegrad.session import interpreted
from typegrad.session.passes import PASS_NAMES, PASSES
from typegrad.session.plan import Plan
from typegrad.session.state import Resources
from typegrad_checking.applied import constant, placeholder
from typegrad_checking.examples import applied

SETTINGS: Final = [*([name] for name in PASS_NAMES), list(PASS_NAMES)]


def steps(fetches: Any, feeds: Any, passes: Any) -> list[str]:
    """The types of the operations that are left."""
    outputs = [fetch.as_output() for fetch in fetches]
    plan = Plan(outputs, (), [feed.as_output() for feed in feeds], Resources(), passes)
    return [step.op.type for step in plan.steps.steps]


Build = Callable[[tg.Scope, Any], Any]

REMOVED: Final[dict[str, tuple[str, Build, list[str]]]] = {
    "what depends on constants": (
        "constant_folding",
        lambda s, x: x + math.Exp.create(s, core.Constant.create(s, 1.0)),
        ["AddV2"],
    ),
    "the same operation twice": (
        "common_subexpressions",
        lambda s, x: math.Exp.create(s, x) + math.Exp.create(s, x),
        ["Exp", "AddV2"],
    ),
    "the same operations in a chain": (
        "common_subexpressions",
        lambda s, x: math.Exp.create(s, -x) + math.Exp.create(s, -x),
        ["Neg", "Exp", "AddV2"],
    ),
    "not operations whose attributes differ": (
        "common_subexpressions",
        lambda s, x: linalg.MatMul.create(s, x, x) + linalg.MatMul.create(s, x, x, transpose_a=True),
        ["MatMul", "MatMul", "AddV2"],
    ),
    "an identity": ("simplification", lambda s, x: core.Identity.create(s, x) + x, ["AddV2"]),
    "a stopped gradient": ("simplification", lambda s, x: core.StopGradient.create(s, x) + x, ["AddV2"]),
    "an absolute value of one": ("simplification", lambda s, x: abs(abs(x)), ["Abs"]),
    "a cast to the same type": ("simplification", lambda s, x: dtypes.Cast.create(s, -x, tg.TFloat32), ["Neg"]),
    "a reshape to the same shape": ("simplification", lambda s, x: core.Reshape.create(s, -x, [2, 2]), ["Neg"]),
}


@pytest.mark.parametrize("what", REMOVED)
def test_what_a_pass_removes(what: str) -> None:
    name, build, expected = REMOVED[what]
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 2))
    y = build(scope, x)
    assert [each for each in steps([y], [x], [name]) if each != "Const"] == expected
    assert len(steps([y], [x], ())) > len(steps([y], [x], [name])) or what.startswith("not ")


TWICE: Final[dict[str, Build]] = {
    "negation": lambda s, x: math.Neg.create(s, -x),
    "transposition": lambda s, x: linalg.Transpose.create(s, linalg.Transpose.create(s, x, [1, 0]), [-1, -2]),
    "product with 1": lambda s, x: 1.0 * (x * 1.0),
    "product with repeated 1": lambda s, x: x * core.BroadcastTo.create(s, 1.0, [2, 2]),
    "quotient by 1": lambda s, x: x / 1.0,
    "difference to 0": lambda s, x: x - 0.0,
    "sum with -0": lambda s, x: x + -0.0,
    "reshapes there and back": lambda s, x: core.Reshape.create(s, core.Reshape.create(s, x, [4]), [2, 2]),
}


@pytest.mark.parametrize("what", TWICE)
def test_what_is_nothing_in_the_end_takes_no_step(what: str) -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 2))
    y = TWICE[what](scope, x)
    assert steps([y], [x], PASSES) == []
    for passes in (None, ()):
        value = np.array([[np.nan, -np.inf], [-0.0, 1e-45]], np.float32)
        assert tg.Session(scope.graph, passes=passes).run(y, {x: value}).tobytes() == value.tobytes()


OTHERWISE_IN_MEMORY: Final[dict[str, Build]] = {
    "a part": lambda s, x: x[:, ::2] * 1.0,
    "a part, negated twice": lambda s, x: math.Neg.create(s, -x[:, 3:200]),
    "a part, reshaped twice": lambda s, x: core.Reshape.create(s, core.Reshape.create(s, x[:, :200], [-1]), [300, 200]),
    "a transposition, reshaped twice": lambda s, x: core.Reshape.create(
        s, core.Reshape.create(s, linalg.Transpose.create(s, x, [1, 0]), [-1]), [257, 300]
    ),
}


@pytest.mark.parametrize("what", OTHERWISE_IN_MEMORY)
def test_sums_do_not_depend_on_what_is_where_in_memory(what: str) -> None:
    """What a pass removes may have brought the elements into another order in memory."""
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(300, 257))
    y = OTHERWISE_IN_MEMORY[what](scope, x)
    sums = [core.Sum.create(scope, y, axes, keep_dims=keep) for axes in ([0, 1], [0], [1]) for keep in (False, True)]
    fetches = [*sums, math.Mean.create(scope, y), linalg.EuclideanNorm.create(scope, y), nn.L2Loss.create(scope, y)]
    value = np.random.default_rng(1).standard_normal((300, 257)).astype(np.float32)
    for fed in (value, np.asfortranarray(value)):
        results = []
        for passes in (None, ()):
            session = tg.Session(scope.graph, passes=passes)
            results += [[each.tobytes() for each in session.run(fetches, {x: fed})] for _ in range(3)]
        assert all(each == results[0] for each in results)


KEPT: Final[dict[str, Build]] = {
    "x + 0, as -0 + 0 is 0": lambda s, x: x + 0.0,
    "x - (-0)": lambda s, x: x - -0.0,
    "x * 0, as inf * 0 is nan": lambda s, x: x * 0.0,
    "x * -1": lambda s, x: x * -1.0,
    "1 / x": lambda s, x: 1.0 / x,
    "0 - x": lambda s, x: 0.0 - x,
    "x * [[[1]]], which has another rank": lambda s, x: x * np.ones((1, 1, 1), np.float32),
    "x * [1, 2]": lambda s, x: x * np.array([1, 2], np.float32),
    "x - x, as inf - inf is nan": lambda s, x: x - x,
    "x / x": lambda s, x: x / x,
    "a transposition": lambda s, x: linalg.Transpose.create(s, x, [1, 0]),
}


@pytest.mark.parametrize("what", KEPT)
def test_what_would_change_a_result_stays(what: str) -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 2))
    assert len(steps([KEPT[what](scope, x)], [x], PASSES)) == 1


def test_what_stretches_stays() -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    for shape in ((1, 2), (None, 2)):
        x = core.Placeholder.create(scope, tg.TFloat32, shape=shape)
        assert steps([x * core.BroadcastTo.create(scope, 1.0, [3, 2])], [x], PASSES) == ["Mul"]


def test_complex_products_with_one_stay() -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TComplex64, shape=(2,))
    assert steps([x * 1.0], [x], PASSES) == ["Mul"]


@pytest.mark.parametrize("flags", [(False, False), (True, False), (False, True), (True, True)])
def test_products_absorb_transpositions(flags: tuple[bool, bool]) -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(3, 3))
    turned = linalg.Transpose.create(scope, x, [1, 0])
    product = linalg.MatMul.create(scope, turned, turned, transpose_a=flags[0], transpose_b=flags[1])
    other = linalg.MatMul.create(scope, turned, x, transpose_a=flags[0], transpose_b=flags[1])
    assert steps([product, other], [x], PASSES) == ["MatMul", "MatMul"]
    value = np.arange(9, dtype=np.float32).reshape(3, 3)
    results = [tg.Session(scope.graph, passes=passes).run([product, other], {x: value}) for passes in (None, ())]
    assert [each.tobytes() for each in results[0]] == [each.tobytes() for each in results[1]]


def test_a_value_that_is_fed_is_taken_from_nobody_else() -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2,))
    one, other, same = math.Exp.create(scope, x), math.Exp.create(scope, x), core.Identity.create(scope, x)
    total = one * 100.0 + other * 10.0 + same
    for fed in (one, other, same):
        for passes in (None, ()):
            values = {x: np.zeros(2, np.float32), fed: np.full(2, 3, np.float32)}
            results = tg.Session(scope.graph, passes=passes).run([total, one, other, same], values)
            expected = {one: 1.0, other: 1.0, same: 0.0} | {fed: 3.0}
            assert [float(each[0]) for each in results[1:]] == list(expected.values())
            assert results[0][0] == expected[one] * 100 + expected[other] * 10 + expected[same]


def test_a_pass_that_does_not_exist() -> None:
    with pytest.raises(tg.OptionError, match=r"there is no pass 'fission'; the passes are constant_folding, "):
        tg.Session(tg.Graph(), passes=["fission"])


# All operations, and random graphs

EXAMPLES: Final = [
    (op.name, number)
    for op in entries().values()
    for number in range(len(op.examples))
    if op.effect not in ("feed", "outside")
]


@pytest.mark.parametrize(("name", "number"), EXAMPLES, ids=[f"{name}-{number}" for name, number in EXAMPLES])
def test_examples_have_the_same_results(name: str, number: int) -> None:
    entry = entries()[name]
    case = applied(entry, entry.examples[number], definition(name))
    scope = tg.Scope(tg.Graph(seed=1))
    feeds: dict[Any, Any] = {}

    def feed(scope: tg.Scope, position: int, value: Any) -> Any:
        if position % 2:
            return constant(scope, position, value)
        output = placeholder(scope, value)
        feeds[output] = value
        return output

    op = case.build(scope, case.place(scope, feed))
    fetches = [output for output in op.outputs if output.dtype is not TResource]
    assert_same(scope.graph, [op, *fetches], feeds)


def exactly(value: Any) -> Any:
    """All that there is to compare of a fetched value."""
    if value is None:
        return None
    return value.dtype, value.shape, value.tolist() if value.dtype == object else value.tobytes()


def outcome(graph: tg.Graph, fetches: Any, feeds: Any, passes: Any) -> Any:
    """The bytes of the results of two runs, or the error."""
    session = tg.Session(graph, passes=passes)
    try:
        return [exactly(value) for value in (*session.run(fetches, feeds), *session.run(fetches, feeds))]
    except tg.TypegradError as error:
        return str(error)


def assert_same(graph: tg.Graph, fetches: Any, feeds: Any, choices: Any = (None,)) -> None:
    with patch.object(interpreted, "INTERPRETED", 1):  # the second run is compiled
        expected = outcome(graph, fetches, feeds, ())
    for passes in choices:
        assert outcome(graph, fetches, feeds, passes) == expected, passes


FLOATS: Final = [0.0, -0.0, 1.0, -1.0, 0.5, np.inf, -np.inf, np.nan, 1e-45, 3e38]
INTS: Final = [0, 1, -1, 2, 2**31 - 1, -(2**31)]
KINDS: Final[list[tuple[Any, list[Any]]]] = [(tg.TFloat32, FLOATS), (tg.TInt32, INTS)]
UNARY: Final[list[Build]] = [
    lambda s, x: -x,
    lambda s, x: abs(x),
    core.Identity.create,
    core.StopGradient.create,
    lambda s, x: core.Reshape.create(s, x, [4]),
    lambda s, x: core.Reshape.create(s, x, [2, 2]),
    lambda s, x: core.Reshape.create(s, x, [-1, 1]),
    lambda s, x: linalg.Transpose.create(s, core.Reshape.create(s, x, [2, 2]), [1, 0]),
    math.Square.create,
    lambda s, x: (
        core.Reshape.create(s, x, [2, 2]) - core.Max.create(s, core.Reshape.create(s, x, [2, 2]), 1, keep_dims=True)
    ),
    lambda s, x: x * core.BroadcastTo.create(s, core.Reshape.create(s, x, [-1])[:1], core.Shape.create(s, x)),
    lambda s, x: x / 1 if x.dtype is tg.TFloat32 else math.FloorDiv.create(s, x, 1),
    lambda s, x: core.Identity.create(s.with_name("kept"), x) if x.dtype is tg.TInt32 else math.Exp.create(s, x),
]
BINARY: Final[list[Callable[[tg.Scope, Any, Any], Any]]] = [
    lambda s, x, y: x + y,
    lambda s, x, y: x - y,
    lambda s, x, y: x * y,
    math.Maximum.create,
    lambda s, x, y: x / y if x.dtype is tg.TFloat32 else math.FloorDiv.create(s, x, y),
]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.data())
def test_random_graphs_have_the_same_results_and_errors(data: st.DataObject) -> None:
    dtype, numbers = data.draw(st.sampled_from(KINDS))
    draw = st.sampled_from(numbers)
    scope = tg.Scope(tg.Graph(seed=1))
    known = data.draw(st.booleans())
    x = core.Placeholder.create(scope, dtype, shape=(4,) if known else None)
    value = np.array(data.draw(st.lists(draw, min_size=4, max_size=4)), dtype.numpy)
    values: list[Any] = [x]
    for _ in range(data.draw(st.integers(1, 12))):
        one = data.draw(st.sampled_from(values))
        if data.draw(st.booleans()):
            values.append(data.draw(st.sampled_from(UNARY))(scope, one))
            continue
        other = data.draw(st.sampled_from([*values, None, None]))
        if other is None:
            other = core.Constant.create(scope, data.draw(draw), dtype)
        elif other.shape != one.shape:
            one, other = (core.Reshape.create(scope, each, [4]) for each in (one, other))
        one, other = data.draw(st.permutations([one, other]))
        values.append(data.draw(st.sampled_from(BINARY))(scope, one, other))
    fetches = data.draw(st.lists(st.sampled_from(values), min_size=1, max_size=4))
    assert_same(scope.graph, fetches, {x: value}, SETTINGS)
    with small_blocks():
        assert_same(scope.graph, fetches, {x: value}, [["fusion"], None])
