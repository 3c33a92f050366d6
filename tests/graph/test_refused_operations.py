"""An operation that is refused takes back all that was made for it: constants, reads of variables, and their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

import typegrad as tg
from typegrad.op import core, math


def test_its_names_are_free_again(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 3))
    with pytest.raises(tg.ShapeError):
        core.Sum.create(scope, x, 7)
    assert core.Sum.create(scope, x, 1).op.inputs[1].op.name == "Sum/axis"


def test_a_variable_forgets_the_read(scope: tg.Scope) -> None:
    v = tg.Variable.create(scope, 1.0)
    n: Any = core.Placeholder.create(scope, tg.TInt32)
    consumers = v.handle.op.consumers
    with pytest.raises(tg.DTypeError):
        math.Add.create(scope, v, n)
    assert v.handle.op.consumers == consumers
    assert v.as_output().op in scope.graph.operations


def test_the_graph_forgets_what_a_gradient_added(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 3))
    inner = scope.with_gradient_scope()
    kept = core.Sum.create(inner, x, 0).op
    with pytest.raises(tg.ShapeError):
        core.Sum.create(inner, x, 7)
    assert scope.graph.gradient_operations == (kept.inputs[1].op, kept)


HANDLE: Final[Any] = tg.TResource
REFUSED: Final[dict[str, Callable[[Any], object]]] = {
    "attribute `value`: a handle has no value; read the variable instead": lambda s: core.Constant.create(s, 1, HANDLE),
    "`dim` is 21202, but must be at most 21201": lambda s: math.SobolSample.create(s, 21202, 3, 0),
    r"cannot reshape `tensor` of shape \[3, \?\] to \[4\]: 4 elements are not a multiple of 3": (
        lambda s: core.Reshape.create(s, core.Placeholder.create(s, tg.TFloat32, shape=(3, None)), (4,))
    ),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_refused(scope: tg.Scope, message: str) -> None:
    with pytest.raises(tg.TypegradError, match=message):
        REFUSED[message](scope)


def test_a_type_marker_is_no_value() -> None:
    with pytest.raises(tg.DTypeError, match="TFloat32 is a type marker: pass the class itself, as in dtype=TFloat32"):
        tg.TFloat32()
