"""The mel scale, on which equal steps sound equal, and its cepstral coefficients."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
from typing_extensions import TypeVar

from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.types import TFloat32, TFloat64, TFloating
from typegrad.functions.checks import at_least, positive, real_type
from typegrad.functions.cosine import dct
from typegrad.functions.sizes import sizes_of
from typegrad.functions.windows import floating_type
from typegrad.graph.conversion import constant
from typegrad.graph.operand import Operand, S
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops

__all__ = ["linear_to_mel_weight_matrix", "mfccs_from_log_mel_spectrograms"]

F = TypeVar("F", bound=TFloating, default=TFloat32)
R = TypeVar("R", bound=TFloat32 | TFloat64)


def linear_to_mel_weight_matrix(
    scope: Scope,
    num_mel_bins: int = 20,
    num_spectrogram_bins: int = 129,
    sample_rate: float = 8000,
    lower_edge_hertz: float = 125.0,
    upper_edge_hertz: float = 3800.0,
    dtype: type[F | TFloat32] = TFloat32,
) -> Operand[F, tuple[Any, Any]]:
    """The matrix by which a spectrogram is multiplied from the right for one on the mel scale.

    Each column is a triangle over the frequencies, of height 1: from the centre of the triangle before to the centre of
    the next, both on the mel scale. A frequency of f hertz is `1127 log(1 + f / 700)` mel. Frequency 0 has no weight.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "linear_to_mel_weight_matrix".
        num_mel_bins: The number of triangles.
        num_spectrogram_bins: The number of frequencies, `fft_length // 2 + 1`, from 0 to half the sample rate.
        sample_rate: Samples per second.
        lower_edge_hertz: Where the first triangle begins.
        upper_edge_hertz: Where the last one ends: at most half the sample rate.
        dtype: The element type.

    Returns:
        The weights, of shape [num_spectrogram_bins, num_mel_bins].

    Raises:
        AttributeValueError: A number or the rate is not positive, or the edges are not ordered as
            `0 <= lower_edge_hertz < upper_edge_hertz <= sample_rate / 2`.
        DTypeError: `dtype` is not a floating-point type.

    Source: TensorFlow's `tf.signal.linear_to_mel_weight_matrix`; Young et al., "The HTK Book".
    """
    name = "linear_to_mel_weight_matrix"
    mels = positive(name, "num_mel_bins", num_mel_bins)
    bins = positive(name, "num_spectrogram_bins", num_spectrogram_bins)
    _check_edges(name, sample_rate, lower_edge_hertz, upper_edge_hertz)
    # TensorFlow makes an array of the rate, of float32 whatever the result's type.
    nyquist = float(np.float32(sample_rate)) / 2
    element = floating_type(name, dtype)
    with Ops.create(scope).with_sub_scope(name) as tf:
        zero, top, lower, upper = (
            constant(tf.scope, float(each), element) for each in (0.0, nyquist, lower_edge_hertz, upper_edge_hertz)
        )
        places = _mel(tf, tf.lin_space(zero, top, bins)[1:])[:, None]
        edges = tf.lin_space(_mel(tf, lower), _mel(tf, upper), mels + 2)
        left, centre, right = edges[:-2], edges[1:-1], edges[2:]
        rising, falling = (places - left) / (centre - left), (right - places) / (right - centre)
        return tf.pad(tf.math.maximum(tf.math.minimum(rising, falling), zero), [[1, 0], [0, 0]])


def _check_edges(name: str, rate: float, lower: float, upper: float) -> None:
    if not 0 < rate < inf:
        raise AttributeValueError(f"{name}: sample_rate is {rate}, but must be positive")
    if not lower >= 0:
        raise AttributeValueError(f"{name}: lower_edge_hertz is {lower}, but must be 0 or more")
    if not lower < upper:
        raise AttributeValueError(
            f"{name}: upper_edge_hertz is {upper}, but must be more than lower_edge_hertz, which is {lower}"
        )
    if upper > rate / 2:
        raise AttributeValueError(
            f"{name}: upper_edge_hertz is {upper}, but a signal of {rate} samples per second has no frequencies above "
            f"{rate / 2}"
        )


def _mel(tf: Ops, hertz: Operand[F, S]) -> Operand[F, S]:
    return tf.math.log(hertz / 700.0 + 1.0) * 1127.0


def mfccs_from_log_mel_spectrograms(scope: Scope, log_mel_spectrograms: Operand[R, S]) -> Operand[R, S]:
    """Mel-frequency cepstral coefficients: the cosine transform of the logarithms of a spectrum on the mel scale.

    The transform is `dct` of type 2, scaled by `sqrt(1 / 2 N)` for N coefficients: the orthonormal one, but for the
    first coefficient, which is `sqrt(2)` times as large. For speech, the first 13 are usual.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "mfccs_from_log_mel_spectrograms".
        log_mel_spectrograms: Logarithms, of shape [..., num_mel_bins], float32 or float64. The rank is known.

    Returns:
        The coefficients, of the type and shape of the argument.

    Raises:
        ShapeError: The argument is a scalar, of unknown rank, or without elements.
        DTypeError: The argument is neither float32 nor float64.

    Source: TensorFlow's `tf.signal.mfccs_from_log_mel_spectrograms`; Young et al., "The HTK Book".
    """
    name = "mfccs_from_log_mel_spectrograms"
    real_type(name, "log_mel_spectrograms", log_mel_spectrograms)
    with Ops.create(scope).with_sub_scope(name) as tf:
        x = log_mel_spectrograms.output_in(tf.scope)
        at_least(name, "log_mel_spectrograms", x, 1, "[..., num_mel_bins]")
        count = sizes_of(tf.scope, x)[-1]
        if count == 0:
            raise ShapeError(f"{name}: log_mel_spectrograms '{x.name}' of shape {x.shape} has no elements")
        number = constant(tf.scope, float(count), x.dtype) if isinstance(count, int) else tf.dtypes.cast(count, x.dtype)
        return dct(tf.scope, x) * tf.math.rsqrt(number * 2.0)
