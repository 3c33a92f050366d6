"""Lists in the place of operands, however they are made."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
import numpy as np
import typegrad as tg
from typegrad.op import core, math
"""
BEYOND: Final = "is beyond int32, which holds -2147483648..2147483647; use a wider type"
PROGRAMS: Final = {
    "by expressions": """
def program(scope: tg.Scope, flag: bool) -> None:
    x, numbers = core.Fill.create(scope, (1, 3), 1.0), [1.0, 2.0, 3.0]
    reveal_type(x + [0.5] * 3)  # R: Operand[TFloat32, tuple[Literal[1], Literal[3]]]
    reveal_type(x + ([1.0] + [2.0, 3.0]))  # R: Operand[TFloat32, tuple[Literal[1], Literal[3]]]
    reveal_type(x + [float(each) for each in numbers])  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(x + [*range(3)])  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(x - tuple(range(3)))  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(x @ [[each] for each in numbers])  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(x + (numbers or [1.0]))  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(math.Maximum.create(scope, x, [0.0] * 3))  # R: Maximum[TFloat32, tuple[Literal[1], Literal[3]]]
    reveal_type(math.Maximum.create(scope, x, list(map(float, numbers))))  # R: Maximum[TFloat32, tuple[Any, ...]]
    reveal_type(x @ ([[1.0], [2.0]] if flag else [[1.0], [2.0], [3.0]]))  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "nested tuples of a function": """
def pairs() -> tuple[tuple[int, int], tuple[int, int]]:
    return (1, 2), (3, 4)
def program(scope: tg.Scope) -> None:
    reveal_type(core.Constant.create(scope, pairs()))  # R: Constant[TInt32, tuple[Literal[2], Literal[2]]]
""",
    "what does not fit": """
def program(scope: tg.Scope, objects: list[object], words: list[str]) -> None:
    x = core.Fill.create(scope, (1, 3), 1)
    x + [0.5] * 3  # E: AddV2: x is int32 but y holds a Python float; cast x with dtypes.Cast, or write an int  [typegrad-dtype]
    core.Fill.create(scope, (1, 3), 2) + [float(each) for each in words]  # E: AddV2: x is int32 but y holds a Python float; cast x with dtypes.Cast, or write an int  [typegrad-dtype]
    x + [1] * 4  # E: AddV2: shapes [1, 3] and [4] do not broadcast: 3 and 4 are neither equal nor 1  [typegrad-shape]
    x + list(objects)  # E: AddV2: y is of type list[object], but must be an operand or a value that the operation takes  [typegrad-dtype]
""",
    "what is no constant": f"""
def program(scope: tg.Scope, tf: tg.Ops) -> None:
    core.Constant.create(scope, [2**63, 0])  # E: Constant: attribute `value`: 9223372036854775808 {BEYOND}, such as tg.TUint64  [typegrad-dtype]
    core.Constant.create(scope, [[1.0], [2.0, 3.0]])  # E: Constant: attribute `value`: [[1.0], [2.0, 3.0]] is not a rectangular array: [0] has 1 element, [1] has 2 elements  [typegrad-dtype]
    core.Constant.create(scope, [1, 2.5], tg.TInt8)  # E: Constant: attribute `value`: [1, 2.5] is not int8; write an int  [typegrad-dtype]
    core.Constant.create(scope, "a", tg.TInt8)  # E: Constant: attribute `value`: the Python str 'a' is not int8; write an int  [typegrad-dtype]
    core.Constant.create(scope, -1, tg.TUint8)  # E: Constant: attribute `value`: -1 is beyond uint8, which holds 0..255; use a wider type, such as tg.TInt64  [typegrad-dtype]
    tf.constant([2**31, 0])  # E: Constant: attribute `value`: 2147483648 {BEYOND}, such as tg.TInt64  [typegrad-dtype]
    tg.Variable.create(scope, [1, 2**31])  # E: Variable.create: initial_value: 2147483648 {BEYOND}, such as tg.TInt64  [typegrad-dtype]
    tg.Variable.create(scope, [1, 300], tg.TInt8)  # E: Variable.create: initial_value: 300 is beyond int8, which holds -128..127; use a wider type, such as tg.TInt64  [typegrad-dtype]
""",
    "what is a constant": """
def program(scope: tg.Scope, dtype: type[tg.TInt64]) -> None:
    core.Constant.create(scope, np.array([1, 2**40]))
    core.Constant.create(scope, [np.int64(2**40), np.int64(1)])
    core.Constant.create(scope, np.array([1.5]), tg.TFloat16)
    core.Constant.create(scope, [[]])
    core.Constant.create(scope, [1, 2**31], dtype=tg.TFloat32)
    core.Constant.create(scope, [1, 2**31], dtype=dtype)
    core.Constant.create(scope, ((1, 2), (3, 4)), tg.TInt16)
    tg.Variable.create(scope, 2**31, dtype=tg.TFloat32)
    tg.Variable.create(scope, [1.0, 2])
""",
    "integers of NumPy as sizes": """
def program(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, (None, np.int64(6)))
    reveal_type(x)  # R: Placeholder[TFloat32, tuple[Any, Literal[6]]]
    reveal_type(core.Reshape.create(scope, x, (-1, np.prod((2, 3)))))  # R: Reshape[TFloat32, tuple[Any, Literal[6]]]
    reveal_type(core.Fill.create(scope, [np.int32(2), 3], 1.0))  # R: Fill[TFloat32, tuple[Any, Literal[3]]]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
