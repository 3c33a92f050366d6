"""Names of its module, and attributes of a class, that a program reads by a text."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
sizes = [7]
class Config:
    rows = 7
    steps = [7]
def change():
    sizes[0] = 8
def rename():
    global sizes
    sizes = [8]
def size(more=0):
    return 7 + more
def main():
    return x @ np.zeros((sizes[0], 2), np.float32)
"""
WRONG: Final = {
    "a function by its name": """
def call(name, options):
    return globals()[name](**options)
x @ np.zeros((call("size", {"more": 2}), 2), np.float32)  # E: a is [Batch, 8], b is [9, 2]
""",
    "a list by its name": "x @ np.zeros((globals()['sizes'][0], 2), np.float32)  # E: b is [7, 2]",
    "what follows a name that is not known": """
def chosen():
    return globals()[unknown.name]
chosen()
x @ np.zeros((7, 2), np.float32)  # E: inner dimensions
""",
}
WRONG_CLASSES: Final = {
    "settings that are copied": """
class Model:
    def __init__(self, config):
        settings = {k: v for k, v in config.__dict__.items() if not k.startswith("__")}
        for name, value in settings.items():
            setattr(self, name, value)
x @ np.zeros((Model(Config).rows, 2), np.float32)  # E: b is [7, 2]
""",
    "settings that are listed": """
class Model:
    def __init__(self, config):
        for name in dir(config):
            if not name.startswith("__"):
                setattr(self, name, getattr(config, name))
x @ np.zeros((Model(Config).rows, 2), np.float32)  # E: b is [7, 2]
""",
    "a setting that changes": """
settings = vars(Config)
Config.rows = 8
x @ np.zeros((settings["rows"], 2), np.float32)
Config.rows = 9
x @ np.zeros((settings["rows"], 2), np.float32)  # E: b is [9, 2]
""",
}
RIGHT: Final = {
    "a class that may be changed": """
settings = vars(Config)
unknown.change(Config)
x @ np.zeros((settings["rows"], 2), np.float32)
x @ np.zeros((dict(settings)["rows"], 2), np.float32)
""",
    "a setting that may be changed": """
settings = vars(Config)
if unknown.flag:
    Config.rows = 8
x @ np.zeros((settings["rows"], 2), np.float32)
""",
    "a list of a class that may be changed": """
if unknown.flag:
    vars(Config)["steps"][0] = 8
    for value in Config.__dict__.values():
        unknown.change(value)
x @ np.zeros((Config.steps[0], 2), np.float32)
""",
    "a function of which the name is not known": "globals()[unknown.name](8)\nmain()",
    "a function that a method gives": "globals().get('change')()\nmain()",
    "a name that is bound": "globals()['sizes'] = [8]\nmain()",
    "names that are bound": "globals().update(sizes=[8])\nmain()",
    "names that others have": "unknown.change(globals())\nmain()",
    "a name that may be bound": "if unknown.flag:\n    globals()['sizes'] = [8]\nmain()",
    "a list that may be changed": "if unknown.flag:\n    globals()['sizes'][0] = 8\nmain()",
    "a function that may be called": "if unknown.flag:\n    globals()['change']()\nmain()",
    "a function that may be called by others": """
def call(name):
    globals()[name]()
if unknown.flag:
    call("rename")
main()
""",
    "a loop": "for _ in range(unknown.number):\n    globals()['change']()\nmain()",
}


@pytest.mark.parametrize("program", [*WRONG.values(), *WRONG_CLASSES.values()], ids=[*WRONG, *WRONG_CLASSES])
def test_an_error_is_told(program: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + program) == []


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_told(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + RIGHT[name]) == []
