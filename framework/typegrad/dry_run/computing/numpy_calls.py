"""Calls of NumPy: small arrays are computed, large and random ones have a shape and a type."""

from __future__ import annotations

import inspect
import math
import operator
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Final

import numpy as np

from typegrad.dry_run.computing.by_values import check_masks, is_of_values, of_values, unmasked
from typegrad.dry_run.computing.chances import ENDS
from typegrad.dry_run.computing.indices import nearest_index, refusing
from typegrad.dry_run.computing.of_unknown import array_of_unknown, reformed
from typegrad.dry_run.computing.operators import BINARY, COMPARE, IN_PLACE, UNARY
from typegrad.dry_run.computing.refusals import of_fitting_sizes
from typegrad.dry_run.known.arrays import (
    StandIn,
    bare,
    computed,
    hidden,
    integer,
    is_hidden,
    is_integer,
    is_open_integer,
    is_without_value,
    limited,
    method_result,
    stand_in,
)
from typegrad.dry_run.known.ends import between, refined
from typegrad.dry_run.known.unknown import UNKNOWN, UncertainError, has_unknown, is_unknown
from typegrad.dry_run.known.unsized import Shapeless, Unsized, for_sizes, is_lost, is_size, of_one_size

__all__ = ["is_numpy", "numpy_result"]

_WITH_EFFECTS: Final = frozenset((
    "dump", "dumps", "fromfile", "genfromtxt", "info", "load", "loadtxt", "measure", "memmap", "open_memmap", "rundocs",
    "runstring", "save", "savetxt", "savez", "savez_compressed", "set_bit_generator", "set_state", "seterr",
    "set_printoptions", "setbufsize", "seterrcall", "show_config", "show_runtime", "tempdir", "temppath", "test",
    "tofile",
))  # fmt: skip
"""The functions and methods that deal with files, processes and settings."""
_OUTSIDE: Final = ("numpy.ctypeslib", "numpy.f2py", "numpy.lib.npyio", "numpy.lib._datasource")
"""The modules that do."""
_SQUARE: Final = frozenset(("diag", "diagflat", "eye", "identity", "tri", "vander"))
"""The functions whose results have the square of a number of elements."""
_OF_PAIRS: Final = frozenset(("corrcoef", "cov", "diag", "diagflat", "kron", "meshgrid", "outer", "vander"))
"""The functions whose results may have an element for each pair of elements, or of rows."""
_MOST_PAIRS: Final = 10**7
"""The number of these from which they are not called."""
_CORE_DIMENSIONS: Final = re.compile(
    r"(?P<name>\w+): .* mismatch in its core dimension .* \(size (?P<first>\d+) is different from (?P<second>\d+)\)"
)
"""What NumPy says of arrays that do not fit each other."""
_OUT_OF_BOUNDS: Final = "out of bounds"
_WIDEST: Final = 2000
_LARGEST: Final = 10**8
_PAIRS: Final = 10**6
"""The number of pairs of elements from which none is looked at."""
_FILLING: Final = frozenset(("arange", "empty", "full", "ones", "zeros"))
"""The functions of sizes alone."""
_MANY: Final = 10**6
"""The number of elements from which their results are not made."""
_OF_SIZES: Final = frozenset((
    "arange", "empty", "eye", "full", "geomspace", "identity", "indices", "linspace", "logspace", "ones", "tri",
    "zeros",
))  # fmt: skip
"""The functions of sizes."""
_OF_ONE_SHAPE: Final = ("empty", "full", "ones", "zeros")
"""Those whose first argument is a shape."""
_OF_ARRAY_AND_SIZES: Final = frozenset(("broadcast_to", "pad", "reshape", "resize", "roll", "tile", "tril", "triu"))
"""The functions and methods of an array and sizes."""
_OF_ITEMS: Final = frozenset((
    "allclose", "any", "all", "append", "argmax", "argmin", "argsort", "array", "array_equal", "asanyarray", "asarray",
    "ascontiguousarray", "average", "clip", "column_stack", "concatenate", "cumprod", "cumsum", "diff", "dot", "dstack",
    "hstack", "isclose", "max", "mean", "median", "min", "prod", "quantile", "round", "sort", "stack", "std", "sum",
    "unique", "var", "vstack",
))  # fmt: skip
"""The functions whose results are not larger than their arguments, whatever numbers these are."""
_OPERATORS: Final = frozenset((*BINARY.values(), *COMPARE.values(), *IN_PLACE.values(), *UNARY.values()))
_GETTING: Final = ("getitem", "__getitem__")
_OF_INDICES: Final = frozenset((*_GETTING, "delete", "take"))
"""The functions of indices, which are no sizes."""
_OF_BOUNDS: Final = ("integers", "randint", "uniform")
"""What draws between bounds."""
_GENERATORS: Final = (np.random.Generator, np.random.RandomState)
_SEEDED: Final = (np.random.default_rng, np.random.RandomState)
_OF_MODULE: Final = {
    name: getattr(np.random.RandomState, name if name == "seed" else "random_sample").__get__(np.random.RandomState(0))
    for name in ("ranf", "sample", "seed")
}
"""The functions of the module `numpy.random` that are no methods of its generator, as methods of another one."""
_OF_NUMBERS: Final = frozenset((
    "exponential", "integers", "laplace", "normal", "poisson", "randint", "random_integers", "uniform",
))  # fmt: skip
"""The methods of generators whose results have the stated size, and one type whatever numbers they are given."""
_BOUNDS: Final = (1, 10**6)
"""What unknown numbers that these are given are taken for, as one may have to be larger than another."""
_OF_ARRAYS: Final = frozenset(("permutation", "permuted"))
_PERMUTING: Final = frozenset(("choice", "permutation"))
"""The methods that may permute as many numbers as an integer says."""
_WITHOUT_RESULT: Final = frozenset(("seed", "shuffle"))
_OF_SIZES_ALONE: Final = frozenset(("rand", "randn"))


