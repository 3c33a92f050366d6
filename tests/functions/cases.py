"""Calls of functions, by TensorFlow's names too: `tests/record_functions.py` records its answers to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from record_keras import Array, Case

__all__ = ["CASES", "PRINTS", "SAMPLED", "placed"]

RNG: Final = np.random.default_rng(7)
X: Final = RNG.normal(size=(2, 3, 4))
Z: Final = np.random.default_rng(8).normal(size=(2, 3, 4)) @ [1, 1j, -1j, 1]
LARGE: Final = np.array([[1000.0, 1001.0, 999.0], [-1000.0, -2000.0, -1500.0]])
INFINITE: Final = np.array([[-np.inf, -np.inf], [np.inf, 1.0], [-np.inf, 2.0]])
LOGITS: Final = np.array([-1000.0, -20.0, -1.5, 0.0, 0.5, 20.0, 1000.0])


def _floats(dtype: Any) -> Array:
    return np.linspace(-3, 3, 24).reshape(2, 3, 4).astype(dtype)


def _sampled() -> tuple[Any, ...]:
    """Weights, biases, labels of two right classes, inputs; and what was drawn, with two accidental hits."""
    labels = np.array([[1, 4], [0, 6], [3, 2]])
    drawn = np.array([4, 7, 0, 5])
    expected = RNG.uniform(0.1, 2.0, labels.shape).astype(np.float32), RNG.uniform(0.1, 2.0, 4).astype(np.float32)
    return RNG.normal(size=(8, 5)), RNG.normal(size=8), labels, RNG.normal(size=(3, 5)), 4, 8, (drawn, *expected)


SAMPLED: Final = _sampled()
_ONE_TRUE: Final = (
    *SAMPLED[:2],
    SAMPLED[2][:, :1],
    *SAMPLED[3:6],
    (SAMPLED[6][0], SAMPLED[6][1][:, :1], SAMPLED[6][2]),
)

SIGNAL: Final = RNG.normal(size=(2, 23))
SPECTRA: Final = RNG.normal(size=(2, 5, 5)) + 1j * RNG.normal(size=(2, 5, 5))
_WINDOWS: Final = ("hann_window", "hamming_window", "kaiser_window", "kaiser_bessel_derived_window", "vorbis_window")


def _signals() -> Iterator[Case]:
    """Calls of functions of `tf.signal`. A window is its name; `inverse:STEP` is the window of an inverse transform."""
    for name in _WINDOWS:
        yield Case(name, {"dtype": "float64"}, [(length,) for length in (1, 2, 7, 8)])
        yield Case(name, {}, [(9,)])
        yield Case(name, {"dtype": "float16"}, [(6,)])
    for name in _WINDOWS[:2]:
        yield Case(name, {"periodic": False, "dtype": "float64"}, [(1,), (7,), (8,)])
        yield Case(name, {"dtype": "float64"}, [(0,)], "empty")
    for name in _WINDOWS[2:4]:
        yield Case(name, {"dtype": "float64"}, [(6, np.float64(3.1)), (7, np.float64(0.5))], "beta")
        yield Case(name, {"dtype": "float64"}, [(6, 3.1)], "rounded beta")
    for length, step in ((4, 2), (5, 3), (3, 4), (6, 4), (24, 2), (1, 1)):
        for pad in (False, True):
            yield Case("frame", {"pad_end": pad}, [(SIGNAL, length, step)], f"{length} by {step}")
    yield Case("frame", {"pad_end": True, "pad_value": -1.5, "axis": 1}, [(X, 2, 2), (X, 5, 1)])
    yield Case("frame", {"axis": -2}, [(X, 2, 1)])
    yield Case("frame", {"pad_end": True, "pad_value": 7}, [(np.arange(5, dtype=np.int32), 4, 3)])
    yield Case("frame", {"pad_end": True}, [(np.zeros((2, 0)), 3, 2)], "empty")
    for step in (1, 2, 3, 4, 6):
        yield Case("overlap_and_add", {}, [(X, step)], str(step))
    yield Case("overlap_and_add", {}, [(np.zeros((2, 0, 4)), 2), (np.zeros((0, 3)), 1)], "empty")
    yield Case("overlap_and_add", {}, [(np.arange(12, dtype=np.int32).reshape(3, 4), 3)], "integers")
    yield Case("stft", {}, [(SIGNAL, 8, 4), (SIGNAL[0], 6, 5)])
    yield Case("stft", {"pad_end": True, "fft_length": 9}, [(SIGNAL, 8, 3)])
    yield Case("stft", {"fft_length": 11, "window_fn": None}, [(SIGNAL, 8, 3), (SIGNAL.astype(np.float32), 4, 2)])
    yield Case("stft", {"window_fn": "hamming_window"}, [(SIGNAL, 7, 3)])
    yield Case("inverse_stft", {}, [(SPECTRA, 8, 4), (SPECTRA[0], 6, 5)])
    yield Case("inverse_stft", {"fft_length": 8, "window_fn": None}, [(SPECTRA, 10, 3)], "longer frames")
    yield Case("inverse_stft", {"fft_length": 12}, [(SPECTRA.astype(np.complex64), 4, 2)], "few frequencies")
    for step in (2, 3, 8, 11):
        yield Case("inverse_stft", {"window_fn": f"inverse:{step}"}, [(SPECTRA, 8, step)])
    for kind in (1, 2, 3, 4):
        for name in ("dct", "idct"):
            yield Case(name, {"type": kind}, [(X,), (SIGNAL,), (X[0, 0, :2],)])
            if kind != 1:
                yield Case(name, {"type": kind, "norm": "ortho"}, [(X,), (SIGNAL[:, :1],)])
        yield Case("dct", {"type": kind, "n": 3}, [(X,), (X[:, :, :2],)])
        yield Case("idct", {"type": kind}, [(_floats("float32"),)], "float32")
    for norm in (None, "ortho"):
        yield Case("mdct", {"norm": norm}, [(SIGNAL, 8)])
        yield Case("inverse_mdct", {"norm": norm}, [(X,)])
    yield Case("mdct", {"window_fn": None, "pad_end": True}, [(SIGNAL, 4), (SIGNAL.astype(np.float32), 8)])
    yield Case("mdct", {"window_fn": "kaiser_bessel_derived_window"}, [(SIGNAL, 12)])
    yield Case("inverse_mdct", {"window_fn": None}, [(X,), (X.astype(np.float32),)])
    yield Case("linear_to_mel_weight_matrix", {"dtype": "float64"}, [(5, 17), (3, 9, 22050.1, 0.0, 8000.0), (2, 1)])
    yield Case("linear_to_mel_weight_matrix", {}, [(4, 17)])
    yield Case("mfccs_from_log_mel_spectrograms", {}, [(X,), (SIGNAL,), (_floats("float32"),)])


def _repetitions() -> Iterator[Case]:
    """Grids, repetitions, masks and lengths."""
    x, y, z = np.array([1.0, -0.0, np.inf]), np.array([np.nan, 5.0]), np.array([7.0])
    for indexing in ("xy", "ij"):
        yield Case("meshgrid", {"indexing": indexing}, [(x, y), (x,), (x, y, z), (z, y, x, y), (X[0], y), (z[0], y)])
    yield Case("meshgrid", {}, [(np.arange(3), np.arange(2)), (np.arange(0), np.arange(2))], "integers")
    yield Case("meshgrid", {}, [(np.array([True, False]), np.array([True]))], "bools")
    for axis in (None, 0, 1, -1):
        yield Case("repeat", {"axis": axis}, [(X, 3), (X, 0)])
    yield Case("repeat", {"axis": 1}, [(X, (2, 0, 1)), (X, np.array([2, 0, 1])), (X, (2,))], "vector")
    yield Case("repeat", {}, [(y, np.array([0, 3])), (np.arange(3), 2), (X[0, 0, 0], 3), (X[0], (1, 2) * 6)], "flat")
    yield Case(
        "repeat", {"axis": 0}, [(X[0, 0, 0], 3), (np.zeros((0, 2)), 3), (np.zeros((0, 2)), np.arange(0))], "empty"
    )
    lengths = np.array([[1, 3], [0, 2]])
    yield Case("sequence_mask", {}, [(lengths,), (lengths.astype(np.int32), 2), (lengths, 4), (np.array(1), 2)])
    yield Case("sequence_mask", {}, [(np.array([-1, -3]),), (np.arange(0),), (np.array([-2, 2]),)], "empty")
    for dtype in ("float32", "int8", "bool"):
        yield Case("sequence_mask", {"dtype": dtype}, [(lengths, 3)])
    yield from (Case("l2_normalize", {"axis": axis}, [(X,), (np.zeros((2, 1, 3)),)]) for axis in (None, 0, -1, (0, 2)))
    yield Case("l2_normalize", {"axis": 0, "epsilon": 4.0}, [(X,), (INFINITE,)], "epsilon")
    yield Case("l2_normalize", {"axis": 1}, [(_floats("float32"),)], "float32")
    yield Case("l2_normalize", {"axis": 1}, [(Z,), (Z.astype(np.complex64),)], "complex")


def _norms() -> Iterator[Case]:
    """Norms of vectors and matrices, and what is scaled down to one."""
    for order in ("euclidean", 1, 2, 0.5, 3, np.inf):
        yield Case("norm", {"ord": order}, [(X,), (X[0, 0],)])
        yield Case("norm", {"ord": order, "axis": 1, "keepdims": True}, [(X,)])
    for order in ("euclidean", "fro", 1, 2, np.inf):
        for axis in ((0, 1), (-1, 0), [1, 2]):
            yield Case("norm", {"ord": order, "axis": axis}, [(X,)])
        yield Case("norm", {"ord": order, "axis": (2, 0), "keepdims": True}, [(X,)])
    yield Case("norm", {}, [(_floats("float32"),), (np.zeros((2, 0)),), (INFINITE,)], "edges")
    for order in ("euclidean", 1, 2, 3, np.inf):
        yield Case("norm", {"ord": order, "axis": 1}, [(Z,), (Z.astype(np.complex64),)], "complex")
    for order in ("fro", 1, 2, np.inf):
        yield Case("norm", {"ord": order, "axis": (0, 1)}, [(Z,)], "complex")
    for limit in (0.5, 100.0):
        yield Case("clip_by_norm", {}, [(X, limit), (_floats("float32"), limit), (np.zeros(3), limit)], str(limit))
        yield Case("clip_by_norm", {"axes": [-1]}, [(X, limit), (INFINITE, limit)], str(limit))
        yield Case("clip_by_global_norm", {}, [([X, LARGE, None], limit), ([X[0], X[1, 0]], limit)], str(limit))
    yield Case("clip_by_global_norm", {}, [([INFINITE, X], 1.0), ([np.zeros(2)], 1.0)], "edges")


def _statistics() -> Iterator[Case]:
    """Variances, counts, sorting."""
    for name in ("reduce_variance", "reduce_std"):
        for axis in (None, 0, -1, (0, 2)):
            yield Case(name, {"axis": axis}, [(X,), (_floats("float32"),)])
        yield Case(name, {"axis": 1, "keepdims": True}, [(X,), (LARGE,)])
        yield Case(name, {}, [(np.zeros((0,)),), (INFINITE,)], "edges")
        yield Case(name, {"axis": -1}, [(Z,), (Z.astype(np.complex64),)], "complex")
    sparse = np.array([[0.0, -0.0, np.nan], [1.0, 0.0, np.inf]])
    for axis in (None, 0, (0, 1)):
        yield Case("count_nonzero", {"axis": axis}, [(sparse,), (np.array([[0, 3], [-1, 0]]),)])
    yield Case("count_nonzero", {"axis": -1, "keepdims": True, "dtype": "int32"}, [(sparse,)])
    yield Case("count_nonzero", {}, [(np.array([True, False]),), (np.array([b"", b"a"]),), (np.zeros(0),)], "others")
    yield Case("zero_fraction", {}, [(sparse,), (np.zeros(0),), (np.array([0, 3, 0]),)])
    numbers = {
        "float": np.array([[2.0, 1.5, -0.0, 0.0], [np.inf, -np.inf, 2.0, 2.0]]),
        "half": np.array([1, -2, 1, 0], np.float16),
        "int8": np.array([-128, 127, 0, -128, 5], np.int8),
        "uint8": np.array([0, 255, 3, 0], np.uint8),
        "int64": np.array([[3, 1], [2, 1]]),
    }
    for direction in ("ASCENDING", "DESCENDING"):
        for name in ("sort", "argsort"):
            for kind, values in numbers.items():
                yield Case(name, {"direction": direction}, [(values,)], kind)
            for axis in (0, 1, -2):
                yield Case(name, {"direction": direction, "axis": axis}, [(X,)])
            yield Case(name, {"direction": direction, "axis": 0}, [(np.zeros((0, 2), np.int32),)], "empty")


def _layers() -> Iterator[Case]:
    """Products along axes, traces, inverses, activations, normalization."""
    y = RNG.normal(size=(4, 3, 5))
    for count in (0, 1):
        yield Case("tensordot", {"axes": count}, [(X, y)])
    yield Case("tensordot", {"axes": 2}, [(X, y.transpose(1, 0, 2)), (X[0], y.transpose(1, 0, 2)), (X[0], X[0])])
    pairs: list[Any] = [[[2, 1], [0, 1]], [[-2], [1]], [2, -3], [[], []]]
    yield from (Case("tensordot", {"axes": axes}, [(X, y)]) for axes in pairs)
    yield Case("tensordot", {"axes": 1}, [(np.arange(6).reshape(2, 3), np.arange(3)), (X[:, :, :0], y[:0])], "edges")
    yield Case("trace", {}, [(X,), (np.arange(6).reshape(2, 3),), (np.zeros((2, 0, 3)),)])
    yield Case("pinv", {}, [(X,), (X[0, :2, :2],), (np.outer([1.0, 2.0, 3.0], [1.0, -1.0]),)])
    yield Case("pinv", {"rcond": 0.5}, [(X[0],)])
    for name in ("log_sigmoid", "gelu", "silu"):
        yield Case(name, {}, [(LOGITS,), (X,), (_floats("float32"),)])
    yield Case("gelu", {"approximate": True}, [(LOGITS,), (X,)])
    yield Case("silu", {}, [(X, 1.5)], "beta")
    row = np.abs(X[0, 0])
    yield Case("batch_normalization", {}, [(X, X[1, 1], row, X[0, 1], X[0, 2], 0.001), (X, row, row, None, None, 0.1)])
    yield Case("batch_normalization", {}, [(X, row, row, row, None, 0.0), (X, row, row, None, row, 0.0)], "one")
    for weight in (0.5, 1.0, 3.0):
        shape = LOGITS.shape
        calls = [(np.full(shape, label), LOGITS, weight) for label in (0.0, 0.3, 1.0)]
        yield Case("weighted_cross_entropy_with_logits", {}, calls, str(weight))


CASES: Final = [
    *(Case("zeros", {"dtype": dtype}, [((2, 3),)]) for dtype in ("float32", "int8", "bool", "complex64")),
    *(Case("ones", {"dtype": dtype}, [((2, 3),), ((),)]) for dtype in ("float64", "uint16", "bool", "complex128")),
    Case("zeros", {}, [((4,),)]),
    Case("eye", {}, [(3,), (2, 4), (4, 2), (0,)]),
    Case("eye", {"batch_shape": (2, 1), "dtype": "int32"}, [(2, 3)]),
    Case("one_hot", {}, [(np.array([[0, 2], [-1, 3]]), 3)]),
    *(Case("one_hot", {"axis": axis, "dtype": "int32"}, [(np.array([[0, 2], [1, 3]]), 4)]) for axis in (0, 1, 2, -1)),
    Case("one_hot", {"on_value": 5.0, "off_value": -1.0}, [(np.array([1, 0]), 2)]),
    Case("one_hot", {"on_value": True, "off_value": False}, [(np.array([1, 0]), 2)]),
    Case("one_hot", {"on_value": 3}, [(np.array(1), 2)]),
    *(Case("logsumexp", {"axis": axis}, [(X,)]) for axis in (0, -1, (0, 2), None, ())),
    Case("logsumexp", {"axis": (1, -1), "keepdims": True}, [(X,)]),
    Case("logsumexp", {"axis": 1}, [(LARGE,), (INFINITE,), (_floats(np.float32)[0],)]),
    *(Case("moments", {"axes": axes}, [(X,)]) for axes in ([0], [0, 1], [-1], [0, 1, 2])),
    Case("moments", {"axes": [0, 2], "keepdims": True}, [(X,)]),
    Case("moments", {"axes": [0]}, [(Z,), (Z.astype(np.complex64),)], "complex"),
    *(Case("moments", {"axes": [1]}, [(_floats(dtype),)], dtype) for dtype in ("float16", "float32")),
    *(Case(name, {"axis": axis}, [(X,)]) for name in ("softmax", "log_softmax") for axis in (0, 1, -1, -2)),
    Case("softmax", {"axis": 0}, [(LARGE,)], "large"),
    *(
        Case("sigmoid_cross_entropy", {}, [(np.full(LOGITS.shape, label), LOGITS)], str(label))
        for label in (0.0, 0.3, 1.0)
    ),
    Case("sigmoid_cross_entropy", {}, [(_floats("float32") / 6 + 0.5, _floats("float32"))], "float32"),
    Case("global_norm", {}, [([X, LARGE, np.float64(2.0)],), ([LARGE, None],)]),
    *(
        Case(name, {"num_true": true, "remove_accidental_hits": remove}, [_ONE_TRUE if true == 1 else SAMPLED])
        for name in ("sampled_softmax_loss", "nce_loss")
        for true in (1, 2)
        for remove in (True, False)
    ),
    *_repetitions(),
    *_norms(),
    *_statistics(),
    *_layers(),
    *_signals(),
    Case("jacobian", {}, [(X[0], X[1, :2])]),
    Case("hessian", {}, [(X[0], X[1, :2])]),
]

_TEXT: Final = np.array(b"one 'line'\n", object)
_ROWS: Final = np.array([[1.5, -2.0], [0.1, 4.0]], np.float32)
PRINTS: Final[list[Case]] = [
    Case("print", {}, [("loss:", np.array(0.25), "weights:", _ROWS), (_ROWS,), ("a", "b c"), ("",), ()]),
    Case("print", {}, [(_TEXT,), ("a text:", _TEXT), (np.array([b"a", b"b"], object), "")], "strings"),
    Case("print", {}, [(1, 2.5, True, None, 1j, b"bytes", "'text'"), ([1, "a"], ("b",), {"c": 2})], "values"),
    Case("print", {}, [([_ROWS, "rows", _ROWS[0]],), ({"a": (_ROWS, 1), "b": [_ROWS[0]]}, "end")], "structures"),
    Case("print", {}, [([np.array(number) for number in range(30)], list(range(30)))], "long lists"),
    Case("print", {}, [("{}", _ROWS[0]), ("100% of '{}'", _ROWS[0], ["{}", _ROWS[1]], "{}0")], "braces"),
    Case("print", {"summarize": 2}, [("ids", np.arange(10), "of", np.arange(64).reshape(8, 8))]),
    Case("print", {"summarize": -1}, [(np.arange(10), np.arange(24).reshape(2, 3, 4) > 5)]),
    Case("print", {"sep": ", ", "end": "|"}, [("a", _ROWS[0], 3), (_TEXT,)]),
    Case("print", {"sep": "\n", "end": ""}, [("a", _ROWS[0], "b")]),
]
"""Prints, in which an array is an operand."""


def placed(item: Any, operand: Callable[[Array], Any]) -> Any:
    """An argument of a print, with `operand(array)` for each array."""
    if isinstance(item, np.ndarray):
        return operand(item)
    if isinstance(item, dict):
        return {key: placed(each, operand) for key, each in item.items()}
    return type(item)(placed(each, operand) for each in item) if isinstance(item, (list, tuple)) else item
