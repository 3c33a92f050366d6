"""The functions of signals: static shapes, inverses, windows of one's own, mistakes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad import functions
from typegrad.op import core

RNG: Final = np.random.default_rng(3)
SIGNAL: Final = RNG.normal(size=(2, 21))
WINDOWS: Final = (
    functions.hann_window,
    functions.hamming_window,
    functions.kaiser_window,
    functions.kaiser_bessel_derived_window,
    functions.vorbis_window,
)

Function = Callable[[tg.Scope, Any], Any]


def _sixfold(x: Any) -> Any:
    return x[:, :, None] * np.ones(6)


SHAPES: Final[dict[str, tuple[Function, str]]] = {
    "frames": (lambda scope, x: functions.frame(scope, x, 8, 4), "[Batch, ?, 8]"),
    "padded frames": (lambda scope, x: functions.frame(scope, x, 8, 4, True), "[Batch, (Time + 3)//4, 8]"),
    "along another axis": (lambda scope, x: functions.frame(scope, x, 2, 1, True, axis=0), "[Batch, 2, Time]"),
    "their sum": (
        lambda scope, x: functions.overlap_and_add(scope, _sixfold(x), 4),
        "[Batch, 4*Time + 2]",
    ),
    "frames that meet": (
        lambda scope, x: functions.overlap_and_add(scope, _sixfold(x), 6),
        "[Batch, 6*Time]",
    ),
    "spectra": (lambda scope, x: functions.stft(scope, x, 8, 4, pad_end=True), "[Batch, (Time + 3)//4, 5]"),
    "and back": (
        lambda scope, x: functions.inverse_stft(scope, functions.stft(scope, x, 8, 4, pad_end=True), 8, 4),
        "[Batch, 4*((Time + 3)//4) + 4]",
    ),
    "a lapped transform": (lambda scope, x: functions.mdct(scope, x, 8, pad_end=True), "[Batch, (Time + 3)//4, 4]"),
    "its inverse": (
        lambda scope, x: functions.inverse_mdct(scope, functions.mdct(scope, x, 8, pad_end=True)),
        "[Batch, 4*((Time + 3)//4) + 4]",
    ),
    "a cosine transform of some": (lambda scope, x: functions.dct(scope, x, n=6), "[Batch, 6]"),
    "cepstra": (functions.mfccs_from_log_mel_spectrograms, "[Batch, Time]"),
    **{
        f"a cosine transform of type {kind}": (partial(functions.dct, type=kind), "[Batch, Time]")
        for kind in (1, 2, 3, 4)
    },
}


@pytest.mark.parametrize("what", SHAPES)
def test_sizes_with_names(scope: tg.Scope, what: str) -> None:
    """The static shape is arithmetic, and values and gradients are those for known sizes."""
    function, shape = SHAPES[what]
    fed = core.Placeholder.create(scope, tg.TFloat64, shape=("Batch", "Time"))
    results = [(x, function(scope, x)) for x in (fed, core.Constant.create(scope, SIGNAL))]
    assert str(results[0][1].shape) == shape
    fetches = []
    for x, y in results:
        total = core.Sum.create(scope, functions.logsumexp(scope, _real(scope, y)))
        fetches.append([y, tg.grad(scope, total, x)])
    with tg.Session(scope.graph) as session:
        for actual, expected in zip(*session.run(fetches, {fed: SIGNAL}), strict=True):
            np.testing.assert_allclose(actual, expected, 1e-10, 1e-12)


def _real(scope: tg.Scope, x: Any) -> Any:
    return tg.Ops.create(scope).math.real(x, tg.TFloat64) if issubclass(x.dtype, tg.TComplex) else x


@pytest.mark.parametrize("length", [3, 30])
def test_frames_of_a_short_signal_of_unknown_length(scope: tg.Scope, length: int) -> None:
    x = core.Placeholder.create(scope, tg.TFloat64, shape=(None,))
    with tg.Session(scope.graph) as session:
        frames = session.run(functions.frame(scope, x, 20, 7), {x: np.arange(float(length))})
    assert frames.shape == ((0, 20) if length == 3 else (2, 20))


def test_frames_of_strings(scope: tg.Scope) -> None:
    words = core.Constant.create(scope, ["to", "be", "or"])
    with tg.Session(scope.graph) as session:
        pairs = session.run(functions.frame(scope, words, 2, 1, pad_end=True, pad_value=""))
    assert pairs.tolist() == [[b"to", b"be"], [b"be", b"or"], [b"or", b""]]


def test_frames_of_truth_values(scope: tg.Scope) -> None:
    bits = core.Constant.create(scope, [True, False, False])
    with tg.Session(scope.graph) as session:
        pairs = session.run(functions.frame(scope, bits, 2, 2, pad_end=True, pad_value=True))
    assert pairs.tolist() == [[True, False], [False, True]]


@pytest.mark.parametrize("fft_length", [5, 8, 11])
def test_spectra_are_numpys(scope: tg.Scope, fft_length: int) -> None:
    x = core.Constant.create(scope, SIGNAL[0])
    with tg.Session(scope.graph) as session:
        result = session.run(functions.stft(scope, x, 8, 4, fft_length, window_fn=None))
    frames = np.stack([SIGNAL[0, i : i + 8] for i in (0, 4, 8, 12)])
    np.testing.assert_allclose(result, np.fft.rfft(frames, fft_length), atol=1e-12)


@pytest.mark.parametrize("step", [2, 3, 4])
def test_a_signal_from_its_spectra(scope: tg.Scope, step: int) -> None:
    """All of it but the ends, where no frames overlap."""
    spectra = functions.stft(scope, core.Constant.create(scope, SIGNAL), 8, step)
    window = functions.inverse_stft_window_fn(step)
    with tg.Session(scope.graph) as session:
        result = session.run(functions.inverse_stft(scope, spectra, 8, step, window_fn=window))
    inside = slice(8, result.shape[1] - 8)
    np.testing.assert_allclose(result[:, inside], SIGNAL[:, inside], atol=1e-12)


@pytest.mark.parametrize("norm", [None, "ortho"])
@pytest.mark.parametrize("window", [functions.vorbis_window, functions.kaiser_bessel_derived_window, None])
def test_a_signal_from_its_lapped_transform(scope: tg.Scope, window: Any, norm: Any) -> None:
    lapped = functions.mdct(scope, core.Constant.create(scope, SIGNAL), 8, window, norm=norm)
    with tg.Session(scope.graph) as session:
        result = session.run(functions.inverse_mdct(scope, lapped, window, norm))
    np.testing.assert_allclose(result[:, 4:-4], SIGNAL[:, 4:16], atol=1e-12)


@pytest.mark.parametrize("kind", [2, 3, 4])
def test_the_orthonormal_transform_and_its_inverse(scope: tg.Scope, kind: Any) -> None:
    x = core.Constant.create(scope, SIGNAL)
    transform = functions.dct(scope, x, kind, norm="ortho")
    with tg.Session(scope.graph) as session:
        result, back = session.run([transform, functions.idct(scope, transform, kind, norm="ortho")])
    np.testing.assert_allclose(back, SIGNAL, atol=1e-12)
    np.testing.assert_allclose((result**2).sum(1), (SIGNAL**2).sum(1))


def test_gradients_of_gradients(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, SIGNAL[0, :9])
    for function in (
        lambda scope, x: functions.stft(scope, x, 4, 2),
        lambda scope, x: functions.mdct(scope, x, 4),
        lambda scope, x: functions.overlap_and_add(scope, functions.frame(scope, x, 4, 3), 3),
    ):
        y = function(scope, x)
        power = tg.Ops.create(scope).math.square(tg.Ops.create(scope).math.square(_real(scope, y)))
        tg.check_gradients(scope.graph, tg.grad(scope, core.Sum.create(scope, power), x), [x])


def test_a_window_is_differentiable_in_beta(scope: tg.Scope) -> None:
    beta = core.Constant.create(scope, np.float64(3))
    for window in (functions.kaiser_window, functions.kaiser_bessel_derived_window):
        tg.check_gradients(scope.graph, window(scope, 8, beta, tg.TFloat64), [beta])


def test_methods_of_the_facade() -> None:
    tf = tg.Ops.create()
    x = tf.constant(SIGNAL)
    assert tf.signal.stft(x, 8, 4, window_fn=functions.hamming_window).dtype is tg.TComplex128
    narrow = partial(functions.kaiser_window, beta=3.0)
    window = functions.inverse_stft_window_fn(4, narrow)
    assert tf.signal.inverse_stft(tf.signal.stft(x, 8, 4, None, narrow), 8, 4, window_fn=window).shape == (2, 20)


@pytest.mark.parametrize("window", WINDOWS)
def test_windows_are_in_a_sub_scope_and_of_known_length(scope: tg.Scope, window: Any) -> None:
    result = window(scope, 6, dtype=tg.TBfloat16)
    assert result.dtype is tg.TBfloat16 and result.shape == (6,)
    assert result.name.startswith(f"{window.__name__}/")


def _returning(value: Any) -> Any:
    return lambda scope, length, dtype: value


ANY: Final[Any] = functions
"""The functions, for arguments that no type checker accepts."""
ANY_OPS: Final[Any] = tg.Ops.create()

MISTAKES: Final[dict[str, tuple[Function, type[tg.TypegradError], str]]] = {
    "a negative length": (
        lambda scope, x: functions.hann_window(scope, -1),
        tg.AttributeValueError,
        "hann_window: window_length is -1, but must be 0 or more",
    ),
    "half a length": (
        lambda scope, x: ANY.vorbis_window(scope, 1.5),
        tg.AttributeValueError,
        "`window_length` must be an int, not float 1.5",
    ),
    "a window of integers": (
        lambda scope, x: ANY.kaiser_window(scope, 4, dtype=tg.TInt32),
        tg.DTypeError,
        "kaiser_window: dtype is int32, but must be a floating-point type, such as tg.TFloat32",
    ),
    "many betas": (
        lambda scope, x: functions.kaiser_bessel_derived_window(scope, 4, x),
        tg.ShapeError,
        r"kaiser_window: beta 'x:0' must be a scalar, but has shape \[2, 8\]",
    ),
    "no frame": (
        lambda scope, x: functions.frame(scope, x, 0, 1),
        tg.AttributeValueError,
        "frame: frame_length is 0, but must be 1 or more",
    ),
    "no step": (
        lambda scope, x: functions.stft(scope, x, 4, 0),
        tg.AttributeValueError,
        "stft: frame_step is 0, but must be 1 or more",
    ),
    "an axis": (
        lambda scope, x: functions.frame(scope, x, 2, 1, axis=2),
        tg.ShapeError,
        r"frame: `axis` is 2, but must be in \[-2, 2\)",
    ),
    "a scalar": (
        lambda scope, x: functions.frame(scope, x[0, 0], 2, 1),
        tg.ShapeError,
        r"frame: signal '.*' must have shape \[..., samples, ...\], but has shape \[\]",
    ),
    "an unknown rank": (
        lambda scope, x: functions.stft(scope, core.Placeholder.create(scope, tg.TFloat32), 2, 1),
        tg.ShapeError,
        "stft: the rank of signals 'Placeholder:0'",
    ),
    "one frame": (
        lambda scope, x: functions.overlap_and_add(scope, x[0], 1),
        tg.ShapeError,
        r"overlap_and_add: signal '.*' must have shape \[..., frames, frame_length\], but has shape \[8\]",
    ),
    "frames of unknown length": (
        lambda scope, x: functions.overlap_and_add(
            scope, core.Placeholder.create(scope, tg.TFloat32, shape=(3, None)), 1
        ),
        tg.ShapeError,
        r"frame_length, the last size of signal '.*' of shape \[3, \?\], must be known; state it with `expect`",
    ),
    "padding of another type": (
        lambda scope, x: ANY.frame(scope, x, 2, 1, True, "end"),
        tg.DTypeError,
        "the Python str 'end' is not float64; write a float",
    ),
    "integers": (
        lambda scope, x: ANY.stft(scope, core.Constant.create(scope, [1, 2, 3]), 2, 1),
        tg.DTypeError,
        "stft: signals '.*' is int32, but must be float32 or float64; cast it with dtypes.Cast",
    ),
    "a signal for its spectra": (
        lambda scope, x: ANY.inverse_stft(scope, x, 4, 2),
        tg.DTypeError,
        "inverse_stft: stfts 'x:0' is float64, but must be complex64 or complex128; `stft` makes such spectra",
    ),
    "no number to transform": (
        lambda scope, x: functions.stft(scope, x, 4, 2, 0),
        tg.AttributeValueError,
        "stft: fft_length is 0, but must be 1 or more",
    ),
    "the name of a window": (
        lambda scope, x: ANY.stft(scope, x, 4, 2, window_fn="hann"),
        tg.AttributeValueError,
        "stft: window_fn must be a function of .*, such as functions.hann_window, not str 'hann'",
    ),
    "a method for a window": (
        lambda scope, x: functions.stft(scope, x, 4, 2, window_fn=ANY_OPS.signal.hamming_window),
        tg.AttributeValueError,
        "stft: window_fn takes a scope, but .* has one already; write functions.hann_window rather than tf.signal",
    ),
    "the name of a forward window": (
        lambda scope, x: ANY.inverse_stft_window_fn(4, "hann"),
        tg.AttributeValueError,
        "inverse_stft_window_fn: forward_window_fn must be a function of a scope",
    ),
    "no step of an inverse": (
        lambda scope, x: functions.inverse_stft_window_fn(0),
        tg.AttributeValueError,
        "inverse_stft_window_fn: frame_step is 0, but must be 1 or more",
    ),
    "a window that is an array": (
        lambda scope, x: functions.stft(scope, x, 4, 2, window_fn=_returning(np.ones(4))),
        tg.AttributeValueError,
        "stft: window_fn must return an operand, not an array of float64",
    ),
    "a window of another type": (
        lambda scope, x: functions.mdct(scope, x, 4, _returning(core.Constant.create(scope, np.ones(4, np.float32)))),
        tg.DTypeError,
        "mdct: window_fn returned a window of type float32, but float64 is requested; use its argument `dtype`",
    ),
    "a window of another length": (
        lambda scope, x: functions.stft(scope, x, 4, 2, window_fn=_returning(x[0])),
        tg.ShapeError,
        r"stft: window_fn must return 4 weights, but its result '.*' has shape \[8\]",
    ),
    "a cosine transform of type 5": (
        lambda scope, x: ANY.dct(scope, x, 5),
        tg.AttributeValueError,
        r"dct\(\): argument `type` must be one of 1, 2, 3, 4, not int 5",
    ),
    "along another axis": (
        lambda scope, x: ANY.dct(scope, x, axis=0),
        tg.AttributeValueError,
        r"dct\(\): argument `axis` must be one of -1, not int 0",
    ),
    "normalized otherwise": (
        lambda scope, x: ANY.idct(scope, x, norm="forward"),
        tg.AttributeValueError,
        r"idct\(\): argument `norm` must be one of 'ortho' or None, not str 'forward'",
    ),
    "type 1 normalized": (
        lambda scope, x: functions.dct(scope, x, 1, norm="ortho"),
        tg.AttributeValueError,
        "dct: norm is 'ortho', but type 1 has no normalization; leave it out",
    ),
    "type 1 of one number": (
        lambda scope, x: functions.idct(scope, x[:, :1], 1),
        tg.ShapeError,
        r"idct: type 1 needs 2 or more numbers, but input '.*' has shape \[2, 1\]",
    ),
    "type 1 of the first number": (
        lambda scope, x: functions.dct(scope, x, 1, n=1),
        tg.ShapeError,
        "dct: type 1 needs 2 or more numbers, but n is 1",
    ),
    "none of the numbers": (
        lambda scope, x: functions.dct(scope, x, n=0),
        tg.AttributeValueError,
        "dct: n is 0, but must be 1 or more",
    ),
    "a frame of 6": (
        lambda scope, x: functions.mdct(scope, x, 6),
        tg.AttributeValueError,
        "mdct: frame_length is 6, but must be a multiple of 4",
    ),
    "an odd size": (
        lambda scope, x: functions.inverse_mdct(scope, x[:, :3]),
        tg.ShapeError,
        r"inverse_mdct: the last size of mdcts '.*' must be known and even, but its shape is \[2, 3\]",
    ),
    "no triangles": (
        lambda scope, x: functions.linear_to_mel_weight_matrix(scope, 0),
        tg.AttributeValueError,
        "linear_to_mel_weight_matrix: num_mel_bins is 0, but must be 1 or more",
    ),
    "a rate of 0": (
        lambda scope, x: functions.linear_to_mel_weight_matrix(scope, sample_rate=0),
        tg.AttributeValueError,
        "linear_to_mel_weight_matrix: sample_rate is 0, but must be positive",
    ),
    "a negative edge": (
        lambda scope, x: functions.linear_to_mel_weight_matrix(scope, lower_edge_hertz=-1),
        tg.AttributeValueError,
        "linear_to_mel_weight_matrix: lower_edge_hertz is -1, but must be 0 or more",
    ),
    "edges out of order": (
        lambda scope, x: functions.linear_to_mel_weight_matrix(scope, upper_edge_hertz=100),
        tg.AttributeValueError,
        "upper_edge_hertz is 100, but must be more than lower_edge_hertz, which is 125.0",
    ),
    "an edge above all frequencies": (
        lambda scope, x: functions.linear_to_mel_weight_matrix(scope, upper_edge_hertz=4001.0),
        tg.AttributeValueError,
        "upper_edge_hertz is 4001.0, but a signal of 8000 samples per second has no frequencies above 4000.0",
    ),
    "weights that are integers": (
        lambda scope, x: ANY.linear_to_mel_weight_matrix(scope, dtype=tg.TInt64),
        tg.DTypeError,
        "linear_to_mel_weight_matrix: dtype is int64, but must be a floating-point type",
    ),
    "no frequencies": (
        lambda scope, x: functions.mfccs_from_log_mel_spectrograms(scope, x[:, :0]),
        tg.ShapeError,
        r"mfccs_from_log_mel_spectrograms: log_mel_spectrograms '.*' of shape \[2, 0\] has no elements",
    ),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_is_told_what_to_write(scope: tg.Scope, what: str) -> None:
    call, error, text = MISTAKES[what]
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat64, shape=(2, 8))
    with pytest.raises(error, match=text):
        call(scope, x)


def test_mel_bands_may_reach_half_the_sample_rate() -> None:
    scope = tg.Scope(tg.Graph())
    weights = functions.linear_to_mel_weight_matrix(scope, 4, 9, 8000, 125.0, 4000.0)
    assert weights.shape == (9, 4)
