"""What `run` returns has the element type and shape of its fetch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import typegrad as tg
from typegrad.op import core


def fetches(
    session: tg.Session,
    x: tg.Operand[tg.TFloat32],
    n: tg.Operand[tg.TInt32],
    matrix: tg.Operand[tg.TFloat32, tuple[int, int]],
    variable: tg.Variable[tg.TFloat32],
    step: core.NoOp,
) -> None:
    single: NDArray[np.float32] = session.run(n)  # E: - / reportAssignmentType
    double: NDArray[np.float64] = session.run(x)  # E: - / reportAssignmentType
    vector: np.ndarray[tuple[int], np.dtype[np.float32]] = session.run(matrix)  # E: - / reportAssignmentType
    nothing: NDArray[np.float32] = session.run(step)  # E: - / reportAssignmentType
    array: NDArray[np.float32] = session.run([x])  # E: - / reportAssignmentType
    named: list[NDArray[np.float32]] = session.run({"x": x})
    session.run("x")  # E: - / reportArgumentType, reportCallIssue
    session.run(variable)  # E: - / reportArgumentType, reportCallIssue
    session.run([x, "n"])  # E: - / reportArgumentType, reportCallIssue
    session.runner().fetch(step).run()  # E: - / reportArgumentType
    session.runner().add_target("step").run()  # E: - / reportArgumentType
    print(single, double, vector, nothing, array, named)
