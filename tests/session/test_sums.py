"""Matrix products that are computed within the sum that they go into."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, linalg, math
from typegrad.session.plan import Plan
from typegrad.session.state import Resources

Operands = list[Any]
Build = Callable[[tg.Scope, Operands, Any], Any]
"""Takes a scope, products, and an operand of their shape; makes what is fetched."""


def add(scope: tg.Scope, *terms: Any) -> Any:
    return math.AddN.create(scope, list(terms))


def columns_first(scope: tg.Scope, x: Any) -> Any:
    """An array of the same shape, with its columns one after the other in memory."""
    return linalg.Transpose.create(scope, math.Exp.create(scope, core.Reshape.create(scope, x, [5, 7])), [1, 0])


CASES: Final[dict[str, tuple[Build, list[str]]]] = {
    "products": (lambda s, p, _: add(s, *p), ["MatMul MatMul MatMul MatMul AddN"]),
    "two": (lambda s, p, _: add(s, *p[:2]), ["MatMul MatMul AddN"]),
    "not one": (lambda s, p, x: add(s, p[0], x), ["MatMul", "AddN"]),
    "others between": (lambda s, p, x: add(s, p[0], x, p[1], x), ["MatMul MatMul AddN"]),
    "others first": (lambda s, p, x: [x, add(s, x, p[0], x, p[1])], ["MatMul MatMul AddN"]),
    "other layouts": (
        lambda s, p, x: add(s, p[0], columns_first(s, x), columns_first(s, x), p[1]),
        ["Reshape", "Exp", "Transpose", "MatMul MatMul AddN"],
    ),
    "other layouts first": (
        lambda s, p, x: add(s, columns_first(s, x), columns_first(s, x), p[0], p[1]),
        ["Reshape", "Exp", "Transpose", "MatMul MatMul AddN"],
    ),
    "a column": (
        lambda s, p, x: add(s, core.BroadcastTo.create(s, x[:, :1], [7, 5]), *p[:2]),
        ["MatMul MatMul AddN"],
    ),
    "not what is used twice": (lambda s, p, _: add(s, p[0], p[1], p[2], p[2]), ["MatMul", "MatMul MatMul AddN"]),
    "not what is fetched": (lambda s, p, _: [p[0], add(s, *p)], ["MatMul", "MatMul MatMul MatMul AddN"]),
    "in two sums": (lambda s, p, x: add(s, *p[:2]) * add(s, p[2], x, p[3]), ["MatMul MatMul AddN"] * 2 + ["Mul"]),
}


class Model:
    """Four products of columns and rows, whose sums are fetched."""

    def __init__(self, build: Build, *, inner: int = 2, batch: int | None = 2, dtype: Any = tg.TFloat32) -> None:
        scope = tg.Scope(tg.Graph(seed=1))
        rng = np.random.default_rng(0)
        array: Any = core.Placeholder.create(scope, dtype, shape=(7, 5))
        self.feeds: dict[Any, Any] = {array: rng.standard_normal((7, 5)).astype(dtype.numpy)}
        products: Operands = []
        for _ in range(4):
            pair: Operands = [core.Placeholder.create(scope, dtype, shape=(batch, size)) for size in (7, 5)]
            products.append(linalg.MatMul.create(scope, *pair, transpose_a=True))
            for factor, size in zip(pair, (7, 5), strict=True):
                self.feeds[factor] = rng.standard_normal((inner, size)).astype(dtype.numpy)
        result = build(scope, products, array)
        self.fetches: Operands = result if isinstance(result, list) else [result]
        self.graph = scope.graph

    def kinds(self) -> list[str]:
        """The types of the operations of each step."""
        outputs = [each.as_output() for each in self.fetches]
        plan = Plan(outputs, (), [each.as_output() for each in self.feeds], Resources())
        return [step.kind for step in plan.lowered(frozenset())]

    def check(self) -> None:
        """With and without passes, results have the same bits and layout; what is fed stays as it is."""
        before = {operand: value.copy() for operand, value in self.feeds.items()}
        sessions = [tg.Session(self.graph, passes=passes) for passes in (None, ())]
        for _ in range(3):  # the first run is not compiled
            for one, other in zip(*[session.run(self.fetches, self.feeds) for session in sessions], strict=True):
                assert one.tobytes() == other.tobytes() and one.strides == other.strides
        assert all(value.tobytes() == self.feeds[operand].tobytes() for operand, value in before.items())


@pytest.mark.parametrize("what", CASES)
def test_products_that_go_into_their_sum(what: str) -> None:
    build, expected = CASES[what]
    model = Model(build)
    assert [kind for kind in model.kinds() if kind != "StridedSlice"] == expected
    model.check()
    for value, special in zip(model.feeds.values(), (np.inf, -np.inf, np.nan, -0.0, 1e38), strict=False):
        value[0, :3] = special
    model.check()


def test_products_that_are_smaller_than_their_factors_stay() -> None:
    model = Model(CASES["products"][0], inner=3, batch=3)
    assert model.kinds() == ["MatMul"] * 4 + ["AddN"]
    model.check()


def test_half_precision_is_rounded_once() -> None:
    model = Model(CASES["products"][0], dtype=tg.TFloat16)
    assert model.kinds() == ["MatMul"] * 4 + ["AddN"]
    model.check()


def test_shapes_that_are_known_only_in_the_run_are_checked_there() -> None:
    model = Model(CASES["products"][0], batch=None)
    assert model.kinds() == ["MatMul"] * 4 + ["AddN"]
    model.check()
    _, first, *_ = model.feeds
    session = tg.Session(model.graph)
    for _ in range(3):
        session.run(model.fetches, model.feeds)
        with pytest.raises(tg.ShapeError, match=r"^MatMul 'MatMul'"):
            session.run(model.fetches, model.feeds | {first: np.ones((3, 7), np.float32)})


def test_all_terms_have_their_operations() -> None:
    model = Model(CASES["others between"][0])
    session = tg.Session(model.graph)
    (step,) = session.explain(model.fetches, list(model.feeds)).steps
    assert step.operations == ("MatMul", "MatMul", "AddN")
    assert step.flops == 2 * (2 * 7 * 2 * 5) + 3 * 35
    (cost,) = session.profile(model.fetches, model.feeds, runs=1).costs
    assert cost.flops == step.flops


def test_a_variable_that_changes_between_a_product_and_its_sum() -> None:
    scope = tg.Scope(tg.Graph())
    variable = tg.Variable.create(scope, np.ones((2, 7), np.float32))
    xs = [core.Placeholder.create(scope, tg.TFloat32, shape=(2, 5)) for _ in range(2)]
    products = [linalg.MatMul.create(scope, variable, x, transpose_a=True) for x in xs]
    update = core.ResourceScatterAdd.create(scope, variable.handle, [0, 1], np.ones((2, 7), np.float32))
    fetches = [add(scope, *products), update]
    feeds = dict.fromkeys(xs, np.ones((2, 5), np.float32))
    with tg.Session(scope.graph) as session:
        assert "MatMul MatMul AddN" in [" ".join(each.operations) for each in session.explain(fetches, feeds).steps]
        assert [session.run(fetches, feeds)[0].tolist() for _ in range(4)] == [
            np.full((7, 5), each).tolist() for each in (4, 8, 12, 16)
        ]
