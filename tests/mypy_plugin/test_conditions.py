"""Behind a condition that assigns a name by `:=` or not, the name has what both values have in common."""

from __future__ import annotations

from typing import Final

import pytest

from mypy_plugin.checking import disagreements
from support.mypy_cache import REDEFINITION

HEADER: Final = """\
from typing import Literal, NewType
import typegrad as tg
from typegrad.op import core
Batch = NewType("Batch", int)
X = tg.Operand[tg.TFloat32, tuple[Batch, Literal[6]]]
def program(x: X, wide: bool, parts: list[X], maybe: X | None) -> None:
    h = x[:, :2]
"""
PROGRAMS: Final = {
    "and": """
    if wide and (h := x[:, :3]) is not None:
        reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    else:
        reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Any]]
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Any]]
    h @ h  # E: MatMul: inner dimensions differ: a is [Batch, 2], b is [Batch, 2]; linalg.MatMul with transpose_a=True or with transpose_b=True would fit; here h is [Batch, 2] or [Batch, 3], and no shape fits  [typegrad-shape]
""",
    "or": """
    if not wide or (h := x[:, :3]).rank == 1:
        reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Any]]
    else:
        reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "without a branch": """
    if wide and (h := x[:, :3]).rank:
        pass
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "one behind the other": """
    if wide and (h := x[:, :3]).rank == 1:
        h = x[:, :4]
    elif (h := x[:, :5]).rank == 2 and wide:
        reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[5]]]
    else:
        h = x
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "a loop": """
    while parts and (h := parts.pop()) is not None:
        reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[6]]]
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Any]]
    h[:, :4] * x[:, :4]
""",
    "a loop that assigns it, too": """
    while wide and (h := x[:, :3]).rank:
        h = x
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "other statements": """
    y = (h := x[:, :3]) if wide else x
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Any]]
    print(h := x[:, :1])
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[1]]]
    print(wide and (h := x[:, :3]))
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Any]]
    assert wide and (h := x[:, :4]).rank
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
    for _ in range(3 if wide and (h := y).rank else 4):
        reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Any]]
    print(wide == wide == ((h := x) is not None))
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "always": """
    if (h := x[:, :3]) is not None and wide:
        reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    if (k := x[:, :3]).rank == 2:
        k = x[:, :4]
        reveal_type(k)  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
""",
    "repeated": """
    if any((h := each[:, :5]).rank for each in parts):
        reveal_type(h)  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(h)  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "what may be no operand": """
    if wide and (k := maybe) is not None:
        reveal_type(k)  # R: Operand[TFloat32, tuple[Batch, Literal[6]]]
    n = 1
    if wide and (n := 2) > 1:
        reveal_type(n)  # R: int
    print(wide and (lambda: (h := x)))
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[2]]]
""",
    "a declared name and a parameter": """
    named: tg.Operand[tg.TFloat32] = x[:, :2]
    if wide and (named := x[:, :3]).rank:
        reveal_type(named)  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    reveal_type(named)  # R: Operand[TFloat32, tuple[Batch, Any]]
def given(x: tg.Operand[tg.TFloat32], wide: bool) -> None:
    if wide and (x := x.expect(tg.TFloat32, (2, 3))).rank:
        reveal_type(x)  # R: Output[TFloat32, tuple[Literal[2], Literal[3]]]
    reveal_type(x)  # R: Operand[TFloat32, tuple[Any, ...]]
""",
}


OPTION: Final = f"# mypy: {', '.join(REDEFINITION).replace('_', '-')}\n"
ALL: Final = {name: HEADER + program for name, program in PROGRAMS.items()}
ALL.update({f"redefined: {name}": OPTION + program for name, program in list(ALL.items())})


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return disagreements(tmp_path_factory.mktemp("programs"), ALL, "")


@pytest.mark.parametrize("name", ALL)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
