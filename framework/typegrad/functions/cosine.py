"""Cosine transforms: of types 1 to 4, and of overlapping frames (MDCT)."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sqrt
from typing import Any, Final, Literal, TypeAlias, cast, overload

from typing_extensions import TypeVar

from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.types import TComplex, TFloat32, TFloat64
from typegrad.functions.casting import complex_type
from typegrad.functions.checks import at_least, positive, real_type
from typegrad.functions.framing import frame, overlap_and_add
from typegrad.functions.sizes import resized, sizes_of
from typegrad.functions.spectra import window_of
from typegrad.functions.windows import WindowFn, vorbis_window
from typegrad.graph.conversion import constant
from typegrad.graph.operand import AnyOperand, AnyOutput, Operand, S
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops
from typegrad.rules.sizes import Size, vector

__all__ = ["dct", "idct", "inverse_mdct", "mdct"]

R = TypeVar("R", bound=TFloat32 | TFloat64)
_Type: TypeAlias = Literal[1, 2, 3, 4]
_Norm: TypeAlias = Literal["ortho"]

_INVERSE: Final[dict[int, _Type]] = {1: 1, 2: 3, 3: 2, 4: 4}


@overload
def dct(
    scope: Scope,
    input: Operand[R, S],
    type: Literal[1, 2, 3, 4] = 2,
    n: None = None,
    axis: Literal[-1] = -1,
    norm: Literal["ortho"] | None = None,
) -> Operand[R, S]: ...
@overload
def dct(
    scope: Scope,
    input: Operand[R],
    type: Literal[1, 2, 3, 4] = 2,
    n: int | None = None,
    axis: Literal[-1] = -1,
    norm: Literal["ortho"] | None = None,
) -> Operand[R]: ...
def dct(
    scope: Scope,
    input: AnyOperand,
    type: Literal[1, 2, 3, 4] = 2,
    n: int | None = None,
    axis: Literal[-1] = -1,
    norm: Literal["ortho"] | None = None,
) -> AnyOperand:
    """The discrete cosine transform over the last dimension.

    For N numbers x_j and k from 0 to N - 1:

    - type 1: `x_0 + (-1)^k x_(N-1) + 2 sum(x_j cos(pi j k / (N - 1)))`, the sum over the numbers between the two
    - type 2: `2 sum(x_j cos(pi (2 j + 1) k / 2 N))`
    - type 3: `x_0 + 2 sum(x_j cos(pi j (2 k + 1) / 2 N))`, the sum over all but the first
    - type 4: `2 sum(x_j cos(pi (2 j + 1) (2 k + 1) / 4 N))`

    Args:
        scope: Where in the graph the operations go: into its sub-scope "dct".
        input: The numbers, float32 or float64, of known rank, which is 1 or more.
        type: The type of the transform.
        n: How many numbers are transformed: zeros are appended to fewer, and more are cut. By default all.
        axis: The last dimension, -1, is the only one that TensorFlow has.
        norm: "ortho" scales types 2, 3 and 4 to be orthonormal, so that `idct` is the inverse; type 1 has no such form.

    Returns:
        The transform, of the type of `input`, and of its shape unless `n` is given.

    Raises:
        AttributeValueError: `type`, `n`, `axis` or `norm` is out of range; or type 1 is to be normalized.
        ShapeError: `input` is a scalar, of unknown rank or without elements; or type 1 is of fewer than 2 numbers, `n`
            applied.
        DTypeError: `input` is neither float32 nor float64.

    Source: TensorFlow's `tf.signal.dct`; Ahmed, Natarajan and Rao, "Discrete cosine transform" (1974).
    """
    return _transformed(scope, "dct", input, type, type, n, norm)


@overload
def idct(
    scope: Scope,
    input: Operand[R, S],
    type: Literal[1, 2, 3, 4] = 2,
    n: None = None,
    axis: Literal[-1] = -1,
    norm: Literal["ortho"] | None = None,
) -> Operand[R, S]: ...
@overload
def idct(
    scope: Scope,
    input: Operand[R],
    type: Literal[1, 2, 3, 4] = 2,
    n: int | None = None,
    axis: Literal[-1] = -1,
    norm: Literal["ortho"] | None = None,
) -> Operand[R]: ...
def idct(
    scope: Scope,
    input: AnyOperand,
    type: Literal[1, 2, 3, 4] = 2,
    n: int | None = None,
    axis: Literal[-1] = -1,
    norm: Literal["ortho"] | None = None,
) -> AnyOperand:
    """The inverse of `dct` of the same type; without `norm`, but for a factor.

    The inverse of type 2 is type 3, and of type 3 type 2; types 1 and 4 are their own. Without `norm`, the result for
    N numbers is 2 N times what was transformed; for type 1, 2 (N - 1) times.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "idct".
        input: The numbers, float32 or float64, of known rank, which is 1 or more.
        type: The type of the transform whose inverse this is.
        n: How many numbers are transformed: zeros are appended to fewer, and more are cut. By default all.
        axis: The last dimension, -1, is the only one that TensorFlow has.
        norm: "ortho" for the inverse of a transform with this `norm`.

    Returns:
        The transform, of the type of `input`, and of its shape unless `n` is given.

    Raises:
        AttributeValueError: `type`, `n`, `axis` or `norm` is out of range; or type 1 is to be normalized.
        ShapeError: `input` is a scalar, of unknown rank or without elements; or type 1 is of fewer than 2 numbers, `n`
            applied.
        DTypeError: `input` is neither float32 nor float64.

    Source: TensorFlow's `tf.signal.idct`.
    """
    return _transformed(scope, "idct", input, type, _INVERSE[type], n, norm)


def _transformed(
    scope: Scope, name: str, input: Operand[R], stated: int, type: _Type, n: int | None, norm: _Norm | None
) -> Operand[R]:
    """Check the arguments, and transform."""
    real_type(name, "input", input)
    if type == 1 and norm is not None:
        raise AttributeValueError(f"{name}: norm is {norm!r}, but type 1 has no normalization; leave it out")
    with Ops.create(scope).with_sub_scope(name) as tf:
        x = input.output_in(tf.scope)
        at_least(name, "input", x, 1, "[..., n]")
        whole = x if n is None else resized(tf.scope, x, positive(name, "n", n)).as_output()
        size, least = whole.shape[-1], 2 if type == 1 else 1
        if isinstance(size, int) and size < least:
            raise ShapeError(
                f"{name}: type {stated} needs {least} or more numbers, but "
                + (f"input '{x.name}' has shape {x.shape}" if n is None else f"n is {n}")
            )
        return cast("Operand[R]", _TRANSFORMS[type](tf, whole, norm))


def _first(tf: Ops, x: AnyOutput, norm: _Norm | None) -> AnyOperand:
    """The spectrum of the numbers followed by their mirror image, without the two at the ends."""
    count = sizes_of(tf.scope, x)[-1]
    return _of_shape(tf, _spectrum(tf, [x, x[..., -2:0:-1]], 2 * count - 2), x)


def _second(tf: Ops, x: AnyOutput, norm: _Norm | None) -> AnyOperand:
    """The spectrum of the numbers and as many zeros, shifted by half a number."""
    count = sizes_of(tf.scope, x)[-1]
    number = _number(tf, count, x.dtype)
    spectrum = _spectrum(tf, [x, tf.zeros_like(x)], 2 * count)[..., :-1]
    result = _of_shape(tf, spectrum * _turns(tf, count, number, -2.0), x)
    return result if norm is None else result * _weights(tf, count, 0.5 * tf.math.rsqrt(number), sqrt(2))


def _third(tf: Ops, x: AnyOutput, norm: _Norm | None) -> AnyOperand:
    """The transpose of type 2: its steps backwards."""
    count = sizes_of(tf.scope, x)[-1]
    number = _number(tf, count, x.dtype)
    scaled = x * (number if norm is None else _weights(tf, count, tf.math.sqrt(number), sqrt(0.5)))
    zero = tf.zeros_like(x)
    turned = _turns(tf, count, number, 2.0) * tf.dtypes.complex(scaled, zero, complex_type(x.dtype))
    spectrum = tf.pad(turned, [*([0, 0] for _ in x.shape.known()[:-1]), [0, 1]])
    period = tf.signal.irfft(spectrum, vector(tf.scope, [2 * count]), x.dtype)
    return _of_shape(tf, period[..., :count], x)


def _fourth(tf: Ops, x: AnyOutput, norm: _Norm | None) -> AnyOperand:
    """The odd elements of type 2 of the numbers and as many zeros."""
    result = _of_shape(tf, _second(tf, tf.concat([x, tf.zeros_like(x)], -1).as_output(), None)[..., 1::2], x)
    if norm is None:
        return result
    number = _number(tf, sizes_of(tf.scope, x)[-1], x.dtype)
    return result * (sqrt(0.5) * tf.math.rsqrt(number))


_TRANSFORMS: Final = {1: _first, 2: _second, 3: _third, 4: _fourth}


def _number(tf: Ops, size: Size, dtype: type[Any]) -> Operand[Any, tuple[()]]:
    return constant(tf.scope, float(size), dtype) if isinstance(size, int) else tf.dtypes.cast(size, dtype)


def _spectrum(tf: Ops, parts: Sequence[AnyOperand], length: Size) -> AnyOperand:
    return tf.signal.rfft(tf.concat(parts, -1), vector(tf.scope, [length]), complex_type(parts[0].dtype))


def _turns(tf: Ops, count: Size, number: AnyOperand, factor: float) -> AnyOperand:
    """`|factor| exp(i pi k / 2 count)` for each k, with i of the sign of the factor."""
    angle = tf.dtypes.cast(tf.range(0, count, 1), number.dtype) * (pi / 2) / number
    return tf.dtypes.complex(tf.math.cos(angle) * abs(factor), tf.math.sin(angle) * factor, complex_type(number.dtype))


def _weights(tf: Ops, count: Size, first: AnyOperand, ratio: float) -> AnyOperand:
    """`first`, and `ratio` times as much for all others."""
    return tf.select(tf.math.equal(tf.range(0, count, 1), 0), first, first * ratio)


def _of_shape(tf: Ops, result: AnyOperand, x: AnyOutput) -> AnyOperand:
    """The result, of the type and shape of `x`, which may not follow from the operations."""
    real = tf.math.real(result, x.dtype) if issubclass(result.dtype, TComplex) else result
    return real if real.shape == x.shape else tf.reshape(real, vector(tf.scope, sizes_of(tf.scope, x)))


def mdct(
    scope: Scope,
    signals: Operand[R],
    frame_length: int,
    window_fn: WindowFn | None = vorbis_window,
    pad_end: bool = False,
    norm: Literal["ortho"] | None = None,
) -> Operand[R]:
    """The modified discrete cosine transform: of frames that overlap by half, each weighted by a window.

    It has as many numbers as the signal has samples, and `inverse_mdct` is its inverse, but for the ends of the signal.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "mdct".
        signals: The samples, of shape [..., samples], float32 or float64. The rank is known.
        frame_length: The number of samples of a frame, a multiple of 4.
        window_fn: What makes the window: a function of a scope, a length and an element type, such as
            `kaiser_bessel_derived_window`; for an inverse, the squares of the weights of each sample sum to 1. None
            weights all samples by `sqrt(1/2)`.
        pad_end: Whether zeros fill the frames that go beyond the end, which are left out otherwise.
        norm: "ortho" scales the transform to be orthonormal.

    Returns:
        The transforms, of shape [..., frames, frame_length // 2].

    Raises:
        AttributeValueError: `frame_length` is not a multiple of 4, or `window_fn` is not a function.
        ShapeError: `signals` is a scalar or of unknown rank, or the window does not have `frame_length` weights.
        DTypeError: `signals` is neither float32 nor float64, or the window is of another type.

    Source: TensorFlow's `tf.signal.mdct`; Princen, Johnson and Bradley, "Subband/transform coding using filter bank
    designs based on time domain aliasing cancellation" (1987).
    """
    length = positive("mdct", "frame_length", frame_length)
    if length % 4:
        raise AttributeValueError(f"mdct: frame_length is {length}, but must be a multiple of 4")
    real_type("mdct", "signals", signals)
    with Ops.create(scope).with_sub_scope("mdct") as tf:
        x = signals.output_in(tf.scope)
        at_least("mdct", "signals", x, 1, "[..., samples]")
        frames = _windowed(tf, "mdct", frame(tf.scope, x, length, length // 2, pad_end), window_fn, length)
        a, b, c, d = tf.split(-1, frames, 4)
        return dct(tf.scope, tf.concat([-_mirrored(tf, c) - d, a - _mirrored(tf, b)], -1), 4, norm=norm)


def inverse_mdct(
    scope: Scope,
    mdcts: Operand[R],
    window_fn: WindowFn | None = vorbis_window,
    norm: Literal["ortho"] | None = None,
) -> Operand[R]:
    """The inverse of `mdct` of the same window and `norm`, but for half a frame at each end of the signal.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "inverse_mdct".
        mdcts: The transforms, of shape [..., frames, frame_length // 2]. The rank must be known, and the last size,
            which is even. float32 or float64.
        window_fn: What makes the window, as in `mdct`.
        norm: "ortho" for the inverse of a transform with this `norm`.

    Returns:
        The signal, of shape [..., (frames + 1) (frame_length // 2)].

    Raises:
        AttributeValueError: `window_fn` is not a function.
        ShapeError: `mdcts` has rank 0 or 1 or unknown rank; its last size is unknown, 0 or odd; or the window does not
            have `frame_length` weights.
        DTypeError: `mdcts` is neither float32 nor float64, or the window is of another type.

    Source: TensorFlow's `tf.signal.inverse_mdct`.
    """
    real_type("inverse_mdct", "mdcts", mdcts)
    with Ops.create(scope).with_sub_scope("inverse_mdct") as tf:
        x = mdcts.output_in(tf.scope)
        at_least("inverse_mdct", "mdcts", x, 2, "[..., frames, frame_length // 2]")
        half = x.shape.known()[-1]
        if not isinstance(half, int) or half % 2 or not half:
            raise ShapeError(
                f"inverse_mdct: the last size of mdcts '{x.name}' must be known and even, but its shape is {x.shape}"
            )
        inverse: Operand[R] = dct(tf.scope, x, 4, norm=norm)
        a, b = tf.split(-1, inverse if norm else inverse * (0.5 / half), 2)
        frames = tf.concat([b, -_mirrored(tf, b), -_mirrored(tf, a), -a], -1)
        return overlap_and_add(tf.scope, _windowed(tf, "inverse_mdct", frames, window_fn, 2 * half), half)


def _windowed(tf: Ops, name: str, frames: Operand[R], window_fn: WindowFn | None, length: int) -> Operand[R]:
    if window_fn is None:
        return frames * sqrt(0.5)
    return frames * window_of(tf.scope, name, "window_fn", window_fn, length, frames.dtype)


def _mirrored(tf: Ops, x: Operand[R]) -> Operand[R]:
    return tf.reverse(x, [-1])
