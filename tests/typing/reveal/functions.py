"""Functions: the element type comes out, and the shape where the signature says it."""

from __future__ import annotations

from functools import partial
from typing import reveal_type

import numpy as np

import typegrad as tg
from typegrad import functions

Matrix = tg.Operand[tg.TFloat32, tuple[int, int]]
Vector = tg.Operand[tg.TFloat64, tuple[int]]


def filling(scope: tg.Scope, tf: tg.Ops, shape: tuple[int, int], value: tg.Operand[tg.TInt8]) -> None:
    reveal_type(functions.zeros(scope, shape))  # R: Operand[TFloat32, tuple[Any, Any]]
    reveal_type(tf.ones(shape, tg.TBool))  # R: Operand[TBool, tuple[Any, Any]]
    reveal_type(tf.zeros([2, 3]))  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(tf.eye(3))  # R: Operand[TFloat32, tuple[Any, Any]]
    reveal_type(tf.eye(3, batch_shape=(2,), dtype=tg.TInt32))  # R: Operand[TInt32, tuple[Any, ...]]
    reveal_type(tf.eye(tf.size(value)))  # R: Operand[TFloat32, tuple[Any, Any]]
    reveal_type(tf.one_hot([1, 2], 3))  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(tf.one_hot([1, 2], 3, dtype=tg.TInt64))  # R: Operand[TInt64, tuple[Any, ...]]
    reveal_type(tf.one_hot([1, 2], 3, value))  # R: Operand[TInt8, tuple[Any, ...]]
    reveal_type(tf.one_hot([1, 2], 3, 5, value))  # R: Operand[TInt8, tuple[Any, ...]]
    reveal_type(tf.one_hot([1, 2], 3, 5, 0))  # R: Operand[TInt32, tuple[Any, ...]]
    reveal_type(tf.one_hot([1, 2], 3, 1.0, 0))  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(tf.one_hot([1, 2], 3, True))  # R: Operand[TBool, tuple[Any, ...]]
    reveal_type(tf.variable(np.zeros((2, 3), np.float32)))  # R: Variable[TFloat32, tuple[Any, ...]]
    reveal_type(tf.variable([1, 2], tg.TUint8))  # R: Variable[TUint8, tuple[Any, ...]]


def drawing(tf: tg.Ops, shape: tuple[int, int], size: Vector) -> None:
    reveal_type(tf.random.normal(shape))  # R: Operand[TFloat32, tuple[Any, Any]]
    reveal_type(tf.random.normal([2, 3], size, dtype=tg.TFloat64))  # R: Operand[TFloat64, tuple[Any, ...]]
    reveal_type(tf.random.truncated_normal(shape, stddev=0.1))  # R: Operand[TFloat32, tuple[Any, Any]]
    reveal_type(tf.random.uniform(shape, 1, 7, tg.TInt32))  # R: Operand[TInt32, tuple[Any, Any]]


def computing(tf: tg.Ops, x: Matrix, v: Vector) -> None:
    reveal_type(tf.sort(x))  # R: Operand[TFloat32, tuple[int, int]]
    reveal_type(tf.argsort(v))  # R: Operand[TInt32, tuple[int]]
    reveal_type(tf.linalg.norm(v, 1))  # R: Operand[TFloat64, tuple[Any, ...]]
    reveal_type(tf.math.count_nonzero(x))  # R: Operand[TInt64, tuple[Any, ...]]
    reveal_type(tf.math.count_nonzero(x, dtype=tg.TInt8))  # R: Operand[TInt8, tuple[Any, ...]]
    reveal_type(tf.clip_by_norm(x, 1.0))  # R: Operand[TFloat32, tuple[int, int]]
    reveal_type(tf.clip_by_global_norm([x], 1.0)[1])  # R: Operand[TFloat32, tuple[()]]
    reveal_type(tf.zeros([tf.shape(x)[0], 3]))  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(tf.math.logsumexp(x, 1))  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(tf.nn.moments(v, [0]))  # R: tuple[Operand[TFloat64, tuple[Any, ...]], Operand[TFloat64, tuple[Any, ...]]]
    reveal_type(tf.nn.softmax(x))  # R: Softmax[TFloat32, tuple[int, int]]
    reveal_type(tf.nn.log_softmax(x, axis=-1))  # R: LogSoftmax[TFloat32, tuple[int, int]]
    reveal_type(tf.nn.softmax(x, 0))  # R: Operand[TFloat32, tuple[int, int]]
    reveal_type(tf.nn.dropout(x, 0.5))  # R: Operand[TFloat32, tuple[int, int]]
    reveal_type(tf.nn.sigmoid_cross_entropy(labels=1.0, logits=v))  # R: Operand[TFloat64, tuple[int]]
    reveal_type(tf.nn.nce_loss(x, x, [[1]], x, 3, 10))  # R: Operand[TFloat32, tuple[Any]]
    reveal_type(tf.linalg.global_norm([x, x, None]))  # R: Operand[TFloat32, tuple[()]]
    reveal_type(tf.linalg.global_norm([v]))  # R: Operand[TFloat64, tuple[()]]
    reveal_type(tf.linalg.global_norm([x, v]))  # R: Operand[Any, tuple[()]]
    reveal_type(tf.group(x, v))  # R: NoOp
    reveal_type(tf.print("x:", x, [v, {"all": x}], None, sep=""))  # R: Print
    reveal_type(tf.strings.string_format([x, 1.5], template="%s %s"))  # R: StringFormat[tuple[()]]


