"""Handles: what is known of a variable while a graph is built, and in a run."""

from __future__ import annotations

import numpy as np
import pytest

import typegrad as tg
from typegrad.base.handle import Handle
from typegrad.base.variable_state import VariableState
from typegrad.op import core
from typegrad.shapes.variable import assigned, read, updated
from typegrad.shapes.view import WatchedView

ANY_ROWS = tg.Shape((None, 2))
HANDLE = Handle(tg.TFloat32, ANY_ROWS, tg.Shape((3, 2)))


def view(
    value: tuple[int | str, ...] = (3, 2), *, handle: Handle = HANDLE, validate_shape: bool = False
) -> WatchedView:
    """An operation on a handle, with a value of a shape."""
    shapes = {"resource": tg.Shape(()), "value": tg.Shape(value)}
    return WatchedView(shapes, {"resource": handle}, {"dtype": tg.TFloat32, "validate_shape": validate_shape})


def test_the_static_value_of_a_handle() -> None:
    scope = tg.Scope(tg.Graph())
    handle = core.VarHandleOp.create(scope, tg.TFloat32, shape=(None, 2)).as_output()
    assert handle.static_value == Handle(tg.TFloat32, ANY_ROWS) != Handle(tg.TFloat64, ANY_ROWS)
    assert Handle(tg.TFloat32, ANY_ROWS).current == ANY_ROWS


def test_a_variable_in_a_run_knows_the_shape_of_its_value() -> None:
    state = VariableState("v", tg.TFloat32, ANY_ROWS)
    assert state.handle == Handle(tg.TFloat32, ANY_ROWS)
    state.assign(np.zeros((3, 2), np.float32))
    assert state.handle == HANDLE


def test_a_handle_proves_shapes_only_if_they_are_complete() -> None:
    complete, partial = view(), view(handle=Handle(tg.TFloat32, ANY_ROWS))
    assert read(complete) == tg.Shape((3, 2)) and complete.is_exact
    assert read(partial) == ANY_ROWS and not partial.is_exact


def test_which_shape_a_value_must_have() -> None:
    """`validate_shape` keeps the shape of the current value; without it, the variable's shape is enough."""
    assert assigned(view((4, 2))) == ()
    message = r"the variable has shape \[3, 2\], but `value` has shape \[4, 2\]"
    with pytest.raises(tg.ShapeError, match=message):
        assigned(view((4, 2), validate_shape=True))
    with pytest.raises(tg.ShapeError, match=message):
        updated(view((4, 2)))
    hint = r"`value` has shape \[Rows, 2\]; if Rows is 3, value.expect\(dtype, \(3, 2\)\) states it"
    with pytest.raises(tg.ShapeError, match=hint):
        assigned(view(("Rows", 2), validate_shape=True))
    with pytest.raises(tg.ShapeError, match=r"`value` has shape \[Rows, 4\]$"):
        assigned(view(("Rows", 4), validate_shape=True))


def test_an_operand_is_known_by_its_output_and_a_variable_by_its_handle() -> None:
    scope = tg.Scope(tg.Graph())
    x, v = core.Placeholder.create(scope, tg.TFloat32), tg.Variable.create(scope, 1.0)
    operations = len(scope.graph)
    assert x.as_reference() is x.as_output() and v.as_reference() is v.handle
    assert len(scope.graph) == operations
