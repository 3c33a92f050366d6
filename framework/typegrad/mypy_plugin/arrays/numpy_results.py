"""What functions of NumPy return for arrays of known shapes and dtypes, as a dry run knows it.

A size that is not known, or has a name, is taken for several ones, and what the results have in common is known of the
result. So is a large one, for which NumPy would take much memory or time.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice, product
from math import prod
from typing import Any, Final, TypeAlias

import numpy as np
from attrs import field, frozen

from typegrad.base.array import DType
from typegrad.base.shape import Dim, Shape
from typegrad.base.size import Size
from typegrad.mypy_plugin.arrays.numpy_rules import Array
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = [
    "SHAPES", "AnyOf", "Arguments", "Function", "Samples", "leaves_of", "method_of", "of_numpy", "result_of",
    "results_of",
]  # fmt: skip

Arguments: TypeAlias = tuple[Sequence[object], Mapping[str, object]]
"""The arguments by position and by keyword: an `Array`, a named size, `AnyOf`, a value, or a list or tuple of these."""
Function: TypeAlias = Callable[..., object]

_SIZES: Final = (1, 2, 24, 60)
"""What a size that is not known is taken for anyway: few elements, and many that may be divided into equal parts."""
_NO_SIZES: Final = (-1, 0)
"""What an integer may be besides."""
SHAPES: Final = ((), (3,), (2, 3), (5, 2, 3), (4, 5, 2, 3))
"""What a shape of any number of dimensions is taken for."""
_DTYPES: Final = tuple(map(np.dtype, (np.float32, np.int64, np.complex64)))
"""What a dtype that is not known is taken for."""
_DTYPE: Final = "dtype"
_MOST: Final = 150
"""The number of combinations of sizes for which a function is called."""
_MANY: Final = 100_000
"""The number of elements from which sizes are taken for smaller ones, and the largest product of integers."""
_LARGEST: Final = 2_000_000
"""The number of elements from which it is not called."""
_LEAST_LARGE: Final = 100
"""The size from which one is taken for smaller ones."""
_LARGEST_NUMBER: Final = 1000
"""The integer up to which arguments are passed on anyway, which may be a size or a number of steps."""
_MULTIPLES: Final = (1, 2, 3, 5, 7)
_EQUAL_PARTS: Final = 24
"""What the smaller ones are multiples of, as they may be divided."""


@frozen(eq=False)
class AnyOf:
    """An argument of which the type is known: one of these values, or one like them; an integer if there are none."""

    values: tuple[Any, ...] = ()


@frozen
class Samples:
    """The arguments of a call, and what is not known of them."""

    arguments: Arguments
    most: int | None = _MANY
    """The number of elements from which large sizes are taken for smaller ones; None if none are."""
    options: Mapping[Hashable, Sequence[Any]] = field(init=False)
    """What sizes and other values are taken for: nameless ones by their places, large ones by themselves."""

    @options.default
    def _options(self) -> Mapping[Hashable, Sequence[Any]]:
        leaves = list(leaves_of(self.arguments))
        integers = [abs(each) for each in leaves if type(each) is int]
        arrays = [each for each in leaves if isinstance(each, Array)]
        large = set() if self.most is None else _large(arrays, integers, self.most)
        numbers = [each for each in integers if each and each not in large]
        whole = prod(numbers)
        dims = {dim for each in arrays for dim in each.shape.dims or () if type(dim) is int}
        known = {*dims, *numbers, *map(len, _sequences(self.arguments)), whole, 2 * whole} - large - {0}
        sizes = sorted({*_SIZES, *known, *(each + 1 for each in known)})
        beyond = _EQUAL_PARTS * (max(numbers, default=0) // _EQUAL_PARTS + 1)
        found: dict[Hashable, Sequence[Any]] = {}
        for leaf in leaves:
            for key in _keys(leaf):
                if isinstance(key, AnyOf):
                    found[key] = key.values or (*_NO_SIZES, *sizes)
                elif key in large:
                    found[key] = [beyond * each for each in _MULTIPLES]
                elif isinstance(key, tuple) and key[1] is _DTYPE:
                    found[key] = leaf.dtypes or _DTYPES
                elif type(key) is not int:
                    found[key] = SHAPES if isinstance(key, Array) else sizes
        return found

    @property
    def count(self) -> int:
        """The number of combinations."""
        return prod(map(len, self.options.values()))

    def chosen(self) -> Iterator[Mapping[Hashable, Any]]:
        """All combinations."""
        for values in product(*self.options.values()):
            yield dict(zip(self.options, values, strict=True))

    def few(self) -> Iterator[Mapping[Hashable, Any]]:
        """Some combinations, in which each two sizes are equal and different, and large ones in their order."""
        large = sorted(key for key in self.options if isinstance(key, int))
        combinations = self.chosen() if self.count <= _MOST else islice(self._shifted(), _MOST)
        for chosen in combinations:
            sizes = [chosen[key] for key in large]
            if sizes == sorted(set(sizes)):
                yield chosen

    def _shifted(self) -> Iterator[Mapping[Hashable, Any]]:
        longest = max(map(len, self.options.values()))
        for step, start in product(range(longest), repeat=2):
            places = enumerate(self.options.items())
            yield {key: each[(start + step * place) % len(each)] for place, (key, each) in places}

    def elements(self, chosen: Mapping[Hashable, Any]) -> int:
        """The number of elements of all arrays."""
        return sum(prod(_shape(each, chosen)) for each in leaves_of(self.arguments) if isinstance(each, Array))

    def call(self, function: Function, chosen: Mapping[Hashable, Any]) -> object:
        """What a function returns for one of the combinations."""
        positional, keywords = _filled(self.arguments, chosen)
        with warnings.catch_warnings(action="ignore"):
            return function(*positional, **keywords)


def of_numpy(function: Any) -> Function:
    """A function of NumPy, or an operator, for arrays whose values are unknown."""
    from typegrad.dry_run.computing.numpy_calls import numpy_result

    return lambda *args, **keywords: numpy_result(function, args, keywords)


def method_of(name: str) -> Function:
    """A method of an array, which is the first argument."""
    return lambda array, *args, **keywords: of_numpy(getattr(array, name))(*args, **keywords)


def result_of(function: Function, arguments: Arguments) -> Array:
    """The array that a function returns; `NotStatic` if it refuses the arguments, whose sizes may not be right."""
    results = _results(function, arguments)
    return _common(results, arguments)


def results_of(function: Function, arguments: Arguments) -> list[Array]:
    """The arrays in the list that a function returns, in the same way."""
    results = _results(function, arguments)
    parts = [each for _, each in results]
    if not all(isinstance(each, (list, tuple)) for each in parts) or len(set(map(len, parts))) > 1:
        raise NotStatic
    sizes = [each for each, _ in results]
    return [_common(list(zip(sizes, each, strict=True)), arguments) for each in zip(*parts, strict=True)]


_Results: TypeAlias = list[tuple[Mapping[Hashable, Any], Any]]


def _results(function: Function, arguments: Arguments) -> _Results:
    """What the function returns for combinations of sizes, where it returns something that is known."""
    samples = Samples(arguments)
    results = _tried(function, samples, _of_few_elements(samples))
    if not results:  # such as of `outer`, whose results are too large
        smaller = Samples(arguments, most=0)
        is_other = smaller.options.keys() != samples.options.keys()
        results = _tried(function, smaller, _of_few_elements(smaller)) if is_other else []
    if not results and samples.options and all(isinstance(key, int) for key in samples.options):
        results = _tried(function, samples, [{}])  # of the sizes themselves, as of `reshape`
    if not results:
        raise NotStatic
    return results


def _of_few_elements(samples: Samples) -> Iterator[Mapping[Hashable, Any]]:
    return (each for each in samples.few() if samples.elements(each) <= _LARGEST)


def _tried(function: Function, samples: Samples, choices: Iterable[Mapping[Hashable, Any]]) -> _Results:
    from typegrad.dry_run.known.unknown import UNKNOWN as NOTHING
    from typegrad.dry_run.known.unknown import UncertainError

    results: _Results = []
    for chosen in choices:
        with suppress(Exception, UncertainError):  # whatever it raises for these arguments
            result: Any = samples.call(function, chosen)
            if result is not NOTHING:
                results.append((chosen, result))
    return results


def _common(results: _Results, arguments: Arguments) -> Array:
    """What the results for different sizes have in common."""
    from typegrad.dry_run.known.arrays import is_integer
    from typegrad.dry_run.known.unsized import Unsized

    kinds: list[tuple[Mapping[Hashable, Any], tuple[int | None, ...], DType]] = []
    for chosen, result in results:
        if isinstance(result, Unsized):
            kinds += [(chosen, dims, sample.dtype) for sample, dims in result.kinds()]
        elif isinstance(result, (np.ndarray, np.generic)) and not is_integer(result):
            kinds.append((chosen, result.shape, result.dtype))
        else:
            raise NotStatic
    choices = [chosen for chosen, _, _ in kinds]
    dims = None
    if len({len(each) for _, each, _ in kinds}) == 1:
        is_open = all(len({chosen[key] for chosen in choices}) > 1 for key in choices[0])
        sizes = zip(*(each for _, each, _ in kinds), strict=True)
        dims = tuple(_dim(each, choices) if is_open else None for each in sizes)
    dtypes = {dtype for _, _, dtype in kinds}
    is_doubtful = any(isinstance(each, Array) and each.is_doubtful for each in leaves_of(arguments))
    if len(dtypes) == 1:
        return Array(Shape(dims), dtypes.pop())
    return Array(Shape(dims), is_doubtful=is_doubtful)


def _dim(sizes: Sequence[int | None], choices: Sequence[Mapping[Hashable, Any]]) -> Dim:
    """A size of results: one that they all have, or that follows from those of the arguments."""
    if len(set(sizes)) == 1:
        return sizes[0]
    for key in choices[0]:
        if isinstance(key, (int, str, Size)) and all(
            chosen[key] == size for chosen, size in zip(choices, sizes, strict=True)
        ):
            return key
    large = [key for key in choices[0] if isinstance(key, int)]
    if not large or None in sizes or len(sizes) <= len(large) + 1:
        return None
    known = np.array([[1, *(chosen[key] for key in large)] for chosen in choices], float)
    factors = np.linalg.lstsq(known, np.array(sizes, float))[0]
    size = float(factors @ [1, *large])
    is_linear = np.allclose(known @ factors, np.array(sizes, float), rtol=0, atol=1e-6)
    return round(size) if is_linear and abs(size - round(size)) < 1e-6 else None


def _large(arrays: Sequence[Array], numbers: Sequence[int], most: int) -> set[int]:
    """The sizes of arrays that are too large to be made, and the integers by which such ones are made."""
    least = _LEAST_LARGE if prod(filter(None, numbers)) > _MANY else _LARGEST_NUMBER
    found = {each for each in numbers if each > least}
    shapes = [each.shape.dims or () for each in arrays]
    sizes = {dim for dims in shapes for dim in dims if isinstance(dim, int) and dim > _LEAST_LARGE}
    for size in sorted(sizes, reverse=True):
        counts = (prod(dim if isinstance(dim, int) and dim not in found else 1 for dim in dims) for dims in shapes)
        if sum(counts) > most:
            found.add(size)
    return found


def _keys(leaf: Any) -> Iterator[Hashable]:
    """What is not known of an argument."""
    if isinstance(leaf, Array):
        yield from _keys_of_sizes(leaf)
        if leaf.dtype is None:
            yield id(leaf), _DTYPE
    elif isinstance(leaf, (AnyOf, Size)) or (isinstance(leaf, str) and type(leaf) is not str) or type(leaf) is int:
        yield leaf


def _keys_of_sizes(array: Array) -> Iterator[Hashable]:
    if array.shape.dims is None:
        yield array
    for axis, dim in enumerate(array.shape.dims or ()):
        yield (id(array), axis) if dim is None else dim


def _shape(array: Array, chosen: Mapping[Hashable, Any]) -> Sequence[int]:
    keys = _keys_of_sizes(array)
    return chosen[array] if array.shape.dims is None else [chosen.get(key, key) for key in keys]


def _filled(value: Any, chosen: Mapping[Hashable, Any]) -> Any:
    """Arguments with chosen values in the place of those that are not known, and arrays of these sizes."""
    from typegrad.dry_run.known.arrays import stand_in

    if isinstance(value, Array):
        return stand_in(_shape(value, chosen), value.dtype or chosen[id(value), _DTYPE])
    if isinstance(value, dict):
        return {key: _filled(each, chosen) for key, each in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(partial(_filled, chosen=chosen), value))
    return next((chosen[key] for key in _keys(value) if key in chosen), value)


def leaves_of(value: Any) -> Iterator[Any]:
    """The arguments that are no lists, and what these hold."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else None
    if parts is None:
        yield value
    for part in parts or ():
        yield from leaves_of(part)


def _sequences(value: Any) -> Iterator[Sequence[Any]]:
    if isinstance(value, (list, tuple)):
        yield value
    if isinstance(value, (dict, list, tuple)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _sequences(each)
