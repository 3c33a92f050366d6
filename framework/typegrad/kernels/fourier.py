"""Kernels of `ops/fourier.yaml`: `scipy.fft`, which keeps the precision of its input. They are NumPy's only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scipy import fft as scipy_fft

from typegrad.kernels.checks import ints
from typegrad.kernels.namespace import Array, Namespace


def fft(xp: Namespace, x: Array) -> Array:
    """Transform along the last dimension."""
    return _complex(scipy_fft.fftn, x, 1)


def ifft(xp: Namespace, x: Array) -> Array:
    """Transform back along the last dimension."""
    return _complex(scipy_fft.ifftn, x, 1)


def fft2d(xp: Namespace, x: Array) -> Array:
    """Transform along the last two dimensions."""
    return _complex(scipy_fft.fftn, x, 2)


def ifft2d(xp: Namespace, x: Array) -> Array:
    """Transform back along the last two dimensions."""
    return _complex(scipy_fft.ifftn, x, 2)


def fft3d(xp: Namespace, x: Array) -> Array:
    """Transform along the last three dimensions."""
    return _complex(scipy_fft.fftn, x, 3)


def ifft3d(xp: Namespace, x: Array) -> Array:
    """Transform back along the last three dimensions."""
    return _complex(scipy_fft.ifftn, x, 3)


def rfft(xp: Namespace, x: Array, fft_length: Array) -> Array:
    """Transform along the last dimensions, as many as there are lengths."""
    return rfftnd(xp, x, fft_length, xp.arange(-len(fft_length), 0))


def irfft(xp: Namespace, x: Array, fft_length: Array) -> Array:
    """Transform back along the last dimensions, as many as there are lengths."""
    return irfftnd(xp, x, fft_length, xp.arange(-len(fft_length), 0))


def fftnd(xp: Namespace, x: Array, fft_length: Array, axes: Array) -> Array:
    """Transform along the axes."""
    return _transformed(scipy_fft.fftn, x, ints(fft_length), ints(axes))


def ifftnd(xp: Namespace, x: Array, fft_length: Array, axes: Array) -> Array:
    """Transform back along the axes."""
    return _transformed(scipy_fft.ifftn, x, ints(fft_length), ints(axes))


def rfftnd(xp: Namespace, x: Array, fft_length: Array, axes: Array) -> Array:
    """Transform along the axes, halved along the last."""
    return _transformed(scipy_fft.rfftn, x, ints(fft_length), ints(axes))


def irfftnd(xp: Namespace, x: Array, fft_length: Array, axes: Array) -> Array:
    """The inverse of `rfftnd`."""
    return _transformed(scipy_fft.irfftn, x, ints(fft_length), ints(axes))


def _complex(function: Callable[..., Any], x: Array, count: int) -> Array:
    return _transformed(function, x, x.shape[-count:], tuple(range(-count, 0))) if x.size else x


def _transformed(function: Callable[..., Any], x: Array, lengths: tuple[int, ...], axes: tuple[int, ...]) -> Array:
    result: Array = function(x, s=lengths, axes=axes)
    return result
