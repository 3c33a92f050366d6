"""Shape functions of `ops/train.yaml`."""

from __future__ import annotations

from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.shape import UNKNOWN, Shape, broadcast, merge, merge_dim
from typegrad.base.types import TComplex, TFloating, TType
from typegrad.shapes.view import OpView


def batch_mat_mul_v3(op: OpView) -> Shape:
    """[..., m, k] times [..., k, n], after transposition, the leading dimensions broadcast."""
    _check_types(op.attr("Ta"), op.attr("Tb"), op.attr("tout"))
    x, y = op.at_least("x", 2), op.at_least("y", 2)
    if x.dims is None or y.dims is None:
        return UNKNOWN
    m, inner_x = reversed(x.dims[-2:]) if op.attr("adj_x") else x.dims[-2:]
    inner_y, n = reversed(y.dims[-2:]) if op.attr("adj_y") else y.dims[-2:]
    try:
        merge_dim(inner_x, inner_y)
    except ShapeError:
        flags = [f"adj_{name}=True" for name in "xy" if op.attr(f"adj_{name}")]
        after = f" with {' and '.join(flags)}" if flags else ""
        raise ShapeError(f"inner dimensions differ: x is {x}, y is {y}{after}") from None
    try:
        batch = broadcast(Shape(x.dims[:-2]), Shape(y.dims[:-2]))
    except ShapeError as error:
        raise ShapeError(f"the batch dimensions of x {x} and y {y} do not fit: {error}") from None
    return Shape((*batch.known(), m, n))


def _check_types(x: type[TType], y: type[TType], out: type[TType]) -> None:
    """Whether numbers of both input types are numbers of the output type, up to rounding."""
    kinds = [_kind(leaf) for leaf in (x, y, out)]
    if max(kinds[:2]) > kinds[2] or (kinds[2] == 2 and min(kinds) < 2):
        raise DTypeError(
            f"input `x` is {x.name} and `y` is {y.name}: their product cannot be of `tout` {out.name}; cast with dtypes.Cast"
        )


def _kind(leaf: type[TType]) -> int:
    return 2 if issubclass(leaf, TComplex) else int(issubclass(leaf, TFloating))


def resource_apply_gradient_descent(op: OpView) -> tuple[()]:
    """No output; the step must have the variable's type and shape."""
    if op.shape("alpha").rank not in (None, 0):
        raise ShapeError(f"`alpha` must be a scalar, but has shape {op.shape('alpha')}")
    handle = op.value("var")
    if handle is not None:
        _, dtype, dims = handle
        if dtype is not op.attr("T"):
            raise DTypeError(f"the variable is {dtype.name}, but `delta` is {op.attr('T').name}")
        try:
            merge(Shape(dims), op.shape("delta"))
        except ShapeError:
            raise ShapeError(
                f"the variable has shape {Shape(dims)}, but `delta` has shape {op.shape('delta')}"
            ) from None
    return ()
