"""`x[...]`: `core.StridedSlice` for an index, `core.Gather` for a mask."""

from __future__ import annotations

import operator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from typegrad.base.brief import described
from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.sameness import NO_VALUES, Sameness
from typegrad.base.shape import Shape, as_shape, merge
from typegrad.base.types import TBool
from typegrad.graph import later
from typegrad.graph.operand_like import is_operand

if TYPE_CHECKING:
    from typegrad.graph.later import core
    from typegrad.graph.operand import AnyOperand
    from typegrad.graph.scope import Scope

__all__ = ["HINTS", "INDEXED", "SliceArguments", "indexed", "masked", "slice_arguments", "strided_slice"]

INDEXED: Final = "an operand is indexed by integers, slices, ..., None and masks, not by"
HINTS: Final = {
    "fraction": "; write // to divide integers, or int(...)",
    "mask": "; a mask is an array, and the only index: x[np.array([True, False])]",
    "rows": "; core.Gather takes many rows, core.GatherNd many elements",
}
"""What to write instead of an index that is none, by its kind."""


class SliceArguments:
    """The operation's arguments, one position per element of the index."""

    def __init__(self) -> None:
        self.begin: list[Any] = []
        self.end: list[Any] = []
        self.strides: list[Any] = []
        self.masks: dict[str, int] = dict.fromkeys(
            ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0
        )

    def add(self, begin: Any, end: Any, stride: Any, *masks: str) -> None:
        """Append one element; `masks` are the masks that are set for it."""
        bit = 1 << len(self.begin)
        for mask in masks:
            self.masks[mask] |= bit
        self.begin.append(begin)
        self.end.append(end)
        self.strides.append(stride)


def indexed(scope: Scope, operand: Any, index: Any) -> Any:
    """`operand[index]`."""
    return masked(scope, operand, index) if _is_mask(index) else strided_slice(scope, operand, index)


def _is_mask(index: Any) -> bool:
    return (is_operand(index) and index.dtype is TBool) or (isinstance(index, np.ndarray) and index.dtype.kind == "b")


def masked(scope: Scope, operand: AnyOperand, mask: Any) -> core.Gather[Any]:
    """The elements of `operand` where `mask`, of the shape of its first dimensions, is true, in one dimension."""
    core = later.core
    shape = mask.shape if is_operand(mask) else as_shape(mask.shape)
    check_mask(shape, operand.shape)
    rank = shape.rank
    with scope.with_sub_scope("boolean_mask") as inner:
        rows = core.Reshape.create(inner, core.Where.create(inner, core.Reshape.create(inner, mask, (-1,))), (-1,))
        if rank == 1:
            return core.Gather.create(inner, operand, rows)
        tail = core.Shape.create(inner, operand)[rank:]
        flat = core.Reshape.create(inner, operand, core.Concat.create(inner, [(-1,), tail], 0))
        return core.Gather.create(inner, flat, rows)


def check_mask(mask: Shape, whole: Shape) -> None:
    """Refuse the shape of a mask that is not the one of the first dimensions of what it selects from, by an error."""
    rank = mask.rank
    if not rank:
        cure = "core.Select chooses by a scalar" if rank == 0 else "state it with `mask.expect(tg.TBool, (None,))`"
        raise ShapeError(f"a mask has one dimension or more, and its rank is known, but its shape is {mask}; {cure}")
    if whole.dims is not None:
        first = Shape(whole.dims[:rank])
        try:
            merge(mask, first)
        except ShapeError:
            raise ShapeError(
                f"a mask has the shape of the first dimensions of what it selects from, {first}, but this one is {mask}"
            ) from None


def strided_slice(scope: Scope, operand: Any, index: Any) -> core.StridedSlice[Any]:
    """`operand[index]` of integers, slices, `...` and None."""
    parts = slice_arguments(index)
    begin, end, strides = (_vector(scope, part) for part in (parts.begin, parts.end, parts.strides))
    return later.core.StridedSlice.create(scope, operand, begin, end, strides, **parts.masks)


def slice_arguments(index: Any) -> SliceArguments:
    """The arguments for `[index]`."""
    parts = SliceArguments()
    for element in index if isinstance(index, tuple) else (index,):
        _add(parts, element)
    return parts


def _add(parts: SliceArguments, element: Any) -> None:
    if element is None:
        parts.add(0, 0, 1, "new_axis_mask")
    elif element is Ellipsis:
        parts.add(0, 0, 1, "ellipsis_mask")
    elif isinstance(element, slice):
        open_ends = [
            mask for mask, bound in (("begin_mask", element.start), ("end_mask", element.stop)) if bound is None
        ]
        parts.add(
            0 if element.start is None else _integer(element.start),
            0 if element.stop is None else _integer(element.stop),
            1 if element.step is None else _integer(element.step),
            *open_ends,
        )
    elif is_operand(element) and element.rank not in (0, None):
        raise ShapeError(f"an operand that is an index must be a scalar, but is {element!r}; core.Gather takes many")
    else:
        first = _integer(element)
        parts.add(first, first + 1, 1, "shrink_axis_mask")


def _integer(element: Any) -> Any:
    """An operand, or an int; booleans and fractions are neither."""
    if is_operand(element):
        return element
    if not isinstance(element, bool):
        with suppress(TypeError):
            return operator.index(element)
    raise DTypeError(f"{INDEXED} {described(element)}{_hint(element)}")


def _hint(element: Any) -> str:
    if isinstance(element, Sameness):
        return f"; {NO_VALUES}"
    if isinstance(element, (float, np.floating)):
        return HINTS["fraction"]
    if not isinstance(element, (list, np.ndarray)):
        return ""
    if isinstance(element, np.ndarray):
        is_mask = element.dtype == np.bool_
    else:
        is_mask = bool(element) and isinstance(element[0], (bool, np.bool_))
    return HINTS["mask" if is_mask else "rows"]


def _vector(scope: Scope, elements: list[Any]) -> Any:
    """The elements as a list of integers, or as a packed operand if one of them is an operand."""
    if not any(is_operand(element) for element in elements):
        return elements
    return later.core.Stack.create(scope, elements)
