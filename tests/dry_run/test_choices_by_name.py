"""Behind a choice by a name that is not known, a program is followed: by `match`, and in functions that else raise."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
from dataclasses import dataclass
NAME = str(unknown.name)
def reshape(*sizes: int) -> None:
    core.Reshape.create(scope, np.ones(4), sizes)
@dataclass
class Point:
    x: int
    y: int
def size(name: str) -> int:
    if name == "four":
        return 4
    if name == "five":
        return 5
    raise ValueError(name)
"""
PROGRAMS: Final = {
    "a match": """
match NAME:
    case "a":
        rate = 1.0
    case _:
        rate = 2.0
np.zeros(3) * rate @ np.zeros(4)  # E: matmul
""",
    "what the cases change": """
width, items = 3, []
match NAME:
    case "a":
        width = 4
        items.append(1)
    case "b":
        width = 5
reshape(width)
items[0]
core.Reshape.create(scope, np.ones(4), (3,))  # E: cannot reshape
""",
    "names that patterns bind": """
n, rest = 3, {}
match (unknown.a, 4):
    case ("a", n):
        width = n
    case _:
        width = 3
reshape(width)
match {"k": unknown.a, "n": 5}:
    case {"k": "z", **rest}:
        pass
    case {"n": n, **rest}:
        pass
reshape(n)
rest["k"]
match Point(1, unknown.y):
    case Point(x=1, y=1):
        shape = (2, 2)
    case Point():
        shape = (1, 4)
reshape(*shape)
core.Reshape.create(scope, np.ones(4), (3,))  # E: cannot reshape
""",
    "cases that return, raise and leave a loop": """
def pick(name: str) -> tuple[int, ...]:
    match name:
        case "z":
            return (3, 3)
        case "q":
            raise KeyError(name)
    return (2, 2)
def all_return(name: str) -> int:
    match name:
        case "z":
            return 3
        case _:
            return 4
def loop(name: str) -> int:
    total = 0
    for each in ("a", "b", name):
        match each:
            case "a":
                continue
            case "b":
                total += 1
            case "z":
                break
            case _:
                total += 3
    return total
reshape(*pick(NAME))
reshape(all_return(NAME))
reshape(loop(NAME))
core.Reshape.create(scope, np.ones(4), (3,))  # E: cannot reshape
""",
    "a match that closes a session": """
session = tg.Session(scope.graph)
match NAME:
    case "z":
        session.close()
session.run(x, {x: np.zeros((2, 8), np.float32)})
""",
    "an error where the function has not returned": """
reshape(size(NAME))
np.zeros(size(NAME)) @ np.zeros((4, 2))
np.zeros((size(NAME), 3)) @ np.zeros((4, 2))  # E: matmul
""",
    "an error that is caught": """
def safe(name: str) -> int:
    try:
        return size(name) - 1
    except ValueError:
        return 4
def local(name: str) -> int:
    try:
        if name == "z":
            return 5
        raise ValueError(name)
    except ValueError:
        return 4
width = 3
try:
    width = size(NAME)
    reshape(5)
except ValueError:
    width = 4
reshape(safe(NAME))
reshape(local(NAME))
reshape(width)
core.Reshape.create(scope, np.ones(4), (3,))  # E: cannot reshape
""",
    "an error that becomes another one": """
def reraised(name: str) -> int:
    try:
        if name == "a":
            return 4
        raise ValueError(name)
    except ValueError as error:
        raise KeyError(name) from error
reshape(reraised(NAME))
core.Reshape.create(scope, np.ones(4), (3,))  # E: cannot reshape
""",
    "errors in and behind a loop": """
def found(name: str) -> int:
    for each in ("x", "a"):
        if each == name:
            return 4
        if each == "never":
            raise KeyError(each)
    raise ValueError(name)
reshape(found(NAME))
core.Reshape.create(scope, np.ones(4), (3,))  # E: cannot reshape
""",
    "a constructor": """
class Model:
    def __init__(self, name: str) -> None:
        self.size = 4
        if name == "a":
            return
        raise ValueError(name)
reshape(Model(NAME).size)
core.Reshape.create(scope, np.ones(4), (3,))  # E: cannot reshape
""",
    "a function that only raises": """
def refuse(name: str) -> None:
    raise ValueError(name)
if NAME == "a":
    refuse(NAME)
core.Reshape.create(scope, np.ones(4), (3,))  # E: cannot reshape
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + PROGRAMS[name]) == []
