"""What the operations of a program make, in any of its files, where that is the same each time that they run."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import HEADER
from typegrad.dry_run.known.values import common
from typegrad.dry_run.program import Module, dry_run

LAYERS: Final = """
import functools
import typegrad as tg


def twice(x):
    return 2 * x


def through(x):
    return twice(x)


class Layer:
    def __call__(self, x):
        return twice(x)

    @staticmethod
    def plain(x):
        return twice(x)

    @classmethod
    def of_class(cls, x):
        return twice(x)

    @property
    def made(self):
        return twice(self.x)


@functools.cache
def cached(x):
    return twice(x)


@functools.wraps(twice)
def wrapped(x):
    return cached(x)
"""
PROGRAM: Final = """
import functools
import layers
from layers import Layer, cached, through, twice, wrapped
pair = core.Placeholder.create(scope, tg.TFloat32, (2,))
three = core.Placeholder.create(scope, tg.TFloat32, (3,))
matrix = core.Placeholder.create(scope, tg.TFloat32, (2, 2))
layer = Layer()
"""
MADE: Final = {
    "called once": ("twice(pair)", "float32 [2]"),
    "called by another function": ("through(pair)", "float32 [2]"),
    "called with one shape": ("twice(pair)\ntwice(pair)", "float32 [2]"),
    "called with two sizes": ("twice(pair)\ntwice(three)", "float32 [?]"),
    "called with two ranks": ("twice(pair)\ntwice(matrix)", "float32 [...]"),
    "called with two element types": ("twice(pair)\ntwice(core.Constant.create(scope, [1, 2]))", None),
    "called with a number, too": ("twice(pair)\ntwice(None)", "float32 [2]"),
    "nothing calls it": ("", None),
    "called with what is unknown": ("twice(pair)\ntwice(unknown.x)", None),
    "a branch that may run calls it": ("twice(pair)\nif unknown.x:\n    twice(three)", None),
    "a branch that may run calls what calls it": ("twice(pair)\nif unknown.x:\n    through(three)", None),
    "a branch that may run calls its module's": ("twice(pair)\nif unknown.x:\n    layers.through(three)", None),
    "a branch that may run calls what calls its module's": (
        "def inside():\n    layers.through(three)\ntwice(pair)\nif unknown.x:\n    inside()",
        None,
    ),
    "a branch that may run calls an object": ("twice(pair)\nif unknown.x:\n    layer(three)", None),
    "a branch that may run calls a static method": ("twice(pair)\nif unknown.x:\n    layer.plain(three)", None),
    "a branch that may run calls a class method": ("twice(pair)\nif unknown.x:\n    Layer.of_class(three)", None),
    "a branch that may run calls a part of a function": (
        "twice(pair)\npart = functools.partial(through, three)\nif unknown.x:\n    part()",
        None,
    ),
    "a branch that may run changes an object": (
        "twice(pair)\nlayer.x = three\nif unknown.x:\n    layer.made.x = 1",
        None,
    ),
    "a branch that may run calls a cached function": ("twice(pair)\nif unknown.x:\n    cached(three)", None),
    "a branch that may run calls a function in another": ("twice(pair)\nif unknown.x:\n    wrapped(three)", None),
    "a choice that may be it": ("twice(pair)\nnone = twice(three) if unknown.x else None", None),
    "a lambda that may run": ("twice(pair)\nunknown.x(lambda: twice(three))", None),
    "passed to what is unknown": ("twice(pair)\nunknown.x(twice)", None),
    "called with unknown arguments": ("twice(pair)\ntwice(*unknown.x)", None),
    "called in each pass of an unknown loop": ("for _ in range(unknown.n):\n    pair = twice(pair)", None),
    "called in a function whose end is unknown": (
        "def both():\n    twice(pair)\n    match 1:\n        case 1 if unknown.x: pass\n    twice(three)\nboth()",
        None,
    ),
    "a program whose end is unknown": ("twice(pair)\nmatch 1:\n    case 1 if unknown.x: pass\ntwice(three)", None),
    "a match of any case": ("twice(pair)\nmatch unknown.x:\n    case 1: pass\ntwice(three)", "float32 [?]"),
    "called before an error of the program": ("twice(pair)\npair @ pair", "float32 [2]"),
    "a statement that may be left": (
        "twice(pair)\ntry:\n    unknown.x()\n    twice(three)\nexcept ValueError:\n    pass",
        None,
    ),
    "a branch that does not run calls it": ("twice(pair)\nif not pair.shape:\n    twice(three)", "float32 [2]"),
    "a branch that may run calls another": ("twice(pair)\nif unknown.x:\n    print(three)", "float32 [2]"),
}


@pytest.mark.parametrize("name", MADE)
def test_what_a_function_of_another_module_makes(name: str, tmp_path: Path) -> None:
    text, expected = MADE[name]
    layers = Module("layers", str(tmp_path / "layers.py"), LAYERS)
    program = Module("program", str(tmp_path / "program.py"), HEADER + PROGRAM + text)
    found = dry_run(program, {"layers": layers}.get).results.get(layers.path, {})
    line = LAYERS.splitlines().index("    return 2 * x") + 1
    values = next((values for place, values in found.items() if place[0] == line), [])
    made = common(values) if values else None
    assert (None if made is None else str(made)) == expected


STATEMENTS: Final = """
pair = core.Placeholder.create(scope, tg.TFloat32, (2,))  # float32 [2]
same = pair  # float32 [2]
both = pair, 1  # (float32 [2], _)
parts = [pair, x[0]]  # (float32 [2], float32 [8])
either = pair if unknown.x else x
named = {"a": pair}  # (float32 [2],)
for _ in range(unknown.n):
    pair = core.Concat.create(scope, [pair, pair], 0)