def is_numpy(function: Any) -> bool:
    """Whether it is a function, type or method of NumPy without effects elsewhere."""
    if getattr(function, "__name__", "") in _WITH_EFFECTS:
        return False
    owner = getattr(function, "__self__", None)
    module = str(getattr(function, "__module__", None))
    if module.startswith(_OUTSIDE):
        return False
    is_method = isinstance(owner, (np.ndarray, np.generic, np.dtype, np.ufunc, Shapeless, Unsized))
    return is_method or isinstance(function, np.ufunc) or module.partition(".")[0] == "numpy"


def numpy_result(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What it returns, without the values of what is random or large."""
    if getattr(function, "__module__", "") == np.random.__name__:
        function = _OF_MODULE.get(getattr(function, "__name__", ""), function)
    args, kwargs = _with_sizes(function, args, kwargs)
    try:
        result = _result(function, args, kwargs)
        return refined(result, function, args, kwargs)
    except TypeError as error:
        if "NoneType" not in str(error) or not has_unknown(args, _is_none):
            raise
        name = getattr(function, "__name__", "a function")
        raise TypeError(f"{name} of None, which is no number; session.run returns None for an operation") from error
    except ValueError as error:
        found = _CORE_DIMENSIONS.match(str(error))
        if found is None:
            raise
        shapes = " and ".join(str(list(np.shape(bare(each)))) for each in args[:2])
        text = f"{found['name']}: shapes {shapes} do not fit: {found['second']} is not {found['first']}"
        raise ValueError(text) from error  # which names a signature of NumPy's


def _with_sizes(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Sequence[Any], dict[str, Any]]:
    """The arguments with integers in the place of unknown values, where only these may be sizes."""
    name = getattr(function, "__name__", "")
    if name in _OF_ONE_SHAPE and args:
        args = (_as_sizes(args[0]), *args[1:])
    elif name == "reshape":
        is_row = isinstance(getattr(function, "__self__", None), np.ndarray) and len(args) > 1
        args = _as_sizes(tuple(args)) if is_row else tuple(map(_as_sizes, args))
    named = {key: _as_sizes(kwargs[key]) for key in ("shape", "size") if key in kwargs}
    return args, kwargs | named


def _as_sizes(value: Any) -> Any:
    if type(value) not in (list, tuple):
        return value
    return type(value)([integer() if each is UNKNOWN else each for each in value])


def _result(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What a function returns, by what is not known of its arguments: values, sizes, or more."""
    owner = getattr(function, "__self__", None)
    if function in _SEEDED and has_unknown((args, kwargs), is_without_value):
        return function(0)  # whose numbers are not looked at
    if isinstance(owner, np.random.Generator) and function.__name__ == "spawn":
        return _spawned(function, *args, **kwargs)
    if isinstance(owner, _GENERATORS) and has_unknown((args, kwargs), is_lost):
        return _drawn_of_any(owner, function.__name__, args, kwargs)
    if isinstance(owner, Shapeless):
        return reformed(owner, function.__name__, args, kwargs)
    if isinstance(owner, Unsized) or has_unknown((args, kwargs)):
        return _unsized(function, args, kwargs)
    if getattr(function, "__name__", "") == "at" and len(args) > 1 and has_unknown(args[1], is_size):
        _item(operator.getitem, args[:2])  # which is out of range there, too
    if is_of_values(function, args, kwargs):
        return of_values(function, args, kwargs)
    if has_unknown(_sizes(function, args, kwargs), is_size):
        return for_sizes(lambda size: _result_of(function, of_one_size((args, kwargs), size), is_size))
    if getattr(function, "__name__", "") in _GETTING and has_unknown(args[-1], is_hidden):
        return _item(function, args)
    if _depends_on_values(function, args, kwargs):
        return UNKNOWN
    if isinstance(owner, _GENERATORS):
        return _drawn(owner, function.__name__, args, kwargs)
    if isinstance(owner, StandIn):
        return method_result(owner, function.__name__, args, kwargs)
    if isinstance(owner, np.ufunc) and function.__name__ == "outer":
        return _outer(owner, args, kwargs)
    name = getattr(function, "__name__", "")
    is_square = name in _SQUARE
    is_sized = not isinstance(function, np.ufunc) and name not in _OF_ITEMS and name not in _OF_INDICES
    if name in _FILLING:
        made = _filled(function, args, kwargs)
        if made is not None:
            return made
    if name in _OF_PAIRS and _pairs(args) > _MOST_PAIRS:
        return UNKNOWN
    if is_sized and math.prod(_numbers((args, kwargs))) > (_WIDEST if is_square else _LARGEST):
        return UNKNOWN
    if has_unknown((args, kwargs), is_hidden) and not isinstance(function, np.ufunc):
        return computed(function, args, kwargs)
    result = _limited_result(function, args, kwargs)
    is_open = isinstance(function, np.ufunc) and has_unknown((args, kwargs), is_hidden)
    return hidden(result) if is_open else result


def _unsized(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What it returns for arrays of unknown size."""
    if has_unknown((args, kwargs), is_lost) or "out" in kwargs:
        return array_of_unknown(_result, function, args, kwargs)
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")

    def of_one(size: int) -> Any:
        of_size = getattr(of_one_size(owner, size), name) if isinstance(owner, Unsized) else function
        return _result_of(of_size, of_one_size((args, kwargs), size, is_open=lambda _: False), is_unknown)

    result = for_sizes(of_one)
    return of_fitting_sizes(numpy_result, function, args, kwargs) if result is UNKNOWN else result


def _result_of(
    function: Any, arguments: tuple[Sequence[Any], dict[str, Any]], is_open: Callable[[object], bool]
) -> Any:
    """What it returns for one size; unknown where a size is in an object of a class that has none of its own here."""
    return UNKNOWN if has_unknown(arguments, is_open) else _result(function, *arguments)


def _item(function: Any, args: Sequence[Any]) -> Any:
    """An item at an index of unknown values, which is taken for the first one."""
    owner, index = args[:-1], args[-1]
    if has_unknown(index, _is_mask):
        check_masks(owner[0], index)
        _check_beside_masks(function, owner, index)
        return for_sizes(lambda size: _result(function, (*owner, unmasked(index, size)), {}))
    if has_unknown(index, _is_truth):
        return UNKNOWN
    with refusing(index):
        return computed(function, (*owner, of_one_size(nearest_index(index), 0, is_integer)), {})


def _check_beside_masks(function: Any, owner: Sequence[Any], index: Any) -> None:
    """Refuse an index that is out of range beside arrays of truth values, also if none of these is true."""
    try:
        _result(function, (*owner, unmasked(index, 0)), {})
    except IndexError as error:
        if _OUT_OF_BOUNDS in str(error):
            raise
    except (Exception, UncertainError):  # noqa: BLE001  # whatever it raises for this size
        return


def _sizes(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The arguments on which the shape of a result depends."""
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if name in _GETTING:
        index = args[-1]
        return [each for each in (index if isinstance(index, tuple) else (index,)) if isinstance(each, slice)]
    if isinstance(owner, _GENERATORS):
        return () if name in _WITHOUT_RESULT else (args, kwargs)
    if name in _OF_SIZES:
        return args, kwargs
    if name in _OF_ARRAY_AND_SIZES:
        return args[not isinstance(owner, np.ndarray) :], kwargs
    return ()


def _outer(function: np.ufunc, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What a function returns of all pairs of elements of two arrays."""
    arrays = [each if isinstance(each, np.ndarray) else np.asarray(each) for each in args]
    if len(arrays) != 2 or math.prod(each.size for each in arrays) <= _PAIRS:
        return (computed if has_unknown((args, kwargs), is_hidden) else _limited_result)(function.outer, args, kwargs)
    first, second = arrays
    return function(stand_in((*first.shape, *(1,) * second.ndim), first.dtype), hidden(second), **kwargs)


def _filled(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """A large array, whose element type one without elements tells; None if it is not large, or is refused."""
    sizes: Sequence[Any] = ()
    if function is np.arange:
        if kwargs.keys() <= {"dtype"} and all(type(each) is int for each in args) and 0 < len(args) < 3:
            sizes, args = [len(range(*args))], [0]
    elif not (function is np.full and any(map(np.ndim, (*args[1:2], kwargs.get("fill_value"))))):
        shape = args[0] if args else kwargs.get("shape")
        sizes = shape if isinstance(shape, (list, tuple)) else [shape]
        args, kwargs = ([0, *args[1:]], kwargs) if args else ([], {**kwargs, "shape": 0})
    if not all(isinstance(each, (int, np.integer)) and each >= 0 for each in sizes) or math.prod(sizes) <= _MANY:
        return None
    made = computed(function, args, kwargs)
    return made if made is UNKNOWN else stand_in(sizes, made.dtype)


def _limited_result(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What it returns, without the values of what is large."""
    with np.errstate(all="ignore"):
        return limited(function(*args, **kwargs))


def _depends_on_values(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> bool:
    """Whether the shape of a result depends on unknown values."""
    name = getattr(function, "__name__", "")
    if name == "arange":
        return has_unknown((args, kwargs), is_hidden)
    if name == "where":
        return False
    if function is operator.pow and is_integer(args[1]):
        return True  # a negative exponent makes fractions
    if isinstance(function, np.ufunc) or (isinstance(function, Hashable) and function in _OPERATORS):
        return False
    return has_unknown((args[name in _OF_ITEMS :], kwargs), _is_open_number)


def _is_open_number(value: object) -> bool:
    return isinstance(value, StandIn) and not value.ndim and is_open_integer(value)


def _is_mask(value: object) -> bool:
    return isinstance(value, StandIn) and value.dtype.kind == "b" and value.ndim > 0


def _is_none(value: object) -> bool:
    return value is None


def _is_truth(value: object) -> bool:
    return isinstance(value, StandIn) and value.dtype.kind == "b"


def _numbers(value: Any) -> list[int]:
    """The positive integers in some arguments."""
    if isinstance(value, (int, np.integer)):
        return [int(value)] if value > 0 else []
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return [each for part in parts for each in _numbers(part)]


def _pairs(args: Sequence[Any]) -> int:
    """How many pairs of elements of several arrays there are, or of rows or columns of one."""
    arrays = [each for each in args if isinstance(each, np.ndarray)]
    return max(arrays[0].shape, default=0) ** 2 if len(arrays) == 1 else math.prod(each.size for each in arrays)


@cache
def _drawing(name: str, *, is_old: bool) -> tuple[Any, inspect.Signature]:
    """A method of another random generator than the program's, and its signature."""
    method = getattr(np.random.RandomState(0) if is_old else np.random.default_rng(0), name)
    return method, inspect.signature(method)


def _drawn_of_any(owner: Any, name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The shape and type of what is drawn, where a size is stated, but not all else is known."""
    if name not in _OF_NUMBERS:
        return UNKNOWN
    _, signature = _drawing(name, is_old=isinstance(owner, np.random.RandomState))
    arguments = signature.bind(*args, **kwargs).arguments
    if arguments.get("size") is None or has_unknown([arguments["size"], arguments.get("dtype")]):
        return UNKNOWN
    made = UNKNOWN
    for number in _BOUNDS:
        known = {key: number if has_unknown(each) else each for key, each in arguments.items()}
        with suppress(ValueError):
            made = _sized_draw(owner, name, known) if made is UNKNOWN else made
    return made


def _spawned(spawn: Callable[[int], list[np.random.Generator]], n_children: Any) -> Any:
    """The generators that another one makes."""
    is_known = not has_unknown(n_children, is_without_value) and int(n_children) <= _WIDEST
    return spawn(n_children) if is_known else UNKNOWN


def _drawn(owner: Any, name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What is known of what is drawn, also between what ends it lies."""
    drawn = _shaped_draw(owner, name, args, kwargs)
    if name not in ENDS or has_unknown((args, kwargs), is_hidden) or not is_hidden(drawn):
        return drawn
    _, signature = _drawing(name, is_old=isinstance(owner, np.random.RandomState))
    found = ENDS[name](**signature.bind(*args, **kwargs).arguments)
    return drawn if found is None else between(drawn, *found)


def _sized_draw(owner: Any, name: str, arguments: dict[str, Any]) -> Any:
    """The shape and type of what is drawn, of which a size may be one of several."""
    if has_unknown(arguments, is_size):
        return for_sizes(lambda size: _shaped_draw(owner, name, (), of_one_size(arguments, size)))
    return _shaped_draw(owner, name, (), arguments)


def _shaped_draw(
    owner: np.random.Generator | np.random.RandomState, name: str, args: Sequence[Any], kwargs: dict[str, Any]
) -> Any:
    """The shape and type of what is drawn. Where a size is stated, one number is drawn in its place."""
    if name in _WITHOUT_RESULT:
        return None
    if name in _OF_SIZES_ALONE:
        return stand_in([int(each) for each in args], np.float64)
    if kwargs.get("out") is not None:
        return UNKNOWN  # that array, which somebody has
    if name in _OF_ARRAYS and isinstance(args[0], np.ndarray):
        return hidden(args[0])
    method, signature = _drawing(name, is_old=isinstance(owner, np.random.RandomState))
    arguments = signature.bind(*args, **kwargs).arguments
    size, population = arguments.pop("size", None), next(iter(arguments.values()), None)
    chances = arguments.get("p")
    if name == "choice" and isinstance(chances, StandIn):
        arguments["p"] = np.full(chances.shape, 1 / max(chances.size, 1))  # whose sum has to be 1
    if name in _PERMUTING and isinstance(population, int) and population > _WIDEST:
        if name == "permutation":
            return stand_in((population,), np.int64)
        arguments["a"] = _WIDEST  # of which one is drawn
    if size is None:
        return _draw(method, name, arguments)
    sizes = tuple(map(int, np.atleast_1d(size)))
    if name == "choice" and math.prod(sizes) > _most_chosen(arguments, population):
        return method(1, 2, replace=False)  # which is refused in the same words
    is_scalar = not any(isinstance(each, (list, tuple, np.ndarray)) for each in arguments.values())
    if not is_scalar and math.prod(sizes) > _LARGEST // 100:
        return UNKNOWN
    if not is_scalar:
        return _draw(method, name, {**arguments, "size": sizes})
    drawn = _draw(method, name, {**arguments, "size": (1,) * len(sizes)})
    return drawn if drawn is UNKNOWN else stand_in((*sizes, *drawn.shape[len(sizes) :]), drawn.dtype)


def _most_chosen(arguments: Mapping[str, Any], population: Any) -> float:
    """How many items may be chosen: any number, if one may be chosen again, or it is not known how many there are."""
    replace = arguments.get("replace", True)
    if is_hidden(replace) or replace:
        return math.inf
    if isinstance(population, (int, np.integer)):
        return int(population)
    axis: int = arguments.get("axis", 0)
    if isinstance(population, np.ndarray) and population.ndim:
        return int(population.shape[axis])
    return len(population) if isinstance(population, (list, tuple)) and axis == 0 else math.inf


def _draw(method: Any, name: str, arguments: dict[str, Any]) -> Any:
    """What is drawn; bounds that are known are refused as in a run, such as the lower one above the upper one."""
    if name in _OF_BOUNDS and not has_unknown(arguments) and not has_unknown(arguments, is_hidden):
        return hidden(method(**arguments))
    return computed(method, (), arguments)
