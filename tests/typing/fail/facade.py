"""The facade refuses what the classes refuse."""

from __future__ import annotations

import typegrad as tg


def facade(
    graph: tg.Graph,
    x: tg.Operand[tg.TFloat32],
    n: tg.Operand[tg.TInt32],
    b: tg.Operand[tg.TBool],
    matrix: tg.Operand[tg.TFloat32, tuple[int, int]],
) -> None:
    tf = tg.Ops.create(graph)
    tf.linalg.mat_mul(x, n)  # E: misc / reportArgumentType
    tf.math.add(b, b)  # E: type-var / reportArgumentType
    tf.math.conj(x)  # E: type-var / reportArgumentType
    tf.gather(x, x)  # E: arg-type / reportArgumentType
    tf.placeholder("float32")  # E: call-overload / reportArgumentType
    tf.nn.bias_add(x, x, data_format="NWHC")  # E: arg-type / reportArgumentType
    tf.ensure_shape(x)  # E: call-arg / reportCallIssue
    tf.linalg.mat_mul(x, x, transpose_c=True)  # E: call-arg / reportCallIssue
    tf.matmul(x, x)  # E: attr-defined / reportAttributeAccessIssue
    tf.stop_gradient(None)  # E: arg-type / reportArgumentType
    cube: tg.Operand[tg.TFloat32, tuple[int, int, int]] = tf.nn.relu(matrix)  # E: arg-type / reportAssignmentType
    tg.Ops.create(x)  # E: arg-type / reportArgumentType
    print(cube)
