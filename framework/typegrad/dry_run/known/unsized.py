"""Arrays whose element type and number of dimensions are known, but not all of their sizes, such as `a[a > 0]`; lists.

Each stands for arrays of several sizes. Functions are called with each of these, and what the results have in common is
known: the programs that NumPy refuses for a size have another one.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, final

import numpy as np

from typegrad.dry_run.known.arrays import StandIn, hidden, integer, is_integer, stand_in
from typegrad.dry_run.known.open_shapes import OpenShape
from typegrad.dry_run.known.unknown import UNKNOWN, Number, UncertainError, Unknown, UnknownFloat, has_unknown

__all__ = [
    "Many",
    "Shapeless",
    "Unsized",
    "array_of",
    "for_sizes",
    "is_lost",
    "is_number",
    "is_size",
    "many",
    "of_any_size",
    "of_kind",
    "of_one_size",
]

_SIZES: Final = (0, 1, 2, 24, 60)
"""What a size that is not known is taken for: few elements, and many that may be divided into equal parts."""
_OTHERS: Final = dict(zip(_SIZES, (*_SIZES[1:], _SIZES[0]), strict=True))
"""For each of them, another one: two sizes that are not known need not be equal."""
_SEQUENCES: Final = (list, tuple)
_READ: Final = frozenset(("T", "dtype", "imag", "itemsize", "mT", "ndim", "real", "shape", "size"))
"""The attributes of arrays that follow from their shapes and types."""


@final
class Unsized(Unknown):
    """An array of unknown size. Whoever does not know that it is one takes it for any unknown value."""

    __slots__ = ("samples",)

    def __init__(self, samples: Mapping[int, StandIn]) -> None:
        """Take the arrays, by what the unknown sizes are taken for."""
        object.__setattr__(self, "samples", samples)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.read(name)

    def read(self, name: str) -> Any:
        """An attribute; a method is one that is called for each size."""
        if name in _READ:
            return _common({size: getattr(each, name) for size, each in self.samples.items()})
        return Method(self, name) if callable(getattr(np.ndarray, name, None)) else UNKNOWN

    def kinds(self) -> Iterator[tuple[StandIn, tuple[int | None, ...]]]:
        """The arrays that it may be: one of each type and number of dimensions, and the sizes that are known of it."""
        groups: dict[object, list[StandIn]] = {}
        for each in self.samples.values():
            groups.setdefault((each.ndim, each.dtype), []).append(each)
        for group in groups.values():
            yield group[-1], _sizes([each.shape for each in group])


@final
class Shapeless(Unknown):
    """An array of which only the element type is known."""

    __slots__ = ("dtype",)

    def __init__(self, dtype: np.dtype[Any]) -> None:
        """Take the element type."""
        object.__setattr__(self, "dtype", dtype)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Method(self, name)


@final
class Many(Unknown):
    """A list, or a range, of an unknown number of items of one type and shape. One that may be changed is unknown."""

    __slots__ = ("item",)

    def __init__(self, item: Any) -> None:
        """Take one of the items, without its values."""
        object.__setattr__(self, "item", item)

    @property
    def is_fixed(self) -> bool:
        """Whether nobody can change an item, which is a number, an array or a tuple."""
        return not has_unknown(self.item, _is_list)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Method(self, name)


def many(items: Sequence[Any]) -> Any:
    """A list of any number of items like these, in any order; unknown, if they are not alike."""
    made = [_without_values(each) for each in items]
    is_known = bool(made) and not is_lost(made[0])
    return Many(made[0]) if is_known and len({_kind(each) for each in made}) == 1 else UNKNOWN


def _without_values(value: Any) -> Any:
    if isinstance(value, _SEQUENCES):
        return _like(value, map(_without_values, value))
    made = value if isinstance(value, Unknown) else hidden(value)
    if isinstance(made, StandIn):
        made.is_array = False  # other items may be numbers
    return made


def _like(value: Any, items: Iterable[Any]) -> Any:
    """A list or a tuple of these items, of the class of another one."""
    make = getattr(value, "_make", type(value))  # which a named tuple has
    return make(items)


def _kind(value: Any) -> object:
    """What is equal for values of one type and shape."""
    if isinstance(value, _SEQUENCES):
        return (type(value), *map(_kind, value))
    if isinstance(value, StandIn):
        return value.shape, value.dtype, value.is_python
    return UnknownFloat if isinstance(value, UnknownFloat) else id(value)


@final
class Method:
    """A method of an array of unknown size, or of such a list."""

    def __init__(self, owner: Unsized | Shapeless | Many, name: str) -> None:
        """Take the array, and the name of the method."""
        self.__self__ = owner
        self.__name__ = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return nothing that is known: `numpy_result` calls the methods of arrays of one size each."""
        del args, kwargs
        return UNKNOWN


