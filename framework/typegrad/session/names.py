"""Named dimensions: which sizes the feeds of a run give them, and whether the feeds agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from typegrad.base.errors import FeedError, ShapeError
from typegrad.base.shape import Dim
from typegrad.base.size import bind, names_of, solved
from typegrad.graph.explain import origin
from typegrad.graph.operand import AnyOutput

__all__ = ["bound_names"]


class _FedDimension(NamedTuple):
    """One dimension of a feed that depends on names."""

    dim: Dim
    size: int
    axis: int
    output: AnyOutput


def bound_names(feeds: Sequence[AnyOutput], sizes: Sequence[tuple[int | None, ...]]) -> dict[str, int]:
    """The size of each named dimension; a size of a feed that is None is not known.

    Arithmetic with names (`Batch*Time`) is compared with the sizes of its names, or gives the last one its size.

    Raises:
        FeedError: Two feeds disagree.
    """
    fed = list(_fed(feeds, sizes))
    names: dict[str, int] = {}
    first: dict[Dim, _FedDimension] = {}
    for each in fed:
        before = first.setdefault(each.dim, each)
        if before.size != each.size:
            raise FeedError(
                f"dimension {each.dim} is {before.size} in the feed of {origin(before.output)}, "
                f"but {each.size} in the feed of {origin(each.output)}"
            )
        if isinstance(each.dim, str):
            names[each.dim] = each.size
    open_dims = [each for dim, each in first.items() if not isinstance(dim, str)]
    while open_dims:
        left = [each for each in open_dims if not _is_settled(each, names)]
        if len(left) == len(open_dims):
            break
        open_dims = left
    return names


def _fed(feeds: Sequence[AnyOutput], sizes: Sequence[tuple[int | None, ...]]) -> Iterator[_FedDimension]:
    for output, size in zip(feeds, sizes, strict=True):
        for axis, (dim, actual) in enumerate(zip(output.shape.dims or (), size, strict=False)):
            if dim is not None and actual is not None and not isinstance(dim, int):
                yield _FedDimension(dim, actual, axis, output)


def _is_settled(fed: _FedDimension, names: dict[str, int]) -> bool:
    """Check a dimension against its names, or give its last name a size; whether either was possible."""
    try:
        expected = bind(fed.dim, names)
        if isinstance(expected, int):
            if expected == fed.size:
                return True
            raise _disagreement(fed, names, f"{fed.dim} is {expected}")
        last = solved(expected, fed.size)
    except ShapeError as error:
        raise _disagreement(fed, names, str(error)) from None
    if last is not None:
        names.update([last])
    return last is not None


def _disagreement(fed: _FedDimension, names: dict[str, int], expected: str) -> FeedError:
    known = [f"{name} is {names[name]}" for name in sorted(names_of(fed.dim)) if name in names]
    because = f", since {' and '.join(known)}" if known else ""
    return FeedError(f"dimension {fed.axis} of the feed of {origin(fed.output)} is {fed.size}, but {expected}{because}")
