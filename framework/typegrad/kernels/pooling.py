"""Kernels of `ops/pooling.yaml`. A window may extend over any dimensions.

Maxima and sums are taken along one dimension after the other; the position of a maximum needs all of them together.
The kernels write into arrays, so they run on NumPy only.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import pairwise, product
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from scipy import sparse

from typegrad.base.bfloat16 import finfo
from typegrad.base.workers import for_each
from typegrad.kernels.checks import check_indices, ints
from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.parts import parts
from typegrad.kernels.precision import widened
from typegrad.kernels.scratch import scratch
from typegrad.kernels.windows import Sweep, sweeps_of
from typegrad.shapes.pooling import pooling_windows
from typegrad.shapes.view import OpView

_Slices: TypeAlias = tuple[slice, ...]

PART: Final = 2**19
"""How many elements are pooled at once."""


class Pool(NamedTuple):
    """The attributes that say how the window slides."""

    ksize: tuple[int, ...]
    strides: tuple[int, ...]
    padding: str
    data_format: str


def _pool(ksize: Array, strides: Array, padding: str, data_format: str) -> Pool:
    """Max pooling, whose window and steps are inputs."""
    return Pool(ints(ksize), ints(strides), padding, data_format)


@lru_cache(maxsize=1024)
def swept(pool: Pool, lengths: tuple[int, ...]) -> tuple[Sweep, ...]:
    """The sweeps of the window over dimensions of these sizes."""
    return tuple(sweeps_of(pooling_windows(OpView({}, {}, pool._asdict())), lengths))


def max_pool_v2(xp: Namespace, x: Array, ksize: Array, strides: Array, *, padding: str, data_format: str) -> Array:
    """The largest element at each position, ignoring nan. -inf counts as the lowest finite number."""
    return maxima(xp, x, swept(_pool(ksize, strides, padding, data_format), x.shape))


def maxima(xp: Namespace, x: Array, sweeps: tuple[Sweep, ...]) -> Array:
    """The same for these sweeps."""
    lowest = _lowest(x.dtype)
    result = xp.empty(tuple(sweep.positions for sweep in sweeps), x.dtype)

    def work(part: slice) -> None:
        pooled = _reduced(np.fmax, x[part], sweeps, lowest, result[part])
        if not pooled.min(initial=lowest) >= lowest:
            np.fmax(pooled, lowest, out=pooled)

    for_each(parts_of(sweeps), work)
    return result


def _lowest(dtype: DType) -> Any:
    return (np.iinfo if dtype.kind in "iu" else finfo)(dtype).min


def at_least_lowest(x: Array) -> Array:
    """`x` with the lowest finite number for nan and -inf."""
    lowest = _lowest(x.dtype)
    # To look for them first is faster: `fmax` with one number for all takes three times as long.
    return x if x.min(initial=lowest) >= lowest else np.fmax(x, lowest)


def _reduced(ufunc: np.ufunc, x: Array, sweeps: tuple[Sweep, ...], outside: Any, out: Array) -> Array:
    """The reduction of the elements inside the array at each position, in `out`; `outside` where there are none."""
    moving = [*_moving(sweeps)]
    if not moving:
        out[...] = x
    for axis, sweep in moving:
        is_last = axis == moving[-1][0]
        shape = _resized(x.shape, axis, sweep.positions)
        reduced = out if is_last else scratch(f"reduced along {axis}", shape, x.dtype)
        _reduce(ufunc, x, axis, sweep, outside, reduced)
        x = reduced
    return out


def _reduce(ufunc: np.ufunc, x: Array, axis: int, sweep: Sweep, outside: Any, out: Array) -> None:
    """The same along one dimension. It begins with two elements of the window, so that none is copied before."""
    inside = _widest_first(axis, sweep)
    if len(inside) > 1 and inside[0][0][axis] == slice(0, sweep.positions):
        (_, elements), (positions, others), *inside = inside
        first = x[elements]
        ufunc(first[positions], x[others], out=out[positions])
        for rest in _around(positions[axis], sweep.positions):
            here = (*positions[:axis], rest)
            out[here] = first[here]
    else:
        out.fill(outside)
    for positions, elements in inside:
        part = out[positions]
        ufunc(part, x[elements], out=part)


def max_pool_grad_v2(
    xp: Namespace, x: Array, y: Array, grad: Array, ksize: Array, strides: Array, *, padding: str, data_format: str
) -> Array:
    """The gradient at each position accumulates at the first of the largest elements there.

    A nan is smaller than all others, unless it comes first.
    """
    sweeps = swept(_pool(ksize, strides, padding, data_format), x.shape)

    def function(grad: Array) -> Array:
        result = xp.zeros(x.shape, grad.dtype)
        for_each(parts_of(sweeps), lambda part: _spread(x[part], grad[part], sweeps, result[part]))
        return result

    return widened(xp, function, grad)


def _spread(x: Array, grad: Array, sweeps: tuple[Sweep, ...], result: Array) -> None:
    """Add the gradient at each position to the first of the largest elements there."""
    lowest = _least(x.dtype)
    largest = _reduced(np.maximum, x, sweeps, lowest, scratch("largest", grad.shape, x.dtype))
    if x.dtype.kind not in "iu" and np.isnan(largest).any():
        chosen = _first_largest_or_nan(x, sweeps, grad.shape)
        for number, (positions, elements) in enumerate(together(sweeps)):
            result[elements] += np.where(chosen[positions] == number, grad[positions], 0)
        return
    is_open = np.ones(grad.shape, bool)
    bits = grad.view(f"i{grad.itemsize}")
    for positions, elements in together(sweeps):
        is_first = x[elements] == largest[positions]
        is_first &= is_open[positions]
        is_open[positions] ^= is_first
        # Faster than `where`: of an integer, -1 keeps all bits, and 0 none.
        result[elements] += (bits[positions] & -is_first.view(np.int8)).view(grad.dtype)


def _least(dtype: DType) -> Any:
    return np.iinfo(dtype).min if dtype.kind in "iu" else -np.inf


def _first_largest(x: Array, sweeps: tuple[Sweep, ...], shape: tuple[int, ...]) -> Array:
    """The number of the first of the largest elements at each position: how many come before it."""
    largest = _reduced(np.maximum, x, sweeps, _least(x.dtype), scratch("largest", shape, x.dtype))
    if x.dtype.kind not in "iu" and np.isnan(largest).any():
        return _first_largest_or_nan(x, sweeps, shape)
    elements_of = together(sweeps)
    chosen, is_open = np.zeros(shape, np.min_scalar_type(-len(elements_of))), np.ones(shape, bool)
    for positions, elements in elements_of:
        is_open[positions] &= x[elements] != largest[positions]
        chosen += is_open
    return chosen


def _first_largest_or_nan(x: Array, sweeps: tuple[Sweep, ...], shape: tuple[int, ...]) -> Array:
    """The same for arrays with nan, which is smaller than all others, unless it comes first."""
    largest, chosen = np.zeros(shape, x.dtype), np.full(shape, -1, np.int32)
    for number, (positions, elements) in enumerate(together(sweeps)):
        is_better = (chosen[positions] < 0) | (largest[positions] < x[elements])
        largest[positions] = np.where(is_better, x[elements], largest[positions])
        chosen[positions] = np.where(is_better, number, chosen[positions])
    return chosen


def max_pool_grad_grad_v2(
    xp: Namespace, x: Array, y: Array, grad: Array, ksize: Array, strides: Array, *, padding: str, data_format: str
) -> Array:
    """The element of `grad` at the first element equal to the maximum; 0 where none is."""
    return first_equal(xp, x, y, grad, swept(_pool(ksize, strides, padding, data_format), x.shape))


def first_equal(xp: Namespace, x: Array, y: Array, grad: Array, sweeps: tuple[Sweep, ...]) -> Array:
    """The same for these sweeps."""
    result = xp.zeros(y.shape, grad.dtype)
    for positions, elements in reversed(together(sweeps)):
        result[positions] = xp.where(x[elements] == y[positions], grad[elements], result[positions])
    return result


def max_pool_with_argmax(
    xp: Namespace,
    x: Array,
    *,
    ksize: tuple[int, ...],
    strides: tuple[int, ...],
    padding: str,
    include_batch_in_index: bool,
    targmax: DType,
) -> tuple[Array, Array]:
    """The first of the largest elements at each position, and its index in the image or in the batch."""
    sweeps = swept(Pool(ksize, strides, padding, "NHWC"), x.shape)
    shape = tuple(sweep.positions for sweep in sweeps)
    if not x.size:
        return xp.zeros(shape, x.dtype), xp.zeros(shape, targmax)
    chosen = np.empty(shape, np.intp)

    def work(part: slice) -> None:
        chosen[part] = _first_largest(x[part], sweeps, chosen[part].shape)

    for_each(parts_of(sweeps), work)
    steps = [math.prod(x.shape[axis + 1 :]) for axis in range(x.ndim)]
    indices = _indices(chosen, sweeps, steps)
    argmax = indices if include_batch_in_index else _indices(chosen, sweeps, [0, *steps[1:]])
    return xp.take(xp.reshape(x, (-1,)), indices), argmax.astype(targmax)


def _indices(chosen: Array, sweeps: tuple[Sweep, ...], steps: Sequence[int]) -> Array:
    """The indices of the chosen elements, if a step along each dimension counts so much."""
    of_elements, of_positions = np.zeros((), np.intp), np.zeros((), np.intp)
    for sweep, step in zip(sweeps, steps, strict=True):
        of_elements = np.add.outer(of_elements, np.arange(sweep.size) * (sweep.dilation * step))
        starts = np.arange(sweep.positions) * sweep.stride - sweep.edges[0]
        of_positions = np.add.outer(of_positions, starts * step)
    indices: Array = of_elements.reshape(-1)[chosen]
    indices += of_positions
    return indices


def max_pool_grad_with_argmax(
    xp: Namespace, x: Array, grad: Array, argmax: Array, *, include_batch_in_index: bool
) -> Array:
    """The gradient at each position accumulates at its index."""
    indices = _in_batch(xp, x, argmax, include_batch_in_index)

    def function(grad: Array) -> Array:
        result = xp.zeros((x.size,), grad.dtype)
        np.add.at(result, indices.reshape(-1), grad.reshape(-1))  # fast in one dimension
        return xp.reshape(result, x.shape)

    return widened(xp, function, grad)


def max_pool_grad_grad_with_argmax(
    xp: Namespace, x: Array, grad: Array, argmax: Array, *, include_batch_in_index: bool
) -> Array:
    """The element of `grad` at each index."""
    indices = _in_batch(xp, x, argmax, include_batch_in_index)
    return xp.take(xp.reshape(grad, (-1,)), indices)


def _in_batch(xp: Namespace, x: Array, argmax: Array, is_in_batch: bool) -> Array:
    """Indices into all elements of `x`."""
    size = x.size if is_in_batch else math.prod(x.shape[1:])
    whole = f"`input` {list(x.shape)}" if is_in_batch else f"an image {list(x.shape[1:])}"
    check_indices("argmax", argmax, size, f"the number of elements of {whole}")
    return argmax if is_in_batch else xp.add(argmax, xp.reshape(xp.arange(len(x)), (-1, 1, 1, 1)) * size)


def avg_pool(
    xp: Namespace,
    x: Array,
    *,
    ksize: tuple[int, ...],
    strides: tuple[int, ...],
    padding: str,
    data_format: str,
) -> Array:
    """The mean over the elements inside the array, at each position."""
    sweeps = swept(Pool(ksize, strides, padding, data_format), x.shape)

    def function(x: Array) -> Array:
        result = xp.empty(tuple(sweep.positions for sweep in sweeps), x.dtype)
        divisors = _divisors(sweeps, x.dtype)

        def work(part: slice) -> None:
            _divided(_sums(x[part], sweeps, result[part]), divisors, result[part])

        for_each(parts_of(sweeps), work)
        return result

    return widened(xp, function, x)


def _sums(x: Array, sweeps: tuple[Sweep, ...], out: Array) -> Array:
    """The sums at each position, in `out` or not. A sum begins with 0: -0 alone gives 0."""
    moving = [sweep for _, sweep in _moving(sweeps)]
    is_apart = all(sweep.span <= sweep.stride for sweep in moving) and sweeps[-1] not in moving
    if is_apart and moving and math.prod(x.shape[:-1]) <= PART:
        images = sweeps[0]._replace(length=len(x), positions=len(out))
        sums: Array = _windows((images, *sweeps[1:-1]), x.dtype) @ x.reshape(math.prod(x.shape[:-1]), x.shape[-1])
        return sums.reshape(out.shape)
    sums = _reduced(np.add, x, sweeps, 0, out)
    if moving:
        sums += 0
    return sums


@lru_cache(maxsize=16)
def _windows(sweeps: tuple[Sweep, ...], dtype: DType) -> sparse.csr_array:
    """A matrix whose product with the elements, a row of channels for each, is their sum at each position.

    Where windows do not overlap, it takes each element once, and in long loops.
    """
    shapes = [sweep.positions for sweep in sweeps], [sweep.length for sweep in sweeps]
    numbers = [np.arange(math.prod(shape)).reshape(shape) for shape in shapes]
    pairs = [[each[part].ravel() for each, part in zip(numbers, parts, strict=True)] for parts in together(sweeps)]
    rows, columns = map(np.concatenate, zip(*pairs, strict=True))
    shape = (numbers[0].size, numbers[1].size)
    matrix: sparse.csr_array = sparse.csr_array((np.ones(rows.size, dtype), (rows, columns)), shape=shape)
    return matrix


def avg_pool_grad(
    xp: Namespace,
    orig_input_shape: Array,
    grad: Array,
    *,
    ksize: tuple[int, ...],
    strides: tuple[int, ...],
    padding: str,
    data_format: str,
) -> Array:
    """The gradient at each position, divided equally among the elements there."""
    sweeps = swept(Pool(ksize, strides, padding, data_format), ints(orig_input_shape))

    def function(grad: Array) -> Array:
        divisors = _divisors(sweeps, grad.dtype)
        result = xp.zeros([sweep.length for sweep in sweeps], grad.dtype)

        def work(part: slice) -> None:
            each = grad[part]
            _distribute(_divided(each, divisors, np.empty_like(each)), sweeps, result[part])

        for_each(parts_of(sweeps), work)
        return result

    return widened(xp, function, grad)


def _distribute(grad: Array, sweeps: tuple[Sweep, ...], result: Array) -> None:
    """Add `grad`, which is overwritten, to each element at its position, where `result` is 0.

    The last dimension comes first: its loops are short.
    """
    moving = [*_moving(sweeps)]
    if not moving:
        result[...] = grad
        return
    grad += 0  # -0 becomes 0, whether it is added to 0 or copied
    for axis, sweep in reversed(moving):
        is_last = axis == moving[0][0]
        total = result if is_last else np.zeros(_resized(grad.shape, axis, sweep.length), grad.dtype)
        for positions, elements in _along(axis, sweep):
            if sweep.span <= sweep.stride:
                total[elements] = grad[positions]
            else:
                total[elements] += grad[positions]
        grad = total


def parts_of(sweeps: tuple[Sweep, ...]) -> list[slice]:
    """Some images at a time; all if the window moves over them."""
    if (sweeps[0].size, sweeps[0].stride) != (1, 1):
        return [slice(None)]
    return parts(tuple(sweep.length for sweep in sweeps), PART)


def _divided(x: Array, divisors: Iterable[tuple[slice, Array]], out: Array) -> Array:
    """`x`, divided by the numbers of elements inside the array, in `out`."""
    for positions, counts in divisors:
        np.divide(x[:, positions], counts, out=out[:, positions])
    return out


def _divisors(sweeps: tuple[Sweep, ...], dtype: DType) -> list[tuple[slice, Array]]:
    """The numbers of elements inside the array, for positions along the second dimension that have the same ones.

    So there are few, which stay in a cache. They are repeated for each channel, so that NumPy's inner loops are long.
    """
    first, second, *others = (_counts(sweep).astype(dtype) for sweep in sweeps)
    rest = reduce(np.multiply.outer, [first, np.ones(1, dtype), *others])
    if rest.size > rest.shape[-1] == 1:
        rest = np.repeat(rest, sweeps[-1].positions, axis=-1)
    if second.size == 1:
        return [(slice(None), rest * second)]
    ends = sorted({0, *(np.flatnonzero(np.diff(second)) + 1).tolist(), second.size})
    return [(slice(*each), rest * second[each[0]]) for each in pairwise(ends)]


@lru_cache(maxsize=1024)
def _counts(sweep: Sweep) -> Array:
    """The number of elements inside the array at each position, or one number if it is the same at all."""
    counts = np.zeros(sweep.positions)
    for (positions,), _ in _along(0, sweep):
        counts[positions] += 1
    return counts if (counts != counts[:1]).any() else counts[:1]


def _resized(shape: tuple[int, ...], axis: int, length: int) -> tuple[int, ...]:
    return (*shape[:axis], length, *shape[axis + 1 :])


def _moving(sweeps: tuple[Sweep, ...]) -> Iterator[tuple[int, Sweep]]:
    """The dimensions along which the window is larger than one element, or moves by more than one."""
    return ((axis, sweep) for axis, sweep in enumerate(sweeps) if (sweep.size, sweep.stride) != (1, 1))


@lru_cache(maxsize=1024)
def _along(axis: int, sweep: Sweep) -> tuple[tuple[_Slices, _Slices], ...]:
    """For each element of the window along a dimension, the positions at which it is inside, and its indices there."""
    before = (slice(None),) * axis
    inside = map(sweep.inside, range(sweep.size))
    return tuple(((*before, positions), (*before, elements)) for positions, elements in inside)


@lru_cache(maxsize=1024)
def _widest_first(axis: int, sweep: Sweep) -> list[tuple[_Slices, _Slices]]:
    """The same, beginning with an element that is inside at most positions: as a rule, at all."""
    inside = [each for each in _along(axis, sweep) if each[0][axis].stop]
    return sorted(inside, key=lambda each: each[0][axis].start - each[0][axis].stop)


def _around(positions: slice, count: int) -> list[slice]:
    """Those of `count` positions that are before and after these."""
    return [part for part in (slice(positions.start), slice(positions.stop, count)) if range(count)[part]]


@lru_cache(maxsize=1024)
def together(sweeps: tuple[Sweep, ...]) -> tuple[tuple[_Slices, _Slices], ...]:
    """The same for each element of the window, row by row."""
    inside = product(*([sweep.inside(element) for element in range(sweep.size)] for sweep in sweeps))
    return tuple(
        (tuple(positions), tuple(elements)) for positions, elements in (zip(*each, strict=True) for each in inside)
    )
