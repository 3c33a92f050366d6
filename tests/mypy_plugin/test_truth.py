"""An operand has no truth value; what follows is checked nonetheless."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from mypy_plugin.checking import check

HEADER: Final = """\
from __future__ import annotations
import functools
from itertools import takewhile
from typing import Any, Literal, NewType
import numpy as np
import typegrad as tg
from typegrad.op import core, linalg, math, nn
Batch = NewType("Batch", int)
Rows = tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]
Square = tg.Operand[tg.TFloat32, tuple[Literal[3], Literal[3]]]
Counts = tg.Operand[tg.TInt32, tuple[Batch]]
"""

PROGRAMS: Final = {
    "statements": """
def program(scope: tg.Scope, x: Rows, maybe: Rows | None, n: int) -> None:
    if x:  # E: x has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
        reveal_type(n)  # R: int
    while x > 0.0:  # E: the operand has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
        break
    assert x  # E: x has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    not x  # E: x has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    bool(x)  # E: x has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    both = x and x  # E: x has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    one = 1 if x else 2  # E: x has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    if n > 0 and maybe:  # E: maybe has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
        pass
    if maybe is not None and n:
        reveal_type(maybe)  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    n + "a"  # E: Unsupported operand types for + ("int" and "str")  [operator]
""",
    "in displays": """
def program(scope: tg.Scope, x: Rows) -> None:
    first = {"one": 1 if x else 2}  # E: x has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    second = {"nested": {"list": [not x]}}  # E: x has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    third = {(x and x, 1)}  # E: x has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    fourth = {"loss": math.Sum.create(scope, x)}  # E: module 'typegrad.op.math' has no attribute 'Sum'; did you mean `core.Sum` (from typegrad.op import core)?  [typegrad-call]
    reveal_type({"a": x, "b": x * 2.0})  # R: dict[str, Operand[TFloat32, tuple[Batch, Literal[3]]]]
""",
    "what follows a truth of an operation, whose class is final": """
def program(scope: tg.Scope, x: nn.Relu[tg.TFloat32, tuple[Batch, Literal[3]]]) -> int:
    if x:  # E: x has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
        return 1
    return "a"  # E: Incompatible return value type (got "str", expected "int")  [return-value]
""",
    "where names have no type before": """
def program(xs: list[Rows], ys: dict[str, Rows], maybe: list[Rows | None]) -> None:
    [v for v in xs if v]  # E: v has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    {k: v for k, v in ys.items() if k and v}  # E: v has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    {v for v in xs if v > 0.0}  # E: the operand has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    next(w for v in xs for w in [v] if w)  # E: w has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    [1 if v else 2 for v in xs]  # E: v has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    sorted(xs, key=lambda v: not v)  # E: v has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    [v for v in maybe if v]  # E: v has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    [v for v in maybe if v is not None and v.shape]
""",
    "items": """
def program(xs: list[Rows], ys: dict[str, Rows], names: list[str], anything: list[Any]) -> None:
    any(xs)  # E: an item of xs has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    all(ys.values())  # E: an item has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    any(v > 0.0 for v in xs)  # E: the operand has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    all([xs[0] > 0.0, xs[1] < 0.0])  # E: the operand has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    filter(None, xs)  # E: an item of xs has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    list(filter(lambda v: v > 0.0, xs))  # E: the operand has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    takewhile(lambda v: v, xs)  # E: v has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    any(v is None for v in xs)
    any(names) and all(anything) and any(ys)
    list(filter(lambda v: v.shape.rank == 2, xs))
""",
    "equality with a value, which is never so": """
def program(x: Rows, xs: list[Rows], array: np.ndarray[Any, np.dtype[np.float32]], rate: Rows | float, n: int) -> None:
    if x == 0.0:  # E: == of an operand and a value is always False, as it asks whether they are the same object; math.Equal.create(scope, x, y) compares values  [typegrad-truth]
        reveal_type(n)  # R: int
    assert 1 != x  # E: != of an operand and a value is always True, as it asks whether they are the same object; math.NotEqual.create(scope, x, y) compares values  [typegrad-truth]
    while n > 0 and x * 2.0 == array:  # E: == of an operand and a value is always False, as it asks whether they are the same object; math.Equal.create(scope, x, y) compares values  [typegrad-truth]
        break
    one = 1 if x == [1.0, 2.0] else 2  # E: == of an operand and a value is always False, as it asks whether they are the same object; math.Equal.create(scope, x, y) compares values  [typegrad-truth]
    [v for v in xs if v == 1]  # E: == of an operand and a value is always False, as it asks whether they are the same object; math.Equal.create(scope, x, y) compares values  [typegrad-truth]
    any(v == 1 for v in xs)  # E: == of an operand and a value is always False, as it asks whether they are the same object; math.Equal.create(scope, x, y) compares values  [typegrad-truth]
    if rate == 0.0 or x == xs[0] or x.shape[0] == 2 or x == None or x in xs or n == 2:
        reveal_type(n)  # R: int
    is_same = x == xs[0], x != rate
""",
    "guards": """
def program(x: Rows | int) -> Rows:
    match x:
        case int() as n if n > 2:
            raise ValueError(n)
        case int():
            raise ValueError
        case v if v:  # E: v has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
            return v
    return x
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])


UNCHECKED: Final = """\
# mypy: no-check-untyped-defs, allow-untyped-defs, allow-untyped-calls
import typegrad as tg
from typegrad.op import core
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TInt32, (None, 3))
def decode(y, end, steps):
    total = core.Sum.create(scope, y, 1)
    for _ in range(steps):
        y = y + 1
        if steps > 1 and core.Sum.create(scope, y, 1) == end:  # 10
            break
        assert y != 0 and 0 != total  # 12
    return [each for each in (y, total) if each == total and total == y]
def at_most(y, end):
    one = y if y == 0 else core.Sum.create(scope, y, 1)
    if one == 0 or y == 0:
        return end
def uncalled(y):
    return 1 if core.Sum.create(scope, y, 1) == 0 else 2
decode(x, 0, 3), at_most(x, 0), at_most(0, 0)
"""


def test_what_a_function_without_annotations_makes_equals_no_number(tmp_path: Path) -> None:
    told = check(tmp_path, {"program.py": UNCHECKED}).errors()
    assert [(each.line, each.text[:2], each.code) for each in told] == [
        (10, "==", "typegrad-truth"),
        (12, "!=", "typegrad-truth"),
    ]
