"""Spectra of overlapping frames: the short-time Fourier transform and its inverse."""

from __future__ import annotations

from typing import Any, overload

from typing_extensions import TypeVar

from typegrad.base.brief import described
from typegrad.base.errors import AttributeValueError, DTypeError, ShapeError
from typegrad.base.shape import Shape, merge
from typegrad.base.types import TComplex64, TComplex128, TFloat32, TFloat64, TFloating
from typegrad.functions.casting import complex_type
from typegrad.functions.checks import at_least, positive, real_type
from typegrad.functions.facade import GroupOps
from typegrad.functions.framing import frame, overlap_and_add
from typegrad.functions.sizes import resized
from typegrad.functions.windows import WindowFn, hann_window
from typegrad.graph.operand import AnyOperand, Operand
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops

__all__ = ["inverse_stft", "inverse_stft_window_fn", "stft", "window_of"]

W = TypeVar("W", bound=TFloating)


@overload
def stft(
    scope: Scope,
    signals: Operand[TFloat32],
    frame_length: int,
    frame_step: int,
    fft_length: int | None = None,
    window_fn: WindowFn | None = hann_window,
    pad_end: bool = False,
) -> Operand[TComplex64]: ...
@overload
def stft(
    scope: Scope,
    signals: Operand[TFloat64],
    frame_length: int,
    frame_step: int,
    fft_length: int | None = None,
    window_fn: WindowFn | None = hann_window,
    pad_end: bool = False,
) -> Operand[TComplex128]: ...
def stft(
    scope: Scope,
    signals: AnyOperand,
    frame_length: int,
    frame_step: int,
    fft_length: int | None = None,
    window_fn: WindowFn | None = hann_window,
    pad_end: bool = False,
) -> AnyOperand:
    """The short-time Fourier transform: the spectrum of each frame of a signal, weighted by a window.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "stft".
        signals: The samples, of shape [..., samples], float32 or float64. The rank is known.
        frame_length: The number of samples of a frame.
        frame_step: The number of samples from the beginning of one frame to the next.
        fft_length: The number of samples to transform: zeros are appended to a shorter frame, and a longer one is cut.
            By default the least power of 2 that is not less than `frame_length`.
        window_fn: What makes the window: a function of a scope, a length and an element type, such as `hamming_window`,
            or None for no window.
        pad_end: Whether zeros fill the frames that go beyond the end, which are left out otherwise.

    Returns:
        The spectra, of shape [..., frames, fft_length // 2 + 1], complex64 or complex128.

    Raises:
        AttributeValueError: A length or the step is less than 1, or `window_fn` is not a function.
        ShapeError: `signals` is a scalar or of unknown rank, or the window does not have `frame_length` weights.
        DTypeError: `signals` is neither float32 nor float64, or the window is of another type.

    Source: TensorFlow's `tf.signal.stft`.
    """
    length, size = _lengths("stft", frame_length, fft_length)
    dtype = real_type("stft", "signals", signals)
    with Ops.create(scope).with_sub_scope("stft") as tf:
        x = signals.output_in(tf.scope)
        at_least("stft", "signals", x, 1, "[..., samples]")
        frames = frame(tf.scope, x, length, positive("stft", "frame_step", frame_step), pad_end)
        if window_fn is not None:
            frames = frames * window_of(tf.scope, "stft", "window_fn", window_fn, length, dtype)
        padded = resized(tf.scope, frames.as_output(), size) if size > length else frames
        return tf.signal.rfft(padded, [size], complex_type(dtype))


