"""Shape functions of `ops/random_distributions.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Shape, merge
from typegrad.shapes import common
from typegrad.shapes.random import multinomial
from typegrad.shapes.stateless_random import check_seed, check_source
from typegrad.shapes.values import shape_from
from typegrad.shapes.view import OpView


def stateless_multinomial(op: OpView) -> Shape:
    """A row of classes for each row of logits."""
    check_seed(op)
    return multinomial(op)


def stateless_ending(op: OpView, *parameters: str) -> Shape:
    """The requested shape, which ends with the shape of the parameters together."""
    check_seed(op)
    return ending(op, *parameters)


def stateless_gamma(op: OpView) -> Shape:
    """The requested shape, which ends with the shape of `alpha`."""
    check_source(op)
    return ending(op, "alpha")


def ending(op: OpView, *parameters: str) -> Shape:
    """The requested shape, which ends with the shape of the parameters together."""
    shape, end = shape_from(op, "shape"), common.broadcast(op, *parameters)
    if shape.dims is None or end.dims is None:
        return shape
    lead = len(shape.dims) - len(end.dims)
    try:
        if lead < 0:
            raise ShapeError("too few dimensions")
        return Shape((*shape.dims[:lead], *merge(Shape(shape.dims[lead:]), end)))
    except ShapeError:
        whose = ", ".join(f"`{name}`" for name in parameters)
        raise ShapeError(f"`shape` is {shape}, but must end with the shape of {whose}, which is {end}") from None


def random_of(op: OpView, parameter: str) -> Shape:
    """The requested shape, followed by the shape of a parameter."""
    shape, end = shape_from(op, "shape"), op.shape(parameter)
    return UNKNOWN if shape.dims is None or end.dims is None else shape + end


def random_rows(op: OpView, *parameters: str) -> Shape:
    """The requested shape; each parameter has one element, or one for each row."""
    shape = shape_from(op, "shape")
    if shape.dims == ():
        raise ShapeError("`shape` is [], but the result must have rank 1 or more")
    rows = None if shape.dims is None else shape.dims[0]
    for name in parameters:
        dims = op.shape(name).dims
        if dims is None or dims in ((), (1,)):
            continue
        count = dims[0]
        if len(dims) > 1 or (isinstance(count, int) and isinstance(rows, int) and count != rows):
            raise ShapeError(
                f"`{name}` must be a scalar, or have 1 element or one for each row, but has shape {op.shape(name)}; "
                f"`shape` is {shape}"
            )
    return shape
