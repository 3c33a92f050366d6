"""Other names of `create` are checked as `create` is."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
import functools
from typing import Any, Literal, NewType
import typegrad as tg
from typegrad.op import core, linalg, math, nn
Batch = NewType("Batch", int)
Rows = tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]
Square = tg.Operand[tg.TFloat32, tuple[Literal[3], Literal[3]]]
Counts = tg.Operand[tg.TInt32, tuple[Batch]]
"""

PROGRAMS: Final = {
    "an alias": """
def program(scope: tg.Scope, tf: tg.Ops, x: Rows, w: Square, n: Counts) -> None:
    dense = linalg.MatMul.create
    reveal_type(dense(scope, x, w))  # R: MatMul[TFloat32, tuple[Batch, Literal[3]]]
    dense(scope, x, n)  # E: MatMul: a is float32 but b is int32; cast one with dtypes.Cast  [typegrad-dtype]
    multiply = tf.linalg.mat_mul
    reveal_type(multiply(x, w))  # R: MatMul[TFloat32, tuple[Batch, Literal[3]]]
""",
    "a partial": """
def program(scope: tg.Scope, x: Rows, w: Square, n: Counts) -> None:
    dense = functools.partial(linalg.MatMul.create, scope)
    reveal_type(dense(x, w))  # R: MatMul[TFloat32, tuple[Batch, Literal[3]]]
    dense(x, n)  # E: MatMul: a is float32 but b is int32; cast one with dtypes.Cast  [typegrad-dtype]
    dense(x)  # E: MatMul.create() needs `b`; it is called as MatMul.create(scope, a, b, transpose_a=False, transpose_b=False, grad_a=False, grad_b=False)  [typegrad-call]
    turned = functools.partial(linalg.MatMul.create, scope, transpose_b=True)
    reveal_type(turned(x, x))  # R: MatMul[TFloat32, tuple[Batch, Batch]]
""",
    "a partial of a name that there is not, which is told once": """
leaky = functools.partial(nn.LeakyRelu.create, slope=0.1)  # E: LeakyRelu.create() takes no argument `slope`; it takes `alpha`, `features`  [typegrad-call]
def program(scope: tg.Scope, x: Rows) -> None:
    leaky(scope, x)
    leaky(scope, x) + leaky(scope, x)
    misspelt = functools.partial(nn.LeakyRelu.create, scope, alhpa=0.1)  # E: LeakyRelu.create() takes no argument `alhpa`; did you mean `alpha`?  [typegrad-call]
    sharp = functools.partial(nn.LeakyRelu.create, scope, alpha=0.1)
    reveal_type(sharp(x))  # R: LeakyRelu[TFloat32, tuple[Batch, Literal[3]]]
""",
    "no alias": """
def program(x: Rows) -> None:
    double: Any = lambda n: n * 2
    double(x)
    parse = functools.partial(int, base=2)
    reveal_type(parse("1"))  # R: int
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
