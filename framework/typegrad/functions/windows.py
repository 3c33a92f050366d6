"""Windows: weights by which the samples of a frame are multiplied before its spectrum is computed.

The facade names them in defaults, and so imports this module: it is written in operations, not in methods of the
facade.
"""

from __future__ import annotations

from math import pi
from operator import index
from typing import Any, Protocol, cast

import numpy as np
from typing_extensions import TypeVar

from typegrad.base.errors import AttributeValueError, DTypeError, ShapeError
from typegrad.base.types import TFloat32, TFloating, TReal, as_element_type
from typegrad.graph.conversion import constant
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core, dtypes, math, nn

__all__ = [
    "WindowFn",
    "floating_type",
    "hamming_window",
    "hann_window",
    "kaiser_bessel_derived_window",
    "kaiser_window",
    "vorbis_window",
]

F = TypeVar("F", bound=TFloating, default=TFloat32)
B = TypeVar("B", bound=TReal)
W = TypeVar("W", bound=TFloating)


class WindowFn(Protocol):
    """What makes a window, as `hann_window` does."""

    def __call__(self, scope: Scope, window_length: int, /, *, dtype: type[W]) -> Operand[W]:
        """A vector of `window_length` weights, of type `dtype`."""
        ...


def hann_window(
    scope: Scope, window_length: int, periodic: bool = True, dtype: type[F | TFloat32] = TFloat32
) -> Operand[F, tuple[Any]]:
    """The Hann window, a raised cosine that begins at 0: `0.5 - 0.5 cos(2 pi k / n)` for sample k.

    n is the length of a periodic window, and one less for a symmetric window. As in TensorFlow, a periodic window of an
    odd length is the symmetric one.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "hann_window".
        window_length: The number of samples. A single one has weight 1.
        periodic: Whether the window is one period of the cosine, which a Fourier transform asks for, rather than
            symmetric, for the design of filters.
        dtype: The element type.

    Returns:
        The weights, of shape [window_length].

    Raises:
        AttributeValueError: `window_length` is negative.
        DTypeError: `dtype` is not a floating-point type.

    Source: TensorFlow's `tf.signal.hann_window`.
    """
    return _raised_cosine(scope, "hann_window", window_length, periodic, dtype, 0.5, 0.5)


def hamming_window(
    scope: Scope, window_length: int, periodic: bool = True, dtype: type[F | TFloat32] = TFloat32
) -> Operand[F, tuple[Any]]:
    """The Hamming window, a raised cosine that begins at 0.08: `0.54 - 0.46 cos(2 pi k / n)` for sample k.

    n is the length of a periodic window, and one less for a symmetric window. As in TensorFlow, a periodic window of an
    odd length is the symmetric one.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "hamming_window".
        window_length: The number of samples. A single one has weight 1.
        periodic: Whether the window is one period of the cosine, which a Fourier transform asks for, rather than
            symmetric, for the design of filters.
        dtype: The element type.

    Returns:
        The weights, of shape [window_length].

    Raises:
        AttributeValueError: `window_length` is negative.
        DTypeError: `dtype` is not a floating-point type.

    Source: TensorFlow's `tf.signal.hamming_window`.
    """
    return _raised_cosine(scope, "hamming_window", window_length, periodic, dtype, 0.54, 0.46)


def _raised_cosine(
    scope: Scope,
    name: str,
    window_length: int,
    periodic: bool,
    dtype: type[F | TFloat32],
    offset: float,
    height: float,
) -> Operand[F, tuple[Any]]:
    length, element = _length(name, window_length), floating_type(name, dtype)
    with scope.with_sub_scope(name) as inner:
        if length == 1:
            return _one(inner, element)
        period = length - (0 if periodic and length % 2 == 0 else 1)
        angle = _places(inner, length, element) * (2 * pi) / float(period)
        return offset - height * math.Cos.create(inner, angle)


def kaiser_window(
    scope: Scope,
    window_length: int,
    beta: float | Operand[B] = 12.0,
    dtype: type[F | TFloat32] = TFloat32,
) -> Operand[F, tuple[Any]]:
    """The Kaiser window, `I0(beta sqrt(1 - x²)) / I0(beta)` for x from -1 to 1, with the Bessel function I0.

    It is differentiable in `beta`.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "kaiser_window".
        window_length: The number of samples. A single one has weight 1.
        beta: How narrow the window is; 0 gives weights of 1. A number, or a scalar operand.
        dtype: The element type; an operand `beta` is cast to it.

    Returns:
        The weights, of shape [window_length].

    Raises:
        AttributeValueError: `window_length` is negative.
        DTypeError: `dtype` is not a floating-point type.
        ShapeError: `beta` is not a scalar.

    Source: TensorFlow's `tf.signal.kaiser_window`.
    """
    length, element = _length("kaiser_window", window_length), floating_type("kaiser_window", dtype)
    with scope.with_sub_scope("kaiser_window") as inner:
        if length == 1:
            return _one(inner, element)
        half = (length - 1) / 2
        places = dtypes.Cast.create(inner, _places(inner, length, TFloat32) - half, element)
        shape = _beta(inner, "kaiser_window", beta, element)
        inside = nn.Relu.create(inner, 1.0 - math.Square.create(inner, places / half))
        narrowed = shape * math.Sqrt.create(inner, inside)
        ratio = math.BesselI0e.create(inner, narrowed) / math.BesselI0e.create(inner, shape)
        return math.Exp.create(inner, narrowed - shape) * ratio


