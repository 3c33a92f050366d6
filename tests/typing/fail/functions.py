"""Functions refuse what they refuse when the program runs."""

from __future__ import annotations

import typegrad as tg

Matrix = tg.Operand[tg.TFloat32, tuple[int, int]]


def functions(scope: tg.Scope, tf: tg.Ops, x: Matrix, i: tg.Operand[tg.TInt32], w: tg.Operand[tg.TFloat64]) -> None:
    tf.nn.dropout(i, 0.5)  # E: type-var / reportArgumentType
    tf.nn.softmax(x, "last")  # E: call-overload / reportArgumentType, reportCallIssue
    tf.nn.sigmoid_cross_entropy(labels=w, logits=x)  # E: misc / reportArgumentType
    tf.nn.sigmoid_cross_entropy(x, x)  # E: call-arg / reportCallIssue
    tf.zeros(3)  # E: call-overload / reportArgumentType, reportCallIssue
    tf.ones((2,), tg.TString)  # E: arg-type, type-var / reportArgumentType, reportCallIssue
    tf.linalg.norm(i)  # E: type-var / reportArgumentType, reportCallIssue
    tf.math.reduce_variance(i)  # E: type-var / reportArgumentType, reportCallIssue
    tf.nn.l2_normalize(i)  # E: type-var / reportArgumentType
    tf.nn.moments(i, 0)  # E: type-var / reportArgumentType
    tf.print(x, summarize=None)  # E: arg-type / reportArgumentType
    tf.group([x])  # E: arg-type / reportArgumentType
    tf.math.logsumexp(i)  # E: type-var / reportArgumentType
    tf.signal.stft(i, 4, 2)  # E: arg-type / reportArgumentType, reportCallIssue
    tf.signal.stft(x, 4, 2, window_fn=tf.signal.hann_window)  # E: call-overload / reportArgumentType, reportCallIssue
    tf.signal.dct(x, 5)  # E: call-overload / reportArgumentType, reportCallIssue
    tf.signal.hann_window(8, dtype=tg.TInt32)  # E: type-var / reportArgumentType
    tg.jacobian(scope, x, i)  # E: type-var / reportArgumentType
    tg.check_gradients(scope, x, [x])  # E: arg-type / reportArgumentType


@tg.custom_gradient  # E: arg-type / reportArgumentType, reportCallIssue, reportUntypedFunctionDecorator
def without_gradient(scope: tg.Scope, x: Matrix) -> Matrix:
    return x


def of_sound(scope: tg.Scope, dy: Matrix) -> Matrix:
    return dy


@tg.custom_gradient
def sound(scope: tg.Scope, x: Matrix) -> tuple[Matrix, tg.GradientFunction]:
    return x, of_sound


def custom(scope: tg.Scope, w: tg.Operand[tg.TFloat64]) -> None:
    sound(scope, w)  # E: arg-type / reportArgumentType
    sound(scope)  # E: call-arg / reportCallIssue
