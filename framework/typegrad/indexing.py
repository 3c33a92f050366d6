"""`x[...]`: a Python index as the arguments of `core.StridedSlice`."""

from __future__ import annotations

import operator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from attrs import define, field

from typegrad.brief import described
from typegrad.errors import DTypeError, ShapeError

if TYPE_CHECKING:
    from typegrad.op.core import StridedSlice
    from typegrad.scope import Scope

__all__ = ["Spec", "index_spec", "strided_slice"]


@define
class Spec:
    """The operation's arguments, one position per element of the index."""

    begin: list[Any] = field(factory=list)
    end: list[Any] = field(factory=list)
    strides: list[Any] = field(factory=list)
    masks: dict[str, int] = field(
        factory=lambda: dict.fromkeys(
            ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0
        )
    )

    def add(self, begin: Any, end: Any, stride: Any, *masks: str) -> None:
        """Append one element; `masks` are those that are set for it."""
        bit = 1 << len(self.begin)
        for mask in masks:
            self.masks[mask] |= bit
        self.begin.append(begin)
        self.end.append(end)
        self.strides.append(stride)


def strided_slice(scope: Scope, operand: Any, index: Any) -> StridedSlice[Any]:
    """`operand[index]`."""
    from typegrad.op.core import StridedSlice

    spec = index_spec(index)
    begin, end, strides = (_vector(scope, part) for part in (spec.begin, spec.end, spec.strides))
    return StridedSlice.create(scope, operand, begin, end, strides, **spec.masks)


def index_spec(index: Any) -> Spec:
    """What `[index]` asks for."""
    spec = Spec()
    for element in index if isinstance(index, tuple) else (index,):
        _add(spec, element)
    return spec


def _add(spec: Spec, element: Any) -> None:
    if element is None:
        spec.add(0, 0, 1, "new_axis_mask")
    elif element is Ellipsis:
        spec.add(0, 0, 1, "ellipsis_mask")
    elif isinstance(element, slice):
        open_ends = [
            mask for mask, bound in (("begin_mask", element.start), ("end_mask", element.stop)) if bound is None
        ]
        spec.add(
            0 if element.start is None else _integer(element.start),
            0 if element.stop is None else _integer(element.stop),
            1 if element.step is None else _integer(element.step),
            *open_ends,
        )
    elif hasattr(type(element), "as_output") and element.rank not in (0, None):
        raise ShapeError(f"an operand that is an index must be a scalar, but is {element!r}; core.Gather takes many")
    else:
        first = _integer(element)
        spec.add(first, first + 1, 1, "shrink_axis_mask")


def _integer(element: Any) -> Any:
    """An operand, or an int; booleans and fractions are neither."""
    if hasattr(type(element), "as_output"):
        return element
    if not isinstance(element, bool):
        with suppress(TypeError):
            return operator.index(element)
    raise DTypeError(f"an operand is indexed by integers, slices, ... and None, not by {described(element)}")


def _vector(scope: Scope, elements: list[Any]) -> Any:
    """The elements as a list of integers, or as a packed operand if one of them is an operand."""
    operand = next((element for element in elements if hasattr(type(element), "as_output")), None)
    if operand is None:
        return elements
    from typegrad.op.core import Stack
    from typegrad.tensors import constant

    return Stack.create(
        scope, [e if hasattr(type(e), "as_output") else constant(scope, e, operand.dtype) for e in elements]
    )
