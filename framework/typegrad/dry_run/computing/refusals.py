"""What NumPy refuses whatever the sizes are that are not known of its arrays, and what fits for few of them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count, product
from typing import Any, Final, TypeAlias

import numpy as np

from typegrad.dry_run.computing.operators import BINARY
from typegrad.dry_run.known.arrays import StandIn, is_open_integer, stand_in
from typegrad.dry_run.known.unknown import UNKNOWN, UncertainError, has_unknown, is_unknown
from typegrad.dry_run.known.unsized import Unsized

__all__ = ["of_fitting_sizes"]

_COMPARING: Final = frozenset((
    "all", "any", "argmax", "argmin", "argpartition", "argsort", "average", "column_stack", "concatenate",
    "cumprod", "cumsum", "diagonal", "diff", "dot", "dstack", "einsum", "expand_dims", "flip", "getitem", "hsplit",
    "hstack", "inner", "insert", "max", "mean", "median", "min", "moveaxis", "nanmax", "nanmean", "nanmin",
    "nansum", "norm", "pad", "partition", "percentile", "prod", "ptp", "quantile", "roll", "sort", "split",
    "squeeze", "stack", "std", "sum", "swapaxes", "take", "take_along_axis", "tensordot", "trace", "transpose",
    "var", "vsplit", "vstack", "where",
))  # fmt: skip
"""The functions, besides those of elements, for which a size must equal another one or be in a range, if anything."""
_Kind: TypeAlias = tuple[StandIn, tuple[int | None, ...]]
"""An array of unknown size, and the sizes that are known of it."""
_LARGE: Final = 97
"""A size that stands for any other one, if no index is larger."""
_MOST: Final = 300
"""How many combinations of sizes are tried."""


def of_fitting_sizes(call: Callable[..., Any], function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The array that a function returns for all sizes that it takes, if these are few; its error, if it takes none.

    `np.concatenate([b, np.ones((2, 5))], axis=1)` takes 2 rows alone. A size matters as it equals another one or not,
    is 0, 1 or 2, or is larger than an index, so few sizes stand for all of them. `call` calls a function with its
    arguments.
    """
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    values = (owner, args, kwargs)
    is_comparing = isinstance(function, np.ufunc) or function in BINARY.values() or name in _COMPARING
    if not is_comparing or has_unknown(values, _is_lost):
        return UNKNOWN
    arrays = list({id(each): each for each in _arrays(values) if isinstance(each, Unsized)}.values())
    kinds = [list(each.kinds()) for each in arrays]
    if any(sizes.count(None) > 1 for each in kinds for _, sizes in each):
        return UNKNOWN
    known = _known_sizes(values, kinds)
    any_other = next(size for size in count(max(_LARGE, 1 + _largest([*args, *kwargs.values()]))) if size not in known)
    sizes = sorted({0, 1, 2, *known}) + [any_other]
    options = [
        [_of_size(*kind, size) for kind in each for size in (sizes if None in kind[1] else [any_other])]
        for each in kinds
    ]
    if math.prod(map(len, options)) > _MOST:
        return UNKNOWN
    made_for, refused = None, None
    for combination in product(*options):
        made = dict(zip(map(id, arrays), combination, strict=True))
        of_size = getattr(_with(owner, made), name) if isinstance(owner, Unsized) else function
        try:
            result = call(of_size, _with(args, made), _with(kwargs, made))
        except (ValueError, IndexError) as error:
            refused = error
            continue
        except (Exception, UncertainError):  # noqa: BLE001  # whatever a function raises
            return UNKNOWN
        is_any = any(any_other in each.shape for each in combination)
        if is_any or not isinstance(result, StandIn) or not (made_for is None or _are_alike(result, made_for)):
            return UNKNOWN
        made_for = result
    if made_for is not None:
        return made_for
    assert refused is not None
    raise type(refused)(re.sub(rf"\b{any_other}\b", "?", str(refused)))


def _known_sizes(values: Any, kinds: Sequence[Sequence[_Kind]]) -> set[int]:
    """The sizes that are known of arrays and lists, and of arrays of unknown size of some kinds."""
    known = {dim for each in _arrays(values) if not isinstance(each, Unsized) for dim in each.shape}
    known.update(dim for each in kinds for _, sizes in each for dim in sizes if dim is not None)
    known.update(map(len, _lists(values)))
    return known


def _are_alike(one: StandIn, other: StandIn) -> bool:
    return one.shape == other.shape and one.dtype == other.dtype


def _is_lost(value: object) -> bool:
    return (is_unknown(value) and not isinstance(value, Unsized)) or is_open_integer(value)


def _with(value: Any, made: dict[int, StandIn]) -> Any:
    """A value with other arrays in the place of some."""
    if type(value) in (list, tuple):
        return type(value)([_with(each, made) for each in value])
    if type(value) is dict:
        return {key: _with(each, made) for key, each in value.items()}
    return made.get(id(value), value)


def _of_size(sample: StandIn, sizes: Sequence[int | None], size: int) -> StandIn:
    made: StandIn = stand_in([size if each is None else each for each in sizes], sample.dtype)
    return made


def _largest(value: Any) -> int:
    """The largest index in some arguments."""
    if isinstance(value, (int, np.integer)):
        return abs(int(value))
    if isinstance(value, np.ndarray) and value.dtype.kind in "iu" and value.size and not isinstance(value, StandIn):
        return int(np.abs(value).max())
    return max(map(_largest, value), default=0) if isinstance(value, (list, tuple)) else 0


def _lists(value: Any) -> Iterator[Sequence[Any]]:
    """The lists in a value, which NumPy takes for arrays."""
    parts = value.values() if isinstance(value, dict) else value
    if isinstance(value, (dict, list, tuple)):
        for each in parts:
            yield from _lists(each)
    if isinstance(value, (list, tuple)):
        yield value


def _arrays(value: Any) -> Iterator[Any]:
    if isinstance(value, (np.ndarray, Unsized)):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _arrays(each)
    elif isinstance(value, dict):
        yield from _arrays(list(value.values()))