def kaiser_bessel_derived_window(
    scope: Scope,
    window_length: int,
    beta: float | Operand[B] = 12.0,
    dtype: type[F | TFloat32] = TFloat32,
) -> Operand[F, tuple[Any]]:
    """The window derived from a Kaiser window by its cumulative sum, for which `mdct` has a perfect inverse.

    It is differentiable in `beta`.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "kaiser_bessel_derived_window".
        window_length: The number of samples, which is even; of an odd number, one less.
        beta: How narrow the Kaiser window is. A number, or a scalar operand.
        dtype: The element type; an operand `beta` is cast to it.

    Returns:
        The weights, of shape [2 (window_length // 2)].

    Raises:
        AttributeValueError: `window_length` is negative.
        DTypeError: `dtype` is not a floating-point type.
        ShapeError: `beta` is not a scalar.

    Source: TensorFlow's `tf.signal.kaiser_bessel_derived_window`.
    """
    name = "kaiser_bessel_derived_window"
    length, element = _length(name, window_length), floating_type(name, dtype)
    with scope.with_sub_scope(name) as inner:
        total = math.Cumsum.create(inner, kaiser_window(inner, length // 2 + 1, beta, element), 0)
        rising = math.Sqrt.create(inner, total[:-1] / total[-1])
        return core.Concat.create(inner, [rising, core.Reverse.create(inner, rising, [0])], 0)


def vorbis_window(scope: Scope, window_length: int, dtype: type[F | TFloat32] = TFloat32) -> Operand[F, tuple[Any]]:
    """The window of the Vorbis codec, `sin(pi / 2 sin²(pi (k + 0.5) / n))` for sample k of n.

    `mdct` has a perfect inverse for it.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "vorbis_window".
        window_length: The number of samples, n.
        dtype: The element type.

    Returns:
        The weights, of shape [window_length].

    Raises:
        AttributeValueError: `window_length` is negative.
        DTypeError: `dtype` is not a floating-point type.

    Source: TensorFlow's `tf.signal.vorbis_window`.
    """
    length, element = _length("vorbis_window", window_length), floating_type("vorbis_window", dtype)
    with scope.with_sub_scope("vorbis_window") as inner:
        angle = (_places(inner, length, element) + 0.5) * (pi / max(length, 1))
        return math.Sin.create(inner, math.Square.create(inner, math.Sin.create(inner, angle)) * (pi / 2))


def _length(name: str, window_length: int) -> int:
    length = index(window_length)
    if length < 0:
        raise AttributeValueError(f"{name}: window_length is {length}, but must be 0 or more")
    return length


def floating_type(function: str, dtype: type[F | TFloat32]) -> type[F]:
    """`dtype`, the type of what a function is to return; a `DTypeError` unless it is a floating-point type."""
    element = as_element_type(dtype)
    if not issubclass(element, TFloating):
        raise DTypeError(f"{function}: dtype is {element.name}, but must be a floating-point type, such as tg.TFloat32")
    return cast("type[F]", element)


def _one(scope: Scope, dtype: type[F]) -> Operand[F, tuple[Any]]:
    return constant(scope, [1.0], dtype)


def _places(scope: Scope, length: int, dtype: type[F]) -> Operand[F, tuple[Any]]:
    """0, 1, 2 and so on."""
    return dtypes.Cast.create(scope, core.Range.create(scope, 0, length, 1), dtype)


def _beta(scope: Scope, name: str, beta: float | Operand[B], dtype: type[F]) -> Operand[F]:
    """A scalar of `dtype`."""
    if not isinstance(beta, Operand):
        rounded = np.float32(beta)  # as TensorFlow does, whatever the window's type
        return constant(scope.with_name("beta"), float(rounded), dtype)
    if beta.rank not in (0, None):
        raise ShapeError(f"{name}: beta '{beta.name}' must be a scalar, but has shape {beta.shape}")
    return cast("Operand[F]", beta) if beta.dtype is dtype else dtypes.Cast.create(scope, beta, dtype)
