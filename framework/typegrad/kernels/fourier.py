"""Kernels of `ops/fourier.yaml`: SciPy's transforms, which keep the precision of their input. They run on NumPy only.

`scipy.fftpack` has the complex ones of `scipy.fft`, and begins sooner: it does not look for other array libraries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from scipy import fft as scipy_fft
from scipy import fftpack

from typegrad.kernels.checks import ints
from typegrad.kernels.namespace import Array, Namespace


class _Transform(NamedTuple):
    """The function for a single dimension, which begins sooner, and the one for several."""

    single: Callable[..., Array]
    several: Callable[..., Array]
    is_inverse_of_half: bool = False


_FFT: Final = _Transform(fftpack.fft, fftpack.fftn)
_IFFT: Final = _Transform(fftpack.ifft, fftpack.ifftn)
_RFFT: Final = _Transform(scipy_fft.rfft, scipy_fft.rfftn)
_IRFFT: Final = _Transform(scipy_fft.irfft, scipy_fft.irfftn, is_inverse_of_half=True)


def fft(xp: Namespace, x: Array) -> Array:
    """Transform along the last dimension."""
    return _FFT.single(x) if x.size else x


def ifft(xp: Namespace, x: Array) -> Array:
    """Transform back along the last dimension."""
    return _IFFT.single(x) if x.size else x


def fft2d(xp: Namespace, x: Array) -> Array:
    """Transform along the last two dimensions."""
    return _FFT.several(x, axes=(-2, -1)) if x.size else x


def ifft2d(xp: Namespace, x: Array) -> Array:
    """Transform back along the last two dimensions."""
    return _IFFT.several(x, axes=(-2, -1)) if x.size else x


def fft3d(xp: Namespace, x: Array) -> Array:
    """Transform along the last three dimensions."""
    return _FFT.several(x, axes=(-3, -2, -1)) if x.size else x


def ifft3d(xp: Namespace, x: Array) -> Array:
    """Transform back along the last three dimensions."""
    return _IFFT.several(x, axes=(-3, -2, -1)) if x.size else x


def rfft(xp: Namespace, x: Array, fft_length: Array) -> Array:
    """Transform along the last dimensions, as many as there are lengths."""
    return _along_last(_RFFT, x, ints(fft_length))


def irfft(xp: Namespace, x: Array, fft_length: Array) -> Array:
    """Transform back along the last dimensions, as many as there are lengths."""
    return _along_last(_IRFFT, x, ints(fft_length))


def fftnd(xp: Namespace, x: Array, fft_length: Array, axes: Array) -> Array:
    """Transform along the axes."""
    return _transformed(_FFT, x, ints(fft_length), ints(axes))


def ifftnd(xp: Namespace, x: Array, fft_length: Array, axes: Array) -> Array:
    """Transform back along the axes."""
    return _transformed(_IFFT, x, ints(fft_length), ints(axes))


def rfftnd(xp: Namespace, x: Array, fft_length: Array, axes: Array) -> Array:
    """Transform along the axes, halved along the last."""
    return _transformed(_RFFT, x, ints(fft_length), ints(axes))


def irfftnd(xp: Namespace, x: Array, fft_length: Array, axes: Array) -> Array:
    """The inverse of `rfftnd`."""
    return _transformed(_IRFFT, x, ints(fft_length), ints(axes))


def _along_last(transform: _Transform, x: Array, lengths: tuple[int, ...]) -> Array:
    return _transformed(transform, x, lengths, (-1,) if len(lengths) == 1 else tuple(range(-len(lengths), 0)))


def _transformed(transform: _Transform, x: Array, lengths: tuple[int, ...], axes: tuple[int, ...]) -> Array:
    if len(axes) != 1:
        return transform.several(x, lengths, axes)
    (length,), (axis,) = lengths, axes
    size = x.shape[axis]
    if length == (2 * (size - 1) if transform.is_inverse_of_half else size):
        return transform.single(x, axis=axis)  # which looks for no elements to add or to leave out
    return transform.single(x, length, axis)
