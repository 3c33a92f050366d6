"""Shape functions of `ops/matmul.yaml`."""

from __future__ import annotations

from typing import Final

from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.shape import UNKNOWN, Shape, broadcast, merge, merge_dim
from typegrad.base.types import TComplex, TFloating, TType
from typegrad.shapes.equation import parse
from typegrad.shapes.view import OpView

_ADJOINTS: Final = {"adj_x": "transpose_a", "adj_y": "transpose_b"}
"""The attributes of `BatchMatMul` that transpose, with those of `MatMul`."""


def mat_mul(op: OpView) -> Shape:
    """[m, k] times [k, n], after transposition."""
    _check_stacks(op)
    a, b = op.rank("a", 2), op.rank("b", 2)
    m, inner_a = reversed(a.known()) if op.attr("transpose_a") else a.known()
    inner_b, n = reversed(b.known()) if op.attr("transpose_b") else b.known()
    try:
        merge_dim(inner_a, inner_b)
    except ShapeError:
        raise ShapeError(_mismatch(op, "a", "b", "transpose")) from None
    return Shape((m, n))


def _check_stacks(op: OpView) -> None:
    for name in ("a", "b"):
        shape = op.shape(name)
        if shape.dims == ():
            raise ShapeError(f"`{name}` must have rank 2, but is a scalar; write * to multiply by a number")
        _check_vector(op, name, "rank 2", ("a", "b"))
        if shape.dims is not None and len(shape.dims) > 2:
            turned = [f", {own}=True" for own, name in _ADJOINTS.items() if op.attr(name)]
            remedy = f"train.BatchMatMul.create(scope, a, b, a.dtype{''.join(turned)})" if turned else "a @ b"
            text = f"`{name}` must have rank 2, but has shape {shape}; {remedy} multiplies stacks of matrices"
            raise ShapeError(text)


def _mismatch(op: OpView, left: str, right: str, flag: str) -> str:
    """The message for inner dimensions that differ, with the transpositions and the order that would fit."""
    shapes = {name: op.shape(name) for name in (left, right)}
    flags = {name: bool(op.attr(f"{flag}_{name}")) for name in (left, right)}
    (m, inner_left), (inner_right, n) = (
        tuple(reversed(shape.known()[-2:])) if flags[name] else shape.known()[-2:] for name, shape in shapes.items()
    )
    after = " and ".join(f"{flag}_{name}=True" for name in flags if flags[name])
    text = f"inner dimensions differ: {left} is {shapes[left]}, {right} is {shapes[right]}"
    text += f" with {after}" if after else ""
    fitting = ((left, m == inner_right), (right, inner_left == n)) if inner_left is not None is not inner_right else ()
    changes = [f"{flag}_{name}={not flags[name]}" for name, is_fit in fitting if is_fit]
    is_other_order = n == m is not None
    if is_other_order and flags[left] != flags[right]:
        wrong, meant = (left, right) if flags[left] else (right, left)
        changes.append(f"{flag}_{meant}=True instead of {flag}_{wrong}")
        is_other_order = False
    operation = "linalg.MatMul" if flag == "transpose" else "train.BatchMatMul"
    remedies = [f"{operation} with {' or with '.join(changes)}"] if changes else []
    remedies += [f"{right} times {left}"] if is_other_order else []
    return f"{text}; {', or '.join(remedies)} would fit" if remedies else text


def _check_vector(op: OpView, name: str, expected: str, inputs: tuple[str, str]) -> None:
    shape = op.shape(name)
    if shape.rank != 1:
        return
    left, right = inputs
    other = right if name == left else left
    remedy = f"functions.tensordot(scope, {left}, {right}, 1) multiplies by a vector"
    try:
        dims = [tuple(op.shape(each).dims or ()) for each in inputs]
        merge_dim(dims[0][-1], dims[1][0])
    except ShapeError:
        remedy = f"as a vector, it does not fit {other}, {op.shape(other)}, either"
    except IndexError:
        pass  # the other one is a scalar, or of unknown rank
    raise ShapeError(f"`{name}` must have {expected}, but has shape {shape}; {remedy}")


def batch_mat_mul_v3(op: OpView) -> Shape:
    """[..., m, k] times [..., k, n], after transposition, the leading dimensions broadcast."""
    _check_types(op.attr("Ta"), op.attr("Tb"), op.attr("tout"))
    for name in ("x", "y"):
        _check_vector(op, name, "rank 2 or more", ("x", "y"))
    x, y = op.at_least("x", 2), op.at_least("y", 2)
    if x.dims is None or y.dims is None:
        return UNKNOWN
    m, inner_x = reversed(x.dims[-2:]) if op.attr("adj_x") else x.dims[-2:]
    inner_y, n = reversed(y.dims[-2:]) if op.attr("adj_y") else y.dims[-2:]
    try:
        merge_dim(inner_x, inner_y)
    except ShapeError:
        raise ShapeError(_mismatch(op, "x", "y", "adj")) from None
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
            f"input `x` is {x.name} and `y` is {y.name}: their product cannot be of `tout` {out.name}; cast with "
            "dtypes.Cast"
        )


def _kind(leaf: type[TType]) -> int:
    return 2 if issubclass(leaf, TComplex) else int(issubclass(leaf, TFloating))


def einsum(op: OpView) -> Shape:
    """What the equation says."""
    return parse(op.attr("equation")).infer(op.shapes("inputs"))


def cross(op: OpView) -> Shape:
    """The shape of both inputs, whose last dimension is 3."""
    shape = merge(op.at_least("a", 1), op.at_least("b", 1))
    if shape.dims is not None and isinstance(shape.dims[-1], int) and shape.dims[-1] != 3:
        raise ShapeError(f"the last dimension of `a` and `b` must be 3, but their shape is {shape}")
    return shape
