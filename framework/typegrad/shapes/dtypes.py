"""Shape and value functions of `ops/dtypes.yaml`."""

from __future__ import annotations

from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.shape import Shape
from typegrad.base.types import TIntegral, TString, TType, TUnsigned, conversion
from typegrad.shapes.view import OpView, Value


def cast(op: OpView) -> Shape:
    """The shape of the input. Strings and numbers do not convert into each other."""
    source, target = op.attrs.get("SrcT"), op.attrs.get("dst_t")  # a checker may not know them
    if source and target and (source is TString) is not (target is TString):
        remedy = conversion("it", (target,), (source,))
        raise DTypeError(f"`x` is {source.name}, which cannot be cast to {target.name}; {remedy}")
    return op.shape("x")


def cast_value(op: OpView) -> Value | None:
    """The input's value, if it means the same in the output's integer type."""
    target = op.attr("dst_t")
    if not (issubclass(op.attr("SrcT"), TIntegral) and issubclass(target, TIntegral)):
        return None
    value = op.value("x")
    return value if _fits(value, *_range(target)) else None


def _range(leaf: type[TType]) -> tuple[int, int]:
    bits = 8 * leaf.numpy.itemsize
    return (0, 2**bits - 1) if issubclass(leaf, TUnsigned) else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _fits(value: Value | None, low: int, high: int) -> bool:
    if isinstance(value, tuple):
        return all(_fits(element, low, high) for element in value)
    return not isinstance(value, int) or low <= value <= high


def bitcast(op: OpView) -> Shape:
    """The shape of the input, with a last axis added or removed where the sizes of the types differ."""
    shape = op.shape("input")
    source, target = op.attr("T").numpy.itemsize, op.attr("type").numpy.itemsize
    if source == target or shape.dims is None:
        return shape
    if source > target:
        return Shape((*shape.dims, source // target))
    ratio = target // source
    if not shape.dims or shape.dims[-1] not in (None, ratio):
        raise ShapeError(
            f"`input` has shape {shape}, but its last dimension must be {ratio}: "
            f"so many {op.attr('T').name} make one {op.attr('type').name}"
        )
    return Shape(shape.dims[:-1])