def of_complex(tf: tg.Ops, z: tg.Operand[tg.TComplex64], w: tg.Operand[tg.TComplex128, tuple[int]]) -> None:
    reveal_type(tf.math.reduce_variance(z))  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(tf.math.reduce_std(w, 0))  # R: Operand[TFloat64, tuple[Any, ...]]
    reveal_type(tf.nn.moments(w, 0)[1])  # R: Operand[TComplex128, tuple[Any, ...]]
    reveal_type(tf.nn.l2_normalize(w))  # R: Operand[TComplex128, tuple[int]]
    reveal_type(tf.linalg.norm(z, axis=0))  # R: Operand[TComplex64, tuple[Any, ...]]
    reveal_type(tf.linalg.norm(w, 1))  # R: Operand[TFloat64, tuple[Any, ...]]
    reveal_type(tf.linalg.norm(w, 2))  # R: Operand[Any, tuple[Any, ...]]


def signals(scope: tg.Scope, tf: tg.Ops, x: Matrix, v: Vector) -> None:
    reveal_type(tf.signal.frame(x, 4, 2))  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(tf.signal.stft(x, 4, 2))  # R: Operand[TComplex64, tuple[Any, ...]]
    spectra = functions.stft(scope, v, 4, 2, window_fn=functions.hamming_window)
    reveal_type(spectra)  # R: Operand[TComplex128, tuple[Any, ...]]
    window = functions.inverse_stft_window_fn(2, partial(functions.kaiser_window, beta=4.0))
    reveal_type(tf.signal.inverse_stft(spectra, 4, 2, window_fn=window))  # R: Operand[TFloat64, tuple[Any, ...]]
    reveal_type(tf.signal.dct(x, 4, norm="ortho"))  # R: Operand[TFloat32, tuple[int, int]]
    reveal_type(functions.idct(scope, x, n=7))  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(tf.signal.mdct(v, 8))  # R: Operand[TFloat64, tuple[Any, ...]]
    reveal_type(tf.signal.hann_window(8))  # R: Operand[TFloat32, tuple[Any]]
    reveal_type(tf.signal.hann_window(8, dtype=tg.TFloat64))  # R: Operand[TFloat64, tuple[Any]]
    reveal_type(functions.kaiser_window(scope, 8, v[0]))  # R: Operand[TFloat32, tuple[Any]]
    reveal_type(tf.signal.linear_to_mel_weight_matrix(dtype=tg.TFloat64))  # R: Operand[TFloat64, tuple[Any, Any]]
    reveal_type(tf.signal.mfccs_from_log_mel_spectrograms(v))  # R: Operand[TFloat64, tuple[int]]


def derivatives(scope: tg.Scope, x: Matrix, v: Vector) -> None:
    reveal_type(tg.jacobian(scope, x, v))  # R: Operand[TFloat64, tuple[Any, ...]]
    reveal_type(tg.hessian(scope, v, x))  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(tg.hvp(scope, x, v, [1.0, 2.0]))  # R: Operand[TFloat64, tuple[int]]
    reveal_type(tg.hvp(scope, x, (x, v), [x, v]))  # R: tuple[Operand[TFloat32, tuple[int, int]], Operand[TFloat64, tuple[int]]]


def of_one(scope: tg.Scope, dy: Matrix) -> Matrix:
    return dy


def of_two(scope: tg.Scope, dx: Matrix, dv: Vector) -> tuple[Matrix, Vector]:
    return dx, dv


@tg.custom_gradient
def one(scope: tg.Scope, x: Matrix, by: float = 1.0) -> tuple[Matrix, tg.GradientFunction]:
    return x, of_one


@tg.custom_gradient
def two(scope: tg.Scope, x: Matrix, v: Vector) -> tuple[tuple[Matrix, Vector], tg.GradientFunction]:
    return (x, v), of_two


def custom(scope: tg.Scope, x: Matrix, v: Vector) -> None:
    reveal_type(one(scope, x, by=2.0))  # R: Output[TFloat32, tuple[int, int]]
    reveal_type(two(scope, x, v))  # R: tuple[Output[TFloat32, tuple[int, int]], Output[TFloat64, tuple[int]]]
