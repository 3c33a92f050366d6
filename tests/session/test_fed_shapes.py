"""Before a run the shapes of the feeds are followed through the graph, exactly: what does not fit is an error before
anything executes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import pytest
from attrs import frozen

import typegrad as tg
from typegrad.op import core, linalg, math

Build: TypeAlias = Callable[[tg.Scope, Sequence[tg.Operand[tg.TFloat32]]], tg.Operand[Any]]
Sizes: TypeAlias = tuple[int, ...]


@frozen
class Flow:
    """Placeholders of these shapes, what is computed of them, sizes that fit and sizes that do not, and what the error
    says of them.
    """

    name: str
    shapes: Sequence[Any]
    build: Build
    good: Sequence[Sizes]
    bad: Sequence[Sizes]
    error: str


def _through_others(scope: tg.Scope, fed: Sequence[tg.Operand[tg.TFloat32]]) -> tg.Operand[Any]:
    turned = linalg.Transpose.create(scope, math.Neg.create(scope, fed[0]), (1, 0))
    return math.Add.create(scope, math.Neg.create(scope, turned), fed[1])


def _list(scope: tg.Scope, fed: Sequence[tg.Operand[tg.TFloat32]]) -> tg.Operand[Any]:
    return core.Concat.create(scope, [fed[0], core.Constant.create(scope, np.ones((1, 2), np.float32)), fed[1]], 0)


def _outputs(scope: tg.Scope, fed: Sequence[tg.Operand[tg.TFloat32]]) -> tg.Operand[Any]:
    first, second = core.Split.create(scope, 0, fed[0], num_split=2).output
    return math.Add.create(scope, math.Add.create(scope, first, second), fed[1])


def _value(scope: tg.Scope, fed: Sequence[tg.Operand[tg.TFloat32]]) -> tg.Operand[Any]:
    return core.Reshape.create(scope, fed[0], core.Shape.create(scope, fed[1]))


def _value_of_a_name(scope: tg.Scope, fed: Sequence[tg.Operand[tg.TFloat32]]) -> tg.Operand[Any]:
    """The Reshape depends on no feed whose shape is news: only the name's size is."""
    handle = core.VarHandleOp.create(scope, tg.TFloat32, shape=("batch", 2))
    read = core.ReadVariableOp.create(scope, handle, tg.TFloat32)
    sizes = core.Shape.create(scope, read)
    return math.Add.create(scope, core.Reshape.create(scope, fed[1], sizes), fed[0])


def _variable(scope: tg.Scope, fed: Sequence[tg.Operand[tg.TFloat32]]) -> tg.Operand[Any]:
    handle = core.VarHandleOp.create(scope, tg.TFloat32, shape=("batch",))
    done = core.AssignVariableOp.create(scope, handle, fed[0])
    read = core.ReadVariableOp.create(scope.with_control_dependencies([done]), handle, tg.TFloat32)
    return math.Add.create(scope, fed[0], math.Add.create(scope, read, fed[1]))


def _product(scope: tg.Scope, fed: Sequence[tg.Operand[tg.TFloat32]]) -> tg.Operand[Any]:
    return linalg.MatMul.create(scope, *fed)


def _range(scope: tg.Scope, fed: Sequence[tg.Operand[tg.TFloat32]]) -> tg.Operand[Any]:
    """As many of 12 numbers as the first feed has."""
    positions = core.Range.create(scope, 0.0, 12.0, 1.0)
    return math.Mul.create(scope, positions[: core.Size.create(scope, fed[0])], fed[1])


FLOWS: Final = [
    Flow("at once", [None, None], _product, [(2, 3), (3, 4)], [(2, 3), (4, 3)], "MatMul .*inner dimensions differ"),
    Flow("swapped", [None, None], _product, [(2, 3), (3, 4)], [(3, 4), (2, 3)], "MatMul .*inner dimensions differ"),
    Flow("named", [("b", 3), (3, "c")], _product, [(2, 3), (3, 4)], [(2, 3), (4, 4)], r"feed of .* which does not "
                                                                                      r"fit \[3, c\]"),
    Flow("through others", [None, None], _through_others, [(2, 3), (3, 2)], [(2, 3), (2, 3)], "Add .* these feeds"),
    Flow("in a list", [None, None], _list, [(2, 2), (5, 2)], [(2, 2), (5, 3)], "ConcatV2 .* with these feeds"),
    Flow("of several outputs", [None, None], _outputs, [(4,), (2,)], [(6,), (2,)], "Add .* these feeds"),
    Flow("as a value", [None, None], _value, [(6,), (2, 3)], [(7,), (2, 3)], "Reshape .* with these feeds"),
    Flow("of a range of floats", [None, None], _range, [(4,), (4,)], [(20,), (11,)], "Mul .* these feeds"),
    Flow("of a variable", [("batch",), None], _variable, [(2,), (2,)], [(2,), (3,)], "Add .* these feeds"),
]  # fmt: skip


@pytest.mark.parametrize("flow", FLOWS, ids=[flow.name for flow in FLOWS])
@pytest.mark.parametrize("first", ["good", "bad"])
def test_what_does_not_fit_is_found_whatever_ran_before(flow: Flow, first: str) -> None:
    scope = tg.Scope(tg.Graph())
    fed = [core.Placeholder.create(scope, tg.TFloat32, shape=shape) for shape in flow.shapes]
    y = flow.build(scope, fed)

    def feeds(sizes: Sequence[Sizes]) -> dict[tg.Operand[Any], Any]:
        return {operand: np.ones(size, np.float32) for operand, size in zip(fed, sizes, strict=True)}

    with tg.Session(scope.graph) as session:
        for kind in (first, "good", "bad", "good"):
            if kind == "good":
                assert session.run(y, feeds(flow.good)).size
            else:
                with pytest.raises((tg.ShapeError, tg.FeedError), match=flow.error):
                    session.run(y, feeds(flow.bad))


def test_nothing_executes_before_the_shapes_are_checked() -> None:
    scope = tg.Scope(tg.Graph())
    w = tg.Variable.create(scope, 0.0)
    a, b = (core.Placeholder.create(scope, tg.TFloat32) for _ in range(2))
    add = w.assign_add(scope, 1.0)
    late = math.Add.create(scope.with_control_dependencies([add]), a, b)
    with tg.Session(scope.graph) as session:
        with pytest.raises(tg.ShapeError):
            session.run(late, {a: [1.0, 2.0], b: [1.0, 2.0, 3.0]})
        assert session.value(w) == 0
        session.run(late, {a: [1.0], b: [1.0, 2.0, 3.0]})
        assert session.value(w) == 1


def test_a_name_in_a_value_has_the_size_of_the_feed() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=("batch", 2))
    flat = core.Placeholder.create(scope, tg.TFloat32, shape=(None,))
    y = _value_of_a_name(scope, [x, flat])
    with tg.Session(scope.graph, auto_init=False) as session:
        feeds = {x: np.ones((3, 2), np.float32), flat: np.ones(8, np.float32)}
        with pytest.raises(tg.ShapeError, match="Reshape .* with these feeds"):
            session.run(y, feeds)
