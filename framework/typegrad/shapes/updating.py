"""The shape functions of operations that update variables, whole or some rows, by a step of an optimizer.

Their arguments are the handles. Of the other inputs, `grad` (or `delta`) is the gradient, `indices` are the rows to
update, and the rest are scalars.
"""

from __future__ import annotations

from functools import reduce

from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.handle import Handle
from typegrad.base.shape import UNKNOWN, Shape, merge
from typegrad.shapes.variable_rows import check_rows
from typegrad.shapes.view import OpView

GRADIENTS = ("grad", "delta")


def step(op: OpView, *variables: str) -> tuple[()]:
    """Variables of one shape and of the gradient's type, a gradient of that shape or of some rows, and scalars."""
    others = [name for name in op.names if name not in variables]
    gradient = next(name for name in others if name in GRADIENTS)
    for name in others:
        if name not in (gradient, "indices"):
            op.rank(name, 0)
    shape = reduce(merge, [_variable(op, name, variables[0]) for name in variables])
    if "indices" in others:
        _check_rows(op, gradient, shape)
    else:
        _check_whole(op, gradient, shape)
    return ()


def _variable(op: OpView, name: str, first: str) -> Shape:
    """What is known of a variable's shape, which must fit the shape of the first variable."""
    op.rank(name, 0)
    handle: Handle | None = op.value(name)
    if handle is None:
        return UNKNOWN
    expected, shape = op.attr("T"), handle.current
    if handle.dtype is not expected:
        raise DTypeError(f"the variable `{name}` is {handle.dtype.name}, but the gradient is {expected.name}")
    leader: Handle | None = op.value(first)
    if leader is not None and not _fits(shape, leader.current):
        raise ShapeError(f"the variable `{first}` has shape {leader.current}, but `{name}` has shape {shape}")
    return shape


def _check_whole(op: OpView, gradient: str, variable: Shape) -> None:
    if not _fits(op.shape(gradient), variable):
        raise ShapeError(f"the variable has shape {variable}, but `{gradient}` has shape {op.shape(gradient)}")


def _check_rows(op: OpView, gradient: str, variable: Shape) -> None:
    check_rows(variable)
    indices, grad = op.rank("indices", 1), op.at_least(gradient, 1)
    row = UNKNOWN if variable.dims is None else Shape((*indices.known(), *variable.dims[1:]))
    count = UNKNOWN if grad.dims is None else Shape(grad.dims[:1])
    if not _fits(grad, row) or not _fits(count, indices):
        raise ShapeError(
            f"`{gradient}` has shape {grad}, but must have one row for each of the indices, which have shape "
            f"{indices}, of a variable of shape {variable}"
        )


def _fits(a: Shape, b: Shape) -> bool:
    try:
        merge(a, b)
    except ShapeError:
        return False
    return True
