"""What a user may hand over by mistake is refused with an error of ours that says what belongs there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from support.junk import HOSTILE
from typegrad.op import core, math

JUNK: Any = object()


@pytest.fixture(name="scope")
def _scope() -> tg.Scope:
    return tg.Scope(tg.Graph(seed=1))


def _x(scope: tg.Scope) -> Any:
    return core.Placeholder.create(scope, tg.TFloat32, shape=(2, 2))


Refused = tuple[type[Exception], str, Callable[[tg.Scope], Any]]

AT_BUILD: dict[str, Refused] = {
    "a NumPy type for ours": (
        tg.DTypeError,
        "write tg.TFloat32",
        lambda s: core.Constant.create(s, 1, _any(np.float32)),
    ),
    "a list as a type": (tg.DTypeError, "such as tg.TFloat32", lambda s: core.Constant.create(s, 1, _any([1]))),
    "an array as a type": (
        tg.DTypeError,
        "such as tg.TFloat32",
        lambda s: core.Placeholder.create(s, _any(np.arange(2))),
    ),
    "None among strings": (tg.DTypeError, "not None", lambda s: core.Constant.create(s, np.array([None]))),
    "an operand among numbers": (tg.DTypeError, "not a value", lambda s: core.Sum.create(s, _x(s), _any([_x(s)]))),
    "an operand among strings": (
        tg.DTypeError,
        "not a value",
        lambda s: core.Constant.create(s, _any([_x(s)]), tg.TString),
    ),
    "an array as a number": (
        tg.AttributeValueError,
        "must be of type int",
        lambda s: core.Split.create(s, 0, _x(s), num_split=_any(np.array("a"))),
    ),
    "a number and an operand in each other's place": (
        tg.DTypeError,
        r"argument `x` must be an Operand, not float 0\.5; `rate` is an operand; swap them",
        lambda s: tg.functions.dropout(s, _any(0.5), _x(s)),
    ),
    "operations in a list": (
        tg.GraphError,
        r"must be an Operation or an Op or an Operand, not list .*; pass them one by one, by \*operations",
        lambda s: tg.functions.group(s, _any([_x(s), _x(s)])),
    ),
    "variables in a dict": (
        tg.GraphError,
        r"`var_list` must be a list of Variables or None, not dict .*; write list\(x.values\(\)\)",
        lambda s: tg.optimizers.GradientDescent(s.graph).minimize(
            core.Sum.create(s, _x(s)), _any({"w": tg.Variable.create(s, 1.0)})
        ),
    ),
    "a function that returns variables": (
        tg.GraphError,
        "must be a list of Variables or None, not a function; call it, and pass its result",
        lambda s: tg.optimizers.GradientDescent(s.graph).minimize(core.Sum.create(s, _x(s)), _any(lambda: [1])),
    ),
    "pairs of variables": (
        tg.GraphError,
        r"`var_list\[0\]` must be a Variable, not list .*; write one list of all of them, without lists in it",
        lambda s: tg.optimizers.GradientDescent(s.graph).minimize(
            core.Sum.create(s, _x(s)), _any([[(tg.Variable.create(s, 1.0), tg.Variable.create(s, 1.0))]])
        ),
    ),
    "a scalar as a shape": (
        tg.ShapeError,
        "a shape is a tuple",
        lambda s: core.Placeholder.create(s, tg.TFloat32, shape=_any(np.array(3))),
    ),
    "a number as a shape that is expected": (
        tg.AttributeValueError,
        r"`shape` must be a tuple of sizes, such as \(3, 5\) or \(None, 5\), not int 8",
        lambda s: _x(s).expect(tg.TFloat32, 8),
    ),
    "a fraction as a size": (
        tg.AttributeValueError,
        r"`shape\[0\]` must be an int, a name or None, not float 8.5",
        lambda s: tg.Variable.create(s, shape=_any((8.5,)), dtype=tg.TFloat32),
    ),
    "bytes as a shape": (
        tg.ShapeError,
        "a shape is a tuple",
        lambda s: core.Placeholder.create(s, tg.TFloat32, shape=_any(b"ab")),
    ),
    "an array as a dimension": (
        tg.ShapeError,
        "a dimension is",
        lambda s: core.Placeholder.create(s, tg.TFloat32, shape=_any([np.array("a")])),
    ),
    "a number as a name": (
        tg.AttributeValueError,
        "`name` must be a string, not int 3",
        lambda s: s.with_name(_any(3)),
    ),
    "one control dependency": (tg.GraphError, r"write \[x\]", lambda s: s.with_control_dependencies(_x(s))),
    "a string as a seed": (tg.AttributeValueError, "`seed` must be an int or None", lambda _: tg.Graph(seed=_any("x"))),
    "a value to wrap": (tg.GraphError, "wraps an Operation", lambda _: math.Mul.of(JUNK)),
    "a value to wrap that cannot be shown": (
        tg.GraphError,
        "wraps an Operation, not Unshowable",
        lambda _: math.Mul.of(HOSTILE["what cannot be shown"]),
    ),
    "a misspelt argument of `of`": (
        tg.OptionError,
        r"Mul\.of\(\) takes no argument `node`",
        lambda s: _any(math.Mul).of(node=_x(s).op),
    ),
    "a scope whose attributes raise": (
        tg.GraphError,
        "`scope` must be a Scope",
        lambda _: tg.activations.relu(_any(Secretive()), _any(1.0)),
    ),
    "a masked number": (
        tg.AttributeValueError,
        "`l1` must be a number",
        lambda _: tg.regularizers.L1(_any(np.ma.masked)),
    ),
    "an attribute that is not a count": (
        tg.GraphError,
        r"Neg 'Neg' .* has no attribute 'x'",
        lambda s: math.Neg.create(s, _x(s)).op.output_count("x"),
    ),
    "no scope for the facade": (
        tg.GraphError,
        "must be a Graph or a Scope or None, not object",
        lambda _: tg.Ops.create(JUNK),
    ),
    "another type of variable": (
        tg.DTypeError,
        "cast it",
        lambda s: tg.Variable.create(s, _any(core.Constant.create(s, 1.0)), tg.TFloat64),
    ),
    "one x": (tg.GradientError, r"write \[x\]", lambda s: tg.gradients(s, _x(s), _x(s))),
    "one operand to stop": (
        tg.DTypeError,
        r"`stop_gradients` must be a list of Operands, .*; write \[x\]",
        lambda s: tg.gradients(s, _x(s), [_x(s)], stop_gradients=_x(s)),
    ),
    "no scope for gradients": (
        tg.GraphError,
        r"write tg.Scope\(graph\)",
        lambda s: tg.gradients(_any(s.graph), _x(s), [_x(s)]),
    ),
    "a scope for a method that takes none": (
        tg.DTypeError,
        r"`loss` must be an Operand, not Scope .*; it is called as Adam\.minimize\(loss, var_list=None",
        lambda s: tg.optimizers.Adam(s.graph).minimize(_any(s), _any(_x(s))),
    ),
    "a pair of three": (
        tg.DTypeError,
        r"argument `grads_and_vars\[0\]` must be a tuple",
        lambda s: tg.optimizers.Adam(s.graph).apply_gradients(_any([(_x(s), tg.Variable.create(s, 1.0), 1)])),
    ),
    "a gradient too many": (tg.GradientError, "there are 1 xs", lambda s: _gradients(s).dy(1)),
    "a type as an index": (tg.DTypeError, "indexed by integers", lambda s: _x(s)[int]),
    "a fraction as a bound": (tg.DTypeError, "indexed by integers", lambda s: _x(s)[0.5:]),
    "a list of lists of unequal length": (
        tg.DTypeError,
        r"not a rectangular array: \[0\] has 1 element, \[1\] has 2 elements$",
        lambda s: _x(s) @ [[1.0], [2.0, 3.0]],
    ),
    "lists of arrays of unequal length": (
        tg.DTypeError,
        r"not a rectangular array: \[0\]\[0\] has 3 elements, \[1\]\[0\] has 2 elements$",
        lambda s: _x(s) @ _any([np.zeros((2, 3)), np.zeros((2, 2))]),
    ),
    "a number among lists": (
        tg.DTypeError,
        r"not a rectangular array: \[0\] is no list, \[1\] has 1 element$",
        lambda s: _x(s) @ _any([1.0, [2.0]]),
    ),
}

AT_RUN: dict[str, tuple[type[Exception], str, Callable[[tg.Session, Any], Any]]] = {
    "an operand for feeds": (tg.FeedError, "feeds maps operands", lambda session, x: session.run(x, x)),
    "a value for a fed operand": (
        tg.DTypeError,
        "`operand` must be an Operand",
        lambda session, _: session.runner().feed(JUNK, 1),
    ),
    "no variable": (tg.GraphError, "`variable` must be a Variable", lambda session, x: session.value(x)),
    "another graph's variable": (
        tg.GraphError,
        "another graph",
        lambda session, _: session.value(tg.Variable.create(tg.Scope(tg.Graph()), 1.0)),
    ),
}


class Secretive:
    """An object whose attributes raise."""

    def __getattr__(self, name: str) -> Any:
        raise ZeroDivisionError(name)


def _any(value: Any) -> Any:
    return value


def _gradients(scope: tg.Scope) -> core.Gradients:
    x = _x(scope)
    return core.Gradients.create(scope, math.Neg.create(scope, x), [x])


@pytest.mark.parametrize("what", AT_BUILD)
def test_refused_while_the_graph_is_built(what: str, scope: tg.Scope) -> None:
    kind, message, build = AT_BUILD[what]
    with pytest.raises(kind, match=message):
        build(scope)


@pytest.mark.parametrize("what", AT_RUN)
def test_refused_in_a_session(what: str, scope: tg.Scope) -> None:
    kind, message, use = AT_RUN[what]
    x = _x(scope)
    with tg.Session(scope.graph) as session, pytest.raises(kind, match=message):
        use(session, x)


class Index:
    """An integer of another library, which cannot be compared."""

    def __index__(self) -> int:
        return 2


def test_what_has_an_index_is_an_integer(scope: tg.Scope) -> None:
    assert scope.with_seed(_any(Index())).seed == 2
    assert tg.metrics.Recall(scope, top_k=_any(Index())).dtype is tg.TFloat32
    assert tg.functions.eye(scope, _any(Index())).shape == (2, 2)
