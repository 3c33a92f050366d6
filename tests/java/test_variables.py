"""Variables made of a shape and a type, as with TensorFlow Java's `tf.variable(shape, type)`: without a value until one
is assigned.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core


def test_it_has_no_value_until_it_is_assigned(graph: tg.Graph) -> None:
    v = tg.Variable.create(tg.Scope(graph).with_name("v"), shape=(2, None), dtype=tg.TFloat32)
    assert v.dtype is tg.TFloat32 and v.shape == (2, None) and v.trainable and v.initializer is None
    assert graph.variables == [v] and len(graph) == 1 and len(graph.initializers) == 0
    with tg.Session(graph) as session:
        for read in (lambda: session.run(v), lambda: session.run(v + 1), lambda: session.value(v)):
            with pytest.raises(tg.FailedPreconditionError, match="variable 'v' has no value yet; .* session.assign"):
                read()
        with pytest.raises(tg.FeedError, match=r"has shape \[3\], which does not fit \[2, \?\]"):
            session.assign(v, [1, 2, 3])
        session.assign(v, [[1], [2]])
        assert session.run(v + 1).tolist() == [[2], [3]]


def test_an_operation_assigns_it(graph: tg.Graph) -> None:
    scope = tg.Scope(graph)
    v = tg.Variable.create(scope, shape=tg.Shape(None), dtype=tg.TInt32)
    with tg.Session(graph) as session:
        assert session.run([v.assign(scope, [1, 2]), v])[1].tolist() == [1, 2]
        assert session.run([v.assign(scope, core.Constant.create(scope, 3)), v])[1] == 3


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"shape": (2,)}, tg.DTypeError, "a variable made of a shape needs a dtype as well, such as dtype=tg.TFloat32"),
        ({"shape": (2,), "dtype": float}, tg.DTypeError, "float"),
        (
            {"initial_value": np.zeros(2), "shape": (2,)},
            tg.AttributeValueError,
            "a variable has the shape of its initial value; give a value or a shape, not both",
        ),
        (
            {"shape": 2, "dtype": tg.TFloat32},
            tg.AttributeValueError,
            "argument `shape` must be a tuple of sizes, such as .*, not int 2",
        ),
        ({}, tg.AttributeValueError, "there is no initial value; give one, or shape=... and dtype=..."),
    ],
)
def test_what_is_refused(graph: tg.Graph, arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    create: Any = tg.Variable.create
    with pytest.raises(error, match=message):
        create(tg.Scope(graph), **arguments)
    assert len(graph.variables) == 0
