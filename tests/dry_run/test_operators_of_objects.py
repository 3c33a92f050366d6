"""Python's operators of objects of the program: what no class of them defines is an error."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
class Plain:
    pass
class Scaled:
    def __mul__(self, other):
        return 8 if isinstance(other, int) else NotImplemented
    __rmul__ = __mul__
    def __lt__(self, other):
        return True
"""
WRONG: Final = {
    "a number and an object": """
def total(weight, loss):
    return weight * loss  # E: unsupported operand type(s) for *: 'float' and 'Plain'
total(0.5, Plain())
""",
    "an unknown number": "int(unknown.n) - Plain()  # E: unsupported operand type(s) for -: 'int' and 'Plain'",
    "a method that does not know the other": "Scaled() * \"a\"  # E: multiply sequence by non-int of type 'Scaled'",
    "an order": "Scaled() <= Scaled()  # E: '<=' not supported between instances of 'Scaled' and 'Scaled'",
    "a sign": "-Plain()  # E: bad operand type for unary -: 'Plain'",
    "a sum in place": "made = 1\nmade += Plain()  # E: unsupported operand type(s) for +: 'int' and 'Plain'",
}
RIGHT: Final = """
class Other(unknown.Base):
    pass
class Late:
    pass
Late.__add__ = lambda self, other: other
class Lost:
    pass
unknown.register(Lost)
x @ np.zeros((Scaled() * 2, 1), np.float32)
x @ np.zeros((2 * Scaled(), 1), np.float32)
Scaled() > Scaled(), Plain() == 2, Late() + 2, Other() * 2, 2 - Other(), Lost() * 2, 2 * Lost()
try:
    Plain() * 2
except TypeError:
    Plain() != 2
either = Plain() if unknown.flag else 2
either * 2
x @ np.zeros((7, 1), np.float32)  # E: inner dimensions
"""


@pytest.mark.parametrize("name", WRONG)
def test_what_no_class_defines(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + WRONG[name]) == []


def test_what_a_class_defines_or_may_define(tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + RIGHT) == []
