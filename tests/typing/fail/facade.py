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
    tf.linalg.mat_mul(x, n)  # E: - / reportArgumentType
    tf.math.add(b, b)  # E: - / reportArgumentType
    tf.math.conj(x)  # E: - / reportArgumentType
    tf.gather(x, x)  # E: - / reportArgumentType
    tf.placeholder("float32")  # E: - / reportArgumentType
    tf.nn.bias_add(x, x, data_format="NWHC")  # E: - / reportArgumentType
    tf.ensure_shape(x)  # E: - / reportCallIssue
    tf.linalg.mat_mul(x, x, transpose_c=True)  # E: - / reportCallIssue
    tf.matmul(x, x)  # E: - / reportAttributeAccessIssue
    tf.stop_gradient(1.0)  # E: - / reportArgumentType
    cube: tg.Operand[tg.TFloat32, tuple[int, int, int]] = tf.nn.relu(matrix)  # E: - / reportAssignmentType
    tg.Ops.create(x)  # E: - / reportArgumentType
    print(cube)
