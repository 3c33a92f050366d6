"""Shape functions of `ops/fourier.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

from typegrad.base.brief import counted
from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape
from typegrad.base.size import floored, plus
from typegrad.shapes.values import axis_in, dims_of
from typegrad.shapes.view import OpView


def fft(op: OpView) -> Shape:
    """The shape of the input, which has at least one dimension."""
    return op.at_least("input", 1)


def fft2d(op: OpView) -> Shape:
    """The shape of the input, which has at least two dimensions."""
    return op.at_least("input", 2)


def fft3d(op: OpView) -> Shape:
    """The shape of the input, which has at least three dimensions."""
    return op.at_least("input", 3)


def rfft(op: OpView) -> Shape:
    """The input's shape, with `fft_length // 2 + 1` as its last size."""
    return _real(op, _last(op, 1))


def rfft2d(op: OpView) -> Shape:
    """The input's shape, with the sizes `fft_length` at its end, the last one halved."""
    return _real(op, _last(op, 2))


def rfft3d(op: OpView) -> Shape:
    """The input's shape, with the sizes `fft_length` at its end, the last one halved."""
    return _real(op, _last(op, 3))


def irfft(op: OpView) -> Shape:
    """The input's shape, with the size `fft_length` at its end."""
    return _real(op, _last(op, 1), is_inverse=True)


def irfft2d(op: OpView) -> Shape:
    """The input's shape, with the sizes `fft_length` at its end."""
    return _real(op, _last(op, 2), is_inverse=True)


def irfft3d(op: OpView) -> Shape:
    """The input's shape, with the sizes `fft_length` at its end."""
    return _real(op, _last(op, 3), is_inverse=True)


def fftnd(op: OpView) -> Shape:
    """The input's shape, with the sizes `fft_length` along the axes."""
    lengths = _lengths(op)
    return _resized(op, _axes(op), lengths, lengths)


def rfftnd(op: OpView) -> Shape:
    """The input's shape, with the sizes `fft_length` along the axes, the last one halved."""
    return _real(op, _axes(op))


def irfftnd(op: OpView) -> Shape:
    """The input's shape, with the sizes `fft_length` along the axes."""
    return _real(op, _axes(op), is_inverse=True)


def _last(op: OpView, count: int) -> Sequence[int]:
    """The last dimensions of the input, as many as there are lengths."""
    op.at_least("input", count)
    lengths = dims_of(op, "fft_length")
    if lengths is not None and len(lengths) != count:
        raise ShapeError(f"`fft_length` must have {counted(count, 'element')}, but has {len(lengths)}")
    return range(-count, 0)


def _axes(op: OpView) -> Sequence[int] | None:
    """The axes, if they are known, from 0 up if the rank is."""
    axes, lengths = dims_of(op, "axes"), dims_of(op, "fft_length")
    if axes is not None and lengths is not None and len(axes) != len(lengths):
        raise ShapeError(
            f"`fft_length` has {counted(len(lengths), 'element')}, but `axes` has {len(axes)}; expected as many"
        )
    numbers = [axis for axis in axes or () if isinstance(axis, int)]
    dims = op.shape("input").dims
    if dims is not None:
        numbers = [axis_in(axis, len(dims), "axes") for axis in numbers]
    if len(set(numbers)) < len(numbers):
        raise ShapeError(f"`axes` must be different dimensions, but is {numbers}")
    return None if axes is None or len(numbers) < len(axes) else numbers


def _lengths(op: OpView) -> Sequence[Dim] | None:
    lengths = dims_of(op, "fft_length")
    if any(isinstance(length, int) and length < 1 for length in lengths or ()):
        raise ShapeError(f"`fft_length` must have numbers from 1 up, but is {Shape(tuple(lengths or ()))}")
    return lengths


def _real(op: OpView, axes: Sequence[int] | None, *, is_inverse: bool = False) -> Shape:
    """Real numbers to the lower half of their frequencies along the last of the axes, or back."""
    expected = "complex64" if op.attr("treal").name == "float32" else "complex128"
    if op.attr("tcomplex").name != expected:
        raise DTypeError(
            f"`treal` is {op.attr('treal').name}, so `tcomplex` must be {expected}, but is {op.attr('tcomplex').name}"
        )
    lengths = _lengths(op)
    if (axes is not None and not axes) or (lengths is not None and not lengths):
        raise ShapeError("`axes` is empty; expected at least the dimension whose frequencies are halved")
    halved = None if lengths is None else [*lengths[:-1], plus((floored(lengths[-1], 2), 1))]
    return _resized(op, axes, *((halved, lengths) if is_inverse else (lengths, halved)))


def _resized(
    op: OpView, axes: Sequence[int] | None, needed: Sequence[Dim] | None, sizes: Sequence[Dim] | None
) -> Shape:
    """The shape of the input with these sizes along the axes, where it needs at least some sizes."""
    dims = op.shape("input").dims
    if dims is None:
        return UNKNOWN
    result: list[Dim] = list(dims)
    if axes is None:
        return Shape((None,) * len(dims))
    for axis, least, size in zip(axes, needed or repeat(None), sizes or repeat(None), strict=False):
        dim = dims[axis]
        if isinstance(dim, int) and isinstance(least, int) and dim < least:
            raise ShapeError(
                f"`input` {Shape(dims)} must have at least {least} elements along dimension {axis % len(dims)}, "
                f"but has {dim}; shorten `fft_length`, or pad with core.Pad"
            )
        result[axis] = size
    return Shape(tuple(result))
