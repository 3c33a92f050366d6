"""The facade: the types of the classes."""

from __future__ import annotations

from typing import reveal_type

import typegrad as tg


def facade(tf: tg.Ops, x: tg.Operand[tg.TFloat32, tuple[int, int]]) -> None:
    reveal_type(tf.math.add(x, x))  # R: Add[TFloat32, Any]
    reveal_type(tf.nn.relu(x))  # R: Relu[TFloat32, tuple[int, int]]
    reveal_type(tf.placeholder(tg.TInt32))  # R: Placeholder[TInt32, tuple[Any, ...]]
    reveal_type(tf.constant([1.0]))  # R: Constant[TFloat32, tuple[Any, ...]]
    reveal_type(tf.shape(x, out_type=tg.TInt64))  # R: Shape[TInt64, tuple[Any]]
    reveal_type(tf.with_sub_scope("inner"))  # R: Ops
    reveal_type(tf.random.random_uniform((2,), tg.TFloat64))  # R: RandomUniform[TFloat64, tuple[Any, ...]]
    reveal_type(tg.Ops.create(tf.scope.graph))  # R: Ops
