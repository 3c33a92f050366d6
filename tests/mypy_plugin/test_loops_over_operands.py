"""Operands that are iterated in comprehensions, divided or combined though they cannot be: one error in plain words."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
from typing import Any
import typegrad as tg
from typegrad.op import core, math, nn
scope = tg.Scope(tg.Graph())
xs = core.Placeholder.create(scope, tg.TFloat32, shape=(4, 3))
n = core.Placeholder.create(scope, tg.TInt32, shape=(3,))
parts = core.Unstack.create(scope, xs, 4)
either: tg.Operand[tg.TFloat32] | list[tg.Operand[tg.TFloat32]] = parts[0]
class Net:
    x = xs
"""
ITERATED: Final = (
    "E: xs cannot be iterated while the graph is built; core.Unstack makes a list of operands  [typegrad-call]"
)
COMPUTED: Final = ITERATED.replace("xs", "the operand")
FRACTION: Final = "E: / divides floating-point and complex numbers, not the operand, which is int32: cast it with dtypes.Cast  [typegrad-dtype]"
QUOTIENT: Final = "E: / divides floating-point and complex numbers, not the operand, which is int32: write // for the floor of the quotient, or convert with dtypes.Cast first  [typegrad-dtype]"
INTEGERS: Final = "is float32, but must be int8, int16, int32, int64, uint8, uint16, uint32 or uint64; comparisons need parentheses: (x > 0)"

PROGRAMS: Final = {
    "comprehensions": f"""
[x * 2 for x in xs]  # {ITERATED}
{{i: x for i, x in enumerate(xs)}}  # {ITERATED}
{{x for x in xs if x is not None}}  # {ITERATED}
{{i: 1 for i in xs}}  # {ITERATED}
sum(x for x in xs)  # {ITERATED}
[a + b for a, b in zip(xs, parts)]  # {ITERATED}
[x for x in list(xs)]  # {ITERATED}
[y for y in [x for x in xs]]  # {ITERATED}
[x for x in Net.x]  # E: Net.x {ITERATED.removeprefix("E: xs ")}
[values for values in nn.TopK.create(scope, xs, 2)]  # E: TopK is not an operand; take one of its outputs: .values, .indices  [typegrad-call]
[i for i in range(len(xs))]  # E: xs has no length; its static size is .shape[0], and core.Shape has the size in a run  [typegrad-call]
""",
    "statements": f"""
for i, x in enumerate(xs):  # {ITERATED}
    pass
for x, y in zip(range(4), xs):  # {ITERATED}
    pass
""",
    "what is computed": f"""
def same(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return x
def top(x: tg.Operand[tg.TFloat32]) -> nn.TopK[tg.TFloat32, tg.TInt32]:
    return nn.TopK.create(scope, x, 2)
class Pair:
    def __init__(self, x: tg.Operand[tg.TFloat32]) -> None:
        self.left, self.right = x * 2.0  # {COMPUTED}
    def both(self) -> tg.Operand[tg.TFloat32]:
        return self.left + self.right
a, b = xs * 2.0  # {COMPUTED}
a + b
c, d = same(xs)  # {COMPUTED}
def after() -> None:
    c * d
(e, f), g = same(xs), xs  # {COMPUTED}
h, *rest = (
    -xs  # {COMPUTED}
)
left, right = core.Split.create(scope, 0, xs, num_split=2)[0]  # {COMPUTED}
left * right
by_name = {{"x": xs}}
first, second = by_name["x"]  # {COMPUTED}
for row in same(xs):  # {COMPUTED}
    row + 1.0
[row + 1.0 for row in same(xs)]  # {COMPUTED}
core.Stack.create(scope, [*same(xs)])  # {COMPUTED}
print(*same(xs))  # {COMPUTED}
values, indices = top(xs)  # E: TopK is not an operand; take one of its outputs: .values, .indices  [typegrad-call]
for each in top(xs):  # E: TopK is not an operand; take one of its outputs: .values, .indices  [typegrad-call]
    pass
k, l = xs @ xs  # E: MatMul: inner dimensions differ: a is [4, 3], b is [4, 3]; linalg.MatMul with transpose_a=True or with transpose_b=True would fit  [typegrad-shape]
""",
    "what is computed, and has parts": """
from typing import NamedTuple
class Parts(NamedTuple):
    left: tg.Operand[tg.TFloat32]
    right: tg.Operand[tg.TFloat32]
def parts_of(x: tg.Operand[tg.TFloat32]) -> Parts:
    return Parts(x, x)
def both(x: tg.Operand[tg.TFloat32]) -> tuple[tg.Operand[tg.TFloat32], tg.Operand[tg.TFloat32]]:
    left, right = parts_of(x)
    return left * 2.0, right
a, b = both(xs)
c, d = core.Split.create(scope, 0, xs, num_split=2)
(e, f), g = both(a + b), c * d
for each in core.Unstack.create(scope, xs * 2.0, 4):
    each + 1.0
core.Stack.create(scope, [*both(xs)])
maybe = None
maybe()  # E: "None" not callable  [misc]
h, i = 3  # E: "int" object is not iterable  [misc]
h + 1
""",
    "comprehensions of lists": """
[x * 2 for x in parts]
{i: x for i, x in enumerate(parts)}
[x * y for x, y in zip(parts, [xs, xs])]
[each for each in either] if isinstance(either, list) else either
[xs for xs in parts if xs is not None]
[i for i in range(xs.shape.as_ints()[0])]
def several(operands: Any) -> list[Any]:
    return [x * 2 for x in operands]
""",
    "quotients": f"""
1.0 / (n + 1)  # {FRACTION}
(n + 1) / n  # {QUOTIENT}
(n * n - 1) / 2  # {QUOTIENT}
def rate(step: tg.Operand[tg.TInt32]) -> tg.Operand[tg.TFloat32]:
    return 0.1 / (1 + step)  # {FRACTION}
1.0 / (xs + 1)
(n + 1) // 2
""",
    "operators of bools and integers": f"""
xs & xs  # E: BitwiseAnd: x {INTEGERS} & (y < 1)  [typegrad-dtype]
xs | (xs > 0.0)  # E: BitwiseOr: x {INTEGERS} | (y < 1)  [typegrad-dtype]
3 ^ xs  # E: BitwiseXor: y {INTEGERS} ^ (y < 1); ** is for powers  [typegrad-dtype]
n & n | 3 ^ n
(xs > 0.0) & (xs < 1.0) | (xs > 2.0)
Number = int | None
Rows = tg.Operand | None
{{1, 2}} & set() | {{3}}
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
