"""What has no items is neither gone through nor unpacked, and what is no context manager is not entered."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import enum
class Net:
    def __init__(self):
        self.w = [tg.Variable.create(scope, 1.0), tg.Variable.create(scope, 2.0)]
    def parameters(self):
        return self.w
class Mode(enum.Enum):
    FAST = 1
class Paged:
    def __getitem__(self, index):
        return [1, 2][index]
class Derived(unknown.Base):
    pass
@unknown.decorator
class Decorated:
    pass
class Changed:
    pass
net, n, session = Net(), 3, tg.Session(scope.graph)
"""
WRONG: Final = {
    "a method in a generator": "sum(p * p for p in net.parameters)  # E: 'method' object is not iterable",
    "a function": "for p in differs:  # E: 'function' object is not iterable\n    pass",
    "an integer": "[x * i for i in n]  # E: 'int' object is not iterable",
    "a float": "for i in 3.0:  # E: 'float' object is not iterable\n    pass",
    "None": "for i in print():  # E: 'NoneType' object is not iterable\n    pass",
    "an object": "for i in net:  # E: 'Net' object is not iterable\n    pass",
    "a class": "list(Net)  # E: 'type' object is not iterable",
    "a scope": "max(p for p in scope)  # E: 'Scope' object is not iterable",
    "an integer that is unpacked": "a, b = n  # E: cannot unpack non-iterable int object",
    "a method that is unpacked": "a, *b = net.parameters  # E: cannot unpack non-iterable method object",
    "items that are unpacked": "for a, b in [1, 2]:  # E: cannot unpack non-iterable int object\n    pass",
    "items of a list": "[*n]  # E: Value after * must be an iterable, not int",
    "arguments": "print(*n)  # E: Value after * must be an iterable, not int",
    "items of a dict": "{**n}  # E: 'int' object is not a mapping",
    "a graph that is entered": "with scope.graph:  # E: a graph is not entered\n    pass",
    "an object that is entered": "with net:  # E: 'Net' object does not support the context manager protocol\n    pass",
}
RIGHT: Final = {
    "what has items": "for i in [*Mode, *Paged(), *np.eye(2), *x.shape[1:], *'ab']:\n    pass\na, *b = Paged()",
    "what may have items": (
        "for made in (Derived(), Decorated(), unknown.made()):\n    for i in made:\n        pass\n    a, *b = made"
        "\n    print(*made)\n    with made:\n        pass"
    ),
    "a class that is changed": (
        "unknown.change(Changed)\nfor i in Changed():\n    pass\nwith Changed():\n    pass\n"
        "Net.__iter__ = lambda self: iter(self.w)\nfor i in net:\n    pass"
    ),
    "what is caught": "try:\n    a, b = n\nexcept TypeError:\n    a = b = n\nx + a",
    "what may be a list": "m = [1] if unknown.flag else n\nif isinstance(m, list):\n    for i in m:\n        pass",
    "what is in the place of others": (
        "with session, scope, open('a') as file, np.errstate(all='ignore'):\n    for line in file:\n        pass"
    ),
}


@pytest.mark.parametrize("program", [*WRONG.values(), *RIGHT.values()], ids=[*WRONG, *RIGHT])
def test_what_is_taken(program: str, tmp_path: Path) -> None:
    lines = "".join(f"    {each}\n" for each in program.split("\n"))
    assert not differences(tmp_path, f"{PRELUDE}def differs():\n{lines}differs()\n")