@overload
def inverse_stft(
    scope: Scope,
    stfts: Operand[TComplex64],
    frame_length: int,
    frame_step: int,
    fft_length: int | None = None,
    window_fn: WindowFn | None = hann_window,
) -> Operand[TFloat32]: ...
@overload
def inverse_stft(
    scope: Scope,
    stfts: Operand[TComplex128],
    frame_length: int,
    frame_step: int,
    fft_length: int | None = None,
    window_fn: WindowFn | None = hann_window,
) -> Operand[TFloat64]: ...
def inverse_stft(
    scope: Scope,
    stfts: AnyOperand,
    frame_length: int,
    frame_step: int,
    fft_length: int | None = None,
    window_fn: WindowFn | None = hann_window,
) -> AnyOperand:
    """A signal from the spectra of its frames: the sum of overlapping frames, each weighted by a window.

    `inverse_stft_window_fn` makes the window for which this is the inverse of `stft`. The default window is `stft`'s
    own, as in TensorFlow: with it, the result is not the signal.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "inverse_stft".
        stfts: The spectra, of shape [..., frames, fft_length // 2 + 1], complex64 or complex128. The rank is known.
        frame_length: The number of samples of a frame.
        frame_step: The number of samples from the beginning of one frame to the next.
        fft_length: The number of samples that were transformed. By default the least power of 2 that is not less than
            `frame_length`.
        window_fn: What makes the window: a function of a scope, a length and an element type, or None for no window.

    Returns:
        The signal, of shape [..., (frames - 1) frame_step + frame_length], float32 or float64.

    Raises:
        AttributeValueError: A length or the step is less than 1, or `window_fn` is not a function.
        ShapeError: `stfts` has rank 0 or 1 or unknown rank, or the window does not have `frame_length` weights.
        DTypeError: `stfts` is neither complex64 nor complex128, or the window is of another type.

    Source: TensorFlow's `tf.signal.inverse_stft`.
    """
    length, size = _lengths("inverse_stft", frame_length, fft_length)
    step = positive("inverse_stft", "frame_step", frame_step)
    if stfts.dtype not in (TComplex64, TComplex128):
        raise DTypeError(
            f"inverse_stft: stfts '{stfts.name}' is {stfts.dtype.name}, but must be complex64 or complex128; `stft` "
            "makes such spectra"
        )
    dtype = TFloat32 if stfts.dtype is TComplex64 else TFloat64
    with Ops.create(scope).with_sub_scope("inverse_stft") as tf:
        x = stfts.output_in(tf.scope)
        at_least("inverse_stft", "stfts", x, 2, "[..., frames, frequencies]")
        spectra = resized(tf.scope, x, size // 2 + 1)
        frames = resized(tf.scope, tf.signal.irfft(spectra, [size], dtype).as_output(), length)
        if window_fn is not None:
            frames = frames * window_of(tf.scope, "inverse_stft", "window_fn", window_fn, length, dtype)
        return overlap_and_add(tf.scope, frames, step)


def inverse_stft_window_fn(frame_step: int, forward_window_fn: WindowFn = hann_window) -> WindowFn:
    """The window for which `inverse_stft` is the inverse of `stft`, but for the ends of the signal.

    The forward window, divided by the sum of the squares of all weights that a sample has in the frames that overlap.

    Args:
        frame_step: The step of both transforms.
        forward_window_fn: What makes the window of `stft`.

    Returns:
        A function of a scope, a length and an element type. It raises what `forward_window_fn` raises, and a
        `ShapeError` or a `DTypeError` if its result is not such a window.

    Raises:
        AttributeValueError: `frame_step` is less than 1, or `forward_window_fn` is not a function.

    Source: TensorFlow's `tf.signal.inverse_stft_window_fn`; Griffin and Lim, "Signal estimation from modified
    short-time Fourier transform" (1984).
    """
    name = "inverse_stft_window_fn"
    step = positive(name, "frame_step", frame_step)
    _check_function(name, "forward_window_fn", forward_window_fn)

    def inverse_window(scope: Scope, window_length: int, /, *, dtype: type[W]) -> Operand[W]:
        length = positive(name, "window_length", window_length)
        with Ops.create(scope).with_sub_scope(name) as tf:
            window = window_of(tf.scope, name, "forward_window_fn", forward_window_fn, length, dtype)
            overlaps = -(-length // step)
            squares = tf.pad(tf.math.square(window), [[0, overlaps * step - length]])
            total = tf.sum(tf.reshape(squares, (overlaps, step)), 0)
            weights = tf.tile(total, [overlaps])[:length]
            return tf.math.div_no_nan(window, weights)

    return inverse_window


def window_of(scope: Scope, function: str, name: str, window_fn: WindowFn, length: int, dtype: type[W]) -> Operand[W]:
    """The window that `window_fn` makes: `length` weights of type `dtype`; an error for anything else."""
    _check_function(function, name, window_fn)
    window: Any = window_fn(scope, length, dtype=dtype)
    if not isinstance(window, Operand):
        raise AttributeValueError(f"{function}: {name} must return an operand, not {described(window)}")
    if window.dtype is not dtype:
        raise DTypeError(
            f"{function}: {name} returned a window of type {window.dtype.name}, but {dtype.name} is requested; use its "
            "argument `dtype`"
        )
    try:
        merge(window.shape, Shape((length,)))
    except ShapeError:
        raise ShapeError(
            f"{function}: {name} must return {length} weights, but its result '{window.name}' has shape {window.shape}"
        ) from None
    return window


def _check_function(function: str, name: str, window_fn: object) -> None:
    if isinstance(getattr(window_fn, "__self__", None), GroupOps):
        raise AttributeValueError(
            f"{function}: {name} takes a scope, but {described(window_fn)} has one already; write "
            "functions.hann_window rather than tf.signal.hann_window"
        )
    if not callable(window_fn):
        raise AttributeValueError(
            f"{function}: {name} must be a function of a scope, a length and an element type, such as "
            f"functions.hann_window, not {described(window_fn)}"
        )


def _lengths(function: str, frame_length: int, fft_length: int | None) -> tuple[int, int]:
    """The length of a frame, and the number of samples to transform."""
    length = positive(function, "frame_length", frame_length)
    size = 1 << (length - 1).bit_length() if fft_length is None else positive(function, "fft_length", fft_length)
    return length, size