last = pair


def returned(y):
    return y  # float32 [Batch, 8]


class Held:
    def __init__(self, y):
        self.y = y  # float32 [Batch, 8]


returned(x)  # float32 [Batch, 8]
Held(x)
"""


def _shown(value: object) -> str:
    if not isinstance(value, tuple) or hasattr(value, "dtype"):
        return "_" if value is None else str(value)
    return f"({', '.join(map(_shown, value))}{',' if len(value) == 1 else ''})"


def test_what_the_values_of_statements_are(tmp_path: Path) -> None:
    path = str(tmp_path / "program.py")
    found = dry_run(Module("program", path, HEADER + STATEMENTS), lambda _: None).results[path]
    ends = {place[2:]: values for place, values in found.items()}
    for number, line in enumerate((HEADER + STATEMENTS).splitlines(), 1):
        code, _, expected = line.partition("  # ")
        values = ends.get((number, len(code)))
        made = None if values is None else common(values)
        if number > HEADER.count("\n"):
            assert (made and _shown(made)) == (expected or None), line


NAMES: Final = """
pair = core.Placeholder.create(scope, tg.TFloat32, (2,))
three = core.Placeholder.create(scope, tg.TFloat32, (3,))
held = types.SimpleNamespace(part=pair)
for each in (pair, three):
    print(each)  # float32 [?]
print(held.part)  # float32 [2]
if unknown.x:
    held = unknown.x
print(held)
"""


def test_what_names_and_attributes_are_where_they_are_read(tmp_path: Path) -> None:
    text = f"{HEADER}import types\n{NAMES}"
    program = Module("program", str(tmp_path / "program.py"), text)
    found = dry_run(program, lambda _: None, notes_names=True).results[program.path]
    ends = {place[2:]: values for place, values in found.items()}
    for number, line in enumerate(text.splitlines(), 1):
        code, _, expected = line.partition("  # ")
        if code.lstrip().startswith("print"):
            values = ends.get((number, len(code) - 1))
            made = None if values is None else common(values)
            assert (made and _shown(made)) == (expected or None), line
