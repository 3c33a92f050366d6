"""`tg.Ops` has every operation as a method, with the same types."""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np
from typing_extensions import TypeVar

import typegrad as tg
from typegrad.op import core, linalg, math, nn

F = TypeVar("F", bound=tg.TFloating)


def softplus(tf: tg.Ops, x: tg.Operand[F]) -> tg.Operand[F]:
    return tf.math.log1p(tf.math.exp(x))


graph = tg.Graph()
tf = tg.Ops.create(graph)
assert_type(tf, tg.Ops)
x = tf.placeholder(tg.TFloat32, shape=np.zeros((3, 3)).shape)
assert_type(x, core.Placeholder[tg.TFloat32, tuple[Any, Any]])
assert_type(tf.math.add(x, x), math.Add[tg.TFloat32, Any])
assert_type(tf.linalg.mat_mul(x, x, transpose_b=True), linalg.MatMul[tg.TFloat32, tuple[Any, Any]])
assert_type(tf.stop_gradient(x), core.StopGradient[tg.TFloat32, tuple[Any, Any]])
assert_type(tf.nn.relu(x), nn.Relu[tg.TFloat32, tuple[Any, Any]])
assert_type(tf.constant([1, 2]), core.Constant[tg.TInt32])
assert_type(tf.shape(x, out_type=tg.TInt64), core.Shape[tg.TInt64, tuple[Any]])
assert_type(tf.sum(x, 0), core.Sum[tg.TFloat32])
assert_type(tf.reshape(x, (-1,)), core.Reshape[tg.TFloat32])
assert_type(softplus(tf, x), tg.Operand[tg.TFloat32])
assert_type(tf.gradients(tf.sum(x), [x]).dy(0), tg.Operand[Any, Any])

inner = tf.with_sub_scope("inner")
assert_type(inner, tg.Ops)
assert_type(inner.with_name("product").math.mul(x, x), math.Mul[tg.TFloat32, Any])
assert_type(tf.with_control_dependencies([x]).with_device("/cpu:0").no_op(), core.NoOp)
assert_type(tg.Ops.create(inner.scope).scope, tg.Scope)
assert [op.name for op in graph.operations if op.type == "Mul"] == ["inner/product"]