def of_any_size(arrays: Sequence[Any]) -> Any:
    """An array like one of several of one type and number of dimensions; unknown, if they are not alike."""
    kinds = [kind for each in arrays for kind in (each.kinds() if isinstance(each, Unsized) else [(each, each.shape)])]
    first = kinds[0][0]
    if len({(sample.ndim, sample.dtype) for sample, _ in kinds}) > 1:
        return UNKNOWN
    dims = [each[0] if len(set(each)) == 1 else None for each in zip(*(shape for _, shape in kinds), strict=True)]
    return array_of(dims, first.dtype)


def array_of(dims: Sequence[int | None], dtype: Any) -> Any:
    """An array of unknown values, whose sizes are known but where they are None."""
    made = {size: stand_in([size if dim is None else dim for dim in dims], dtype) for size in _SIZES}
    is_known = all(each is not UNKNOWN for each in made.values())
    return Unsized(made) if is_known and None in dims else made[0]


def is_lost(value: object) -> bool:
    """Whether not even the type of a value is known, or of a part of the items."""
    if isinstance(value, Many):
        return has_unknown(value.item, is_lost)
    return value is UNKNOWN or isinstance(value, (Number, OpenShape, Shapeless))


def _is_list(value: object) -> bool:
    return isinstance(value, (list, Many))


def _is_unsized(value: object) -> bool:
    return isinstance(value, Unsized)


def is_size(value: object) -> bool:
    """Whether a value is an unknown integer, or an array of these."""
    return isinstance(value, StandIn) and value.dtype.kind in "iu"


def for_sizes(call: Callable[[int], Any]) -> Any:
    """What the results for all sizes have in common for which there is one."""
    results: dict[int, Any] = {}
    with warnings.catch_warnings(action="ignore"):
        for size in _SIZES:
            with suppress(Exception, UncertainError):  # whatever NumPy refuses for this size
                results[size] = hidden(of_one_size(call(size), _OTHERS[size], is_open=_is_unsized))
    known = {size: each for size, each in results.items() if each is not UNKNOWN}
    return _common(known) if len(known) > 1 else UNKNOWN


def is_number(value: object) -> bool:
    """Whether a value is an int or a float, of which not even that is known."""
    return isinstance(value, Number)


def of_kind(value: Any, number: Any) -> Any:
    """A value with a number of one type in the place of each that may be of either."""
    if isinstance(value, Number):
        return number
    if type(value) in (list, tuple):
        return type(value)([of_kind(each, number) for each in value])
    return {key: of_kind(each, number) for key, each in value.items()} if type(value) is dict else value


def of_one_size(value: Any, size: int, is_open: Callable[[object], bool] = is_size) -> Any:
    """A value with arrays of one size in the place of those of unknown size, and this size for unknown integers."""
    if isinstance(value, Unsized):
        return value.samples[size]
    if isinstance(value, Many):
        return [of_one_size(value.item, size, is_open) for _ in range(size)]
    if is_open(value):
        return size if value.is_python else np.broadcast_to(value.dtype.type(size), value.shape)[()]
    if isinstance(value, slice):
        return slice(*(of_one_size(each, size, is_open) for each in (value.start, value.stop, value.step)))
    if type(value) is dict:
        return {key: of_one_size(each, size, is_open) for key, each in value.items()}
    return _like(value, [of_one_size(each, size, is_open) for each in value]) if _is_sequence(value) else value


def _is_sequence(value: object) -> bool:
    """Whether it is a list or a tuple, also a named one, and of no other class."""
    return type(value) in _SEQUENCES or (isinstance(value, tuple) and hasattr(value, "_make"))


def _common(results: Mapping[int, Any]) -> Any:
    """What results for several sizes have in common."""
    values = list(results.values())
    kinds = {type(each) for each in values}
    if kinds == {StandIn}:
        return _common_array(results)
    if kinds == {int}:
        return values[0] if len(set(values)) == 1 and values[0] else integer()
    if kinds == {UnknownFloat}:
        return values[0]
    if len(kinds) == 1 and isinstance(values[0], (list, tuple)) and len(set(map(len, values))) == 1:
        parts = [_common(dict(zip(results, each, strict=True))) for each in zip(*values, strict=True)]
        return _like(values[0], parts)
    if kinds == {list}:
        return many(max(values, key=len))
    is_type = all(isinstance(each, np.dtype) for each in values) and len(set(values)) == 1
    return values[0] if is_type else UNKNOWN


def _common_array(results: Mapping[int, StandIn]) -> Any:
    arrays = list(results.values())
    if all(map(is_integer, arrays)):
        return integer()
    sizes, dtypes = {each.shape for each in arrays}, {each.dtype for each in arrays}
    if len(sizes) == len(dtypes) == 1 and 0 not in arrays[0].shape:
        return stand_in(arrays[0].shape, arrays[0].dtype)
    return Unsized(results)


def _sizes(shapes: Sequence[tuple[int, ...]]) -> tuple[int | None, ...]:
    """The sizes that are the same in several shapes. A size of 0 may be what is left of arrays that are too small."""
    return tuple(
        each[0] if len(each) > 1 and len(set(each)) == 1 and each[0] else None for each in zip(*shapes, strict=True)
    )
