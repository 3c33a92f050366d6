"""`==` and `!=` of operands say whether they are the same, and are refused where values are meant."""

from __future__ import annotations

import pickle
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.base.sameness import NO_VALUES
from typegrad.op import core, dtypes, math, nn


@pytest.fixture
def names(scope: tg.Scope) -> dict[str, Any]:
    """Two operands of integers, a variable, and what uses them."""
    x, y = (core.Placeholder.create(scope.with_name(name), tg.TInt64, (None,)) for name in "xy")
    v = tg.Variable.create(scope.with_name("v"), [1, 2])
    modules = {"core": core, "dtypes": dtypes, "math": math, "nn": nn, "np": np, "tg": tg}
    return {"scope": scope, "session": tg.Session(scope.graph), "x": x, "y": y, "v": v, **modules}


SAME: Final = (
    "x == x",
    "x == x.as_output()",
    "x.as_output() == x",
    "v == v",
    "x != y",
    "x != 1",
    "x != 'x'",
    "not x == y",
    "x in [y, x]",
    "y not in [x]",
    "[y, x].index(x) == 1",
    "[x, y, x].count(x) == 2",
    "{x: 1}[x.as_output()] == 1",
    "(x == x) == True",
    "True == (x == x)",
    "(x == x) == (y == y)",
    "{x == x: 3}[True] == 3",
    "(x == x) & True",
    "True & (x == x)",
    "(x == y) | (y == y)",
    "sum(each == x for each in [x, y, x]) == 2",
    "1 + (x == x) == 2",
    "repr(x == x) == 'True' and str(x == y) == 'False'",
    "(x == None) is False",
    "(x == object()) is False",
    "not (np.arange(3) == x) and np.float32(1) != x and np.equal(x, x)",
)
REFUSED: Final = (
    "math.Mean.create(scope, dtypes.Cast.create(scope, x == y, tg.TFloat32))",
    "core.Select.create(scope, x != 0, x, y)",
    "(x > 0) & (x == 1)",
    "(x == 1) | (x > 0)",
    "math.LogicalNot.create(scope, 2 == x)",
    "math.LogicalNot.create(scope, (x == 1) & (x == 2))",
    "core.Constant.create(scope, [x == 1, x == 2])",
    "core.Constant.create(scope, np.arange(3) == x)",
    "x[x == 1]",
    "nn.Relu.create(scope, v == 1.0)",
    "tg.functions.softmax(scope, x == 1)",
    "session.run(x, {x: x == y})",
    "session.run(x == y)",
    "session.run([x, x != 1.0])",
)


@pytest.mark.parametrize("written", SAME)
def test_what_is_the_same(written: str, names: dict[str, Any]) -> None:
    assert eval(written, names)


@pytest.mark.parametrize("written", REFUSED)
def test_refused_as_a_value(written: str, names: dict[str, Any]) -> None:
    with pytest.raises(tg.TypegradError) as caught:
        eval(written, names)
    assert NO_VALUES in str(caught.value)
    assert "Sameness" not in str(caught.value)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("(x == y)[0]", "a bool has no items: == and != compare whether"),
        ("list(x == y)", "a bool has no items: == and != compare whether"),
        ("(x == 1).sum()", "a bool has no attribute 'sum': == and != compare whether"),
        ("(x != y).shape", "a bool has no attribute 'shape': == and != compare whether"),
    ],
)
def test_it_is_no_array(written: str, message: str, names: dict[str, Any]) -> None:
    with pytest.raises((TypeError, AttributeError), match=message):
        eval(written, names)
    assert not hasattr(eval("x == y", names), "shape")


def test_it_is_no_value_of_a_constant(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, 1)
    for value in (x == 1, [x == 1, x == 2]):
        with pytest.raises(tg.DTypeError, match="attribute `value`: .* is no value here: == and != compare whether"):
            core.Constant.create(scope, value)


def test_the_result_can_be_pickled(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, 1.0)
    same: object = x == x
    assert pickle.loads(pickle.dumps(same)) == same
