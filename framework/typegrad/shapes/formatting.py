"""Shape functions of `ops/formatting.yaml`."""

from __future__ import annotations

from typegrad.base.errors import AttributeValueError
from typegrad.base.shape import Shape
from typegrad.base.types import TComplex, TFloating, TString
from typegrad.shapes.view import OpView


def as_string(op: OpView) -> Shape:
    """The shape of the input; the format must exist and fit the type."""
    dtype = op.attr("T")
    if op.attr("scientific") and op.attr("shortest"):
        raise AttributeValueError("`scientific` and `shortest` are both true, but there can be one format")
    if not issubclass(dtype, (TFloating, TComplex, TString)):
        for name, is_default in (
            ("precision", op.attr("precision") < 0),
            ("scientific", not op.attr("scientific")),
            ("shortest", not op.attr("shortest")),
        ):
            if not is_default:
                raise AttributeValueError(f"`{name}` is for floats and complex numbers, but `input` is {dtype.name}")
    return op.shape("input")


def string_format(op: OpView) -> Shape:
    """A scalar; the template has a placeholder for each input."""
    placeholder, arrays = op.attr("placeholder"), len(op.shapes("inputs"))
    if not placeholder:
        raise AttributeValueError("`placeholder` is empty, but must be text, such as '{}'")
    places = op.attr("template").count(placeholder)
    if places != arrays:
        raise AttributeValueError(
            f"`template` must have as many {placeholder!r} as `inputs` has arrays, {arrays}, but has {places}"
        )
    return Shape(())
