"""Kernels of `ops/pooling_3d.yaml`: the ones of `ops/pooling.yaml`, which do not depend on the number of dimensions.

The kernels write into arrays, so they run on NumPy only.
"""

from __future__ import annotations

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.pooling import Pool, first_equal, maxima, swept, together
from typegrad.kernels.precision import widened


def max_pool3d(
    xp: Namespace, x: Array, *, ksize: tuple[int, ...], strides: tuple[int, ...], padding: str, data_format: str
) -> Array:
    """The largest element at each position, as in `max_pool_v2`."""
    return maxima(xp, x, swept(Pool(ksize, strides, padding, data_format), x.shape))


def max_pool3d_grad(
    xp: Namespace,
    x: Array,
    y: Array,
    grad: Array,
    *,
    ksize: tuple[int, ...],
    strides: tuple[int, ...],
    padding: str,
    data_format: str,
) -> Array:
    """The gradient at each position accumulates at all elements there that are equal to the maximum."""
    sweeps = swept(Pool(ksize, strides, padding, data_format), x.shape)

    def function(grad: Array) -> Array:
        result = xp.zeros(x.shape, grad.dtype)
        for positions, elements in together(sweeps):
            result[elements] += xp.where(x[elements] == y[positions], grad[positions], 0)
        return result

    return widened(xp, function, grad)


def max_pool3d_grad_grad(
    xp: Namespace,
    x: Array,
    y: Array,
    grad: Array,
    *,
    ksize: tuple[int, ...],
    strides: tuple[int, ...],
    padding: str,
    data_format: str,
) -> Array:
    """The element of `grad` at the first element equal to the maximum; 0 where none is."""
    return first_equal(xp, x, y, grad, swept(Pool(ksize, strides, padding, data_format), x.shape))
