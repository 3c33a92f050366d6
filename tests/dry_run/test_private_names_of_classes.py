"""Names with two underscores in front, which each class has for itself."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
def five(n):
    return np.zeros((2, 5), np.float32) @ np.zeros((n, 2), np.float32)
class Base:
    __size = 5
    def __init__(self, size):
        self.__rows = size
    def rows(self):
        return self.__rows
    def size(self):
        return self.__size + self.__more()
    @staticmethod
    def __more():
        return 0
class Model(Base):
    def __init__(self, size):
        super().__init__(size + 1)
        self.__rows = size
    def own(self):
        return self.__rows
    def change(self):
        self.__rows = 6
"""
_FIVE: Final = "[2, 5] and [4, 2] do not fit"
PROGRAMS: Final = {
    "each class has its own": """
five(Model(5).own())
five(Model(4).rows())
five(Model(4).size())
five(Model(4).own())  # E-five
""",
    "a method": """
class Private:
    def fit(self, n):
        self.__build(n)
    def __build(self, n):
        def inner():
            return self.__class__.__made(n)
        self.result = inner()
    @classmethod
    def __made(cls, n):
        return five(n)
Private().fit(4)  # E-five
""",
    "a class in a class, and names of a class's body": """
class _Outer:
    __sizes = [5, 4]
    class __Inner:
        __n = __m = 4
        def get(self):
            return self.__n
    __inner = __Inner()
    five(__sizes[0])
    def get(self):
        global __n
        __n = 5
        return self.__inner.get()
five(_Outer._Outer__sizes[0])
five(_Outer().get() + 1)
five(_Outer__n)
five(_Outer().get())  # E-five
""",
    "a branch on trial": """
class Chooser(Model):
    __n = 4
    def __call__(self):
        if unknown.flag:
            five(self.__n)
Chooser(5)()  # E-five
""",
    "what may be assigned": """
model = Model(5)
if unknown.flag:
    model.change()
five(model.own())
five(model._Model__rows)
for _ in range(unknown.number):
    model.change()
five(model.own() - 1)
""",
    "an attribute that only another class has": """
class Other(Base):
    def get(self):
        return self.__rows  # E: 'Other' object has no attribute '_Other__rows'
Other(5).get()
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, tmp_path: Path) -> None:
    """`five(n)` is right for 5 alone, and its error is in that function."""
    prelude = (
        PRELUDE.replace("(n, 2), np.float32)", f"(n, 2), np.float32)  # E: {_FIVE}")
        if "# E-five" in PROGRAMS[name]
        else PRELUDE
    )
    assert differences(tmp_path, prelude + PROGRAMS[name].replace("  # E-five", "")) == []
