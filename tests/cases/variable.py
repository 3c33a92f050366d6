"""Cases of `ops/variable.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case, Var
from support.samples import NUMBER, sample, strings, values

ALL = (*NUMBER, "bool")


def updates(op: str) -> Iterator[Case]:
    """Assignments that add or subtract: every dtype, and what does not fit."""
    yield from (Case(op, (Var(sample(dtype, (2, 3))), sample(dtype, (2, 3), seed=1))) for dtype in NUMBER)
    yield Case(op, (Var(np.array([100, -100], np.int8)), np.array([100, 100], np.int8)))
    yield Case(op, (Var(sample("float", ())), sample("float", (), seed=1)))
    yield Case(op, (Var(sample("float", (0, 2))), sample("float", (0, 2))))
    yield Case(op, (Var(sample("float", (2, 3))), sample("float", (3,))), fails=True)
    yield Case(op, (Var(sample("float", (2, 3))), sample("float", ())), fails=True)
    yield Case(op, (Var(sample("float", (2, 3))), sample("double", (2, 3))), fails=True)
    yield Case(op, (Var(None), sample("float", (2, 3))), fails=True)
    yield Case(op, (Var(sample("bool", (2,))), sample("bool", (2,))), fails=True)
    yield Case(op, (Var(strings("a")), strings("b")), fails=True)


def counts() -> Iterator[Case]:
    """Counters below, at and above their limits, and variables that do not count."""
    op = "ResourceCountUpTo"
    for dtype in ("int32", "int64"):
        for start, limit in ((3, 4), (-3, 0), (3, 3), (3, -3)):
            yield Case(op, (Var(values(dtype, start)[0]),), {"T": dtype, "limit": limit}, fails=start >= limit)
    yield Case(op, (Var(values("int64", 3)[0]),), {"T": "int64", "limit": 2**40})
    yield Case(op, (Var(values("int32", 3)[0]),), {"T": "int32", "limit": 2**40}, fails=True)
    yield Case(op, (Var(values("int32", 3)[0]),), {"T": "int64", "limit": 4}, fails=True)
    yield Case(op, (Var(values("int32", 3)),), {"T": "int32", "limit": 4}, fails=True)


CASES: list[Case] = [
    Case("VarHandleOp", (), {"dtype": "float", "shape": (2, 3)}),
    Case("VarHandleOp", (), {"dtype": "int32", "shape": None, "shared_name": "counter"}),
    *(Case("ReadVariableOp", (Var(sample(dtype, (2, 3))),), {"dtype": dtype}) for dtype in ALL),
    Case("ReadVariableOp", (Var(strings("a", "b")),), {"dtype": "string"}),
    Case("ReadVariableOp", (Var(sample("float", ())),), {"dtype": "float"}),
    Case("ReadVariableOp", (Var(sample("float", (2,))),), {"dtype": "int32"}, fails=True),
    Case("ReadVariableOp", (Var(None),), {"dtype": "float"}, fails=True),
    *(Case("AssignVariableOp", (Var(sample(dtype, (2, 3))), sample(dtype, (2, 3), seed=1))) for dtype in ALL),
    Case("AssignVariableOp", (Var(strings("a", "b")), strings("c", ""))),
    Case("AssignVariableOp", (Var(None), sample("float", (2, 3)))),
    Case("AssignVariableOp", (Var(None), sample("float", (2, 3))), {"validate_shape": True}),
    Case("AssignVariableOp", (Var(sample("float", (2, 3))), sample("float", (2, 3)))),
    Case("AssignVariableOp", (Var(sample("float", (2, 3))), sample("float", (3, 2))), fails=True),
    Case("AssignVariableOp", (Var(sample("float", (2, 3))), sample("float", ())), fails=True),
    Case("AssignVariableOp", (Var(sample("float", (2, 3))), sample("int32", (2, 3))), fails=True),
    *updates("AssignAddVariableOp"),
    *updates("AssignSubVariableOp"),
    Case("VarIsInitializedOp", (Var(sample("float", (2,))),)),
    Case("VarIsInitializedOp", (Var(None),)),
    *counts(),
    *(Case("VariableShape", (Var(sample("float", shape)),)) for shape in ((2, 3), (0, 2), ())),
    Case("VariableShape", (Var(strings("a", "b")),), {"out_type": "int64"}),
    Case("VariableShape", (Var(None),), fails=True),
]
