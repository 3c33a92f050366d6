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
    single: NDArray[np.float32] = session.run(n)  # E: arg-type / reportAssignmentType
    double: NDArray[np.float64] = session.run(x)  # E: arg-type / reportAssignmentType
    vector: np.ndarray[tuple[int], np.dtype[np.float32]] = session.run(matrix)  # E: arg-type / reportAssignmentType
    nothing: NDArray[np.float32] = session.run(step.op)  # E: assignment / reportAssignmentType
    array: NDArray[np.float32] = session.run([x])  # E: assignment / reportAssignmentType
    named: dict[int, NDArray[np.float32]] = session.run({"x": x})  # E: assignment / reportAssignmentType
    session.run(3)  # E: call-overload / reportArgumentType, reportCallIssue
    session.run([x, [x, 3]])  # E: list-item / reportArgumentType, reportCallIssue
    session.run({"x": (x, 3.5)})  # E: dict-item / reportArgumentType, reportCallIssue
    session.runner().fetch(step).run()  # E: arg-type / reportArgumentType
    session.runner().fetch([x]).run()  # E: arg-type / reportArgumentType
    session.runner().add_target(3).run()  # E: arg-type / reportArgumentType
    exact: NDArray[np.float64] = session.run(variable)  # E: arg-type / reportAssignmentType
    print(single, double, exact, vector, nothing, array, named)
