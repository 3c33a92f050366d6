"""Names of modules and classes that a program reads by texts: by `globals`, `getattr`, `__dict__`, `vars` and `dir`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import sys
flag = unknown.flag
SIZES = [5]
def five(n):
    return np.zeros((2, 5), np.float32) @ np.zeros((n, 2), np.float32)
def made(name, *args):
    return globals()[name](*args)
class Config:
    n = 5
    width = 7
def change():
    SIZES[0] = 6
def rename():
    global SIZES
    SIZES = [6]
def own(owner):
    return {name: value for name, value in owner.__dict__.items() if not name.startswith("__")}
"""
_FIVE: Final = "[2, 5] and [4, 2] do not fit"
PROGRAMS: Final = {
    "a function by its name": """
made("five", 5)
globals().get("five")(5)
globals()["fife"]  # E: there is no key 'fife'; did you mean 'five'?
""",
    "a module that asks for a name that it has not": """
def named(name):
    return getattr(sys.modules[__name__], name)
named("five")(5)
getattr(sys.modules[__name__], "sizes", SIZES)[0]
getattr(sys.modules[__name__], "fife")  # E: has no attribute 'fife'
""",
    "what follows a name that nobody knows": """
globals()[unknown.name]
globals().get(unknown.name, five)(4)
five(4)  # E-five
""",
    "what follows a function that asks for one": """
def chosen():
    return globals()[unknown.name]
chosen()
five(4)  # E-five
""",
    "a function with options": """
def call(name, options):
    return globals()[name](**options)
call("five", {"n": 5})
call("five", {"n": 4})  # E-five
""",
    "a list by its name": """
five(globals()["SIZES"][0])
five(globals()["SIZES"][0] - 1)  # E-five
""",
    "settings that are listed": """
class Model:
    def __init__(self, config):
        for name in dir(config):
            if not name.startswith("__"):
                setattr(self, name, getattr(config, name))
five(Model(Config).n)
five(Model(Config).n - 1)  # E-five
""",
    "attributes of a class": """
five(own(Config)["n"])
for name, value in vars(Config).items():
    if name == "n":
        five(value)
class Model:
    def __init__(self, config):
        for name in (each for each in dir(config) if not each.startswith("__")):
            setattr(self, name, getattr(config, name))
five(Model(Config).n)
five(Model(Config()).width - 3)  # E-five
""",
    "a class is assigned to behind its view": """
names = vars(Config)
Config.n = 4
five(names["n"])  # E-five
""",
    "names that may be assigned, or bound": """
if flag:
    SIZE = Config.n = 4
    SIZES.append(4)
five(globals().get("SIZE", 4))
five(globals()["SIZE"])
five(own(Config)["n"])
five(vars(Config)["n"] - 1)
five(4 if "SIZE" in globals() else 5)
if "SIZE" not in globals():
    five(4)
""",
    "a view that code which is not followed may change": """
names, items = vars(Config), vars(Config).items()
unknown.change(Config)
five(names["n"])
five(names["n"] - 1)
for _, value in items:
    five(value)
""",
    "a list that is changed by its name": """
def look():
    if unknown.flag:
        five(SIZES[-1])
        five(4 if "LATER" in globals() else 5)
        globals()["LATER"]
look()
globals()["SIZES"].append(4)
LATER = 4
look()
""",
    "a name that functions bind": """
def fill():
    global CACHE
    if "CACHE" not in globals():
        CACHE = 5
    return CACHE
five(fill())
five(fill())
def later():
    return globals()["OTHER"] + getattr(sys.modules[__name__], "OTHER")
def bind():
    global OTHER
    OTHER = 5
""",
    "a function of that name, and names that are kept": """
def look(globals):
    return five(globals()["n"])
look(lambda: {"n": 5})
names = globals()
names["SIZES"] = [4]
five(SIZES[0])
""",
    "classes of which not all is known": """
class Open(unknown.Base):
    n = 4
class Other:
    if flag:
        n = 4
    rate = unknown.rate
for each in (Open, Other, Open(), unknown.config):
    five(vars(each)["n"] if hasattr(each, "n") else 5)
    five(4 if "n" in each.__dict__ or "n" in dir(each) else 5)
""",
}

CHANGES: Final = {
    "a function of which the name is not known": "globals()[unknown.name](8)",
    "a function that a method gives": "globals().get('change')()",
    "a name that is bound": "globals()['SIZES'] = [6]",
    "names that are bound": "globals().update(SIZES=[6])",
    "names that others have": "unknown.change(globals())",
    "a name that may be bound": "if flag:\n    globals()['SIZES'] = [6]",
    "a list that may be changed": "if flag:\n    globals()['SIZES'][0] = 6",
    "a function that may be called": "if flag:\n    globals()['change']()",
    "a function that may be called by others": "if flag:\n    made('rename')",
    "a loop": "for _ in range(unknown.number):\n    globals()['change']()",
    "a list of a class that may be changed": """
Config.sizes = SIZES
if flag:
    vars(Config)["sizes"][0] = 6
""",
    "lists of a class that others may change": """
Config.sizes = SIZES
for value in Config.__dict__.values():
    unknown.change(value)
""",
}
"""What may make `SIZES[0]` 6."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, tmp_path: Path) -> None:
    """`five(n)` is right for 5 alone, and its error is in that function."""
    is_wrong = "# E-five" in PROGRAMS[name]
    prelude = PRELUDE.replace("np.float32)\ndef made", f"np.float32)  # E: {_FIVE}\ndef made") if is_wrong else PRELUDE
    wrong = differences(tmp_path, prelude + PROGRAMS[name].replace("  # E-five", ""))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", CHANGES)
def test_what_may_be_changed_by_its_name_is_unknown(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, f"{PRELUDE}{CHANGES[name]}\nfive(SIZES[0] - 1)") == []


def test_what_is_not_changed_is_known(tmp_path: Path) -> None:
    assert differences(tmp_path, f"{PRELUDE}five(SIZES[0] - 1)") != []
