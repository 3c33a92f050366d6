"""Comprehensions over items that are not known: an error of the first one is told, as it is in a loop."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import itertools
text, widths = unknown.text, unknown.widths
n = len(text)
square = core.Constant.create(scope, np.ones((3, 3), np.float32))
pair = (1, 2)
"""
WRONG: Final = {
    "an operation in the condition": "[each for each in text if (x @ square).rank]  # E: inner dimensions differ",
    "an operand and a text": "[each for each in text if x + 'a']  # E: 'a' is not float32",
    "arrays in the condition": "[each for each in text if (np.zeros(3) + np.zeros(4)).any()]  # E: broadcast",
    "an item in the condition": "{each for each in text.split() if pair[2]}  # E: out of range",
    "an item of a dict": "{each: pair[2] for each in text}  # E: out of range",
    "an operation of an item": "[x @ square for each in range(n)]  # E: inner dimensions differ",
    "one of a list in a list": "[[x @ square for _ in 'ab'] for each in widths]  # E: inner dimensions differ",
    "one of unknown items of items": "[[x @ square for _ in each] for each in widths]  # E: inner dimensions differ",
    "an attribute": "[each for each in text if x.shape.ndims]  # E: did you mean `.rank`?",
    "a condition of a sum": "sum(1 for each in text if (x @ square).rank)  # E: inner dimensions differ",
    "a condition of any": "any(np.zeros(3) @ np.zeros(4) > 0 for each in text)  # E: 3 is not 4",
    "an item of a text": "''.join(each + str(pair[2]) for each in text)  # E: out of range",
    "a function": (
        "def made(width):\n    y = x @ np.zeros((width, 2), np.float32)\n"
        "    return y + np.zeros(3, np.float32)  # E: broadcast\n[made(each) for each in widths]"
    ),
    "a generator that a loop takes": "for each in (pair[2] for _ in text):  # E: out of range\n    pass",
}
RIGHT: Final = {
    "conditions of values": (
        "[int(each) for each in text if each.isdigit()]\n"
        "[x @ square for each in widths if each == 3]\n"
        "[np.zeros(3) + np.zeros(each) for each in widths if each == 3]"
    ),
    "operations of unknown sizes": (
        "layers = [x @ np.ones((8, each), np.float32) for each in widths]\nlayers[0] + 1.0\n"
        "math.AddN.create(scope, [x * float(each) for each in text.split()]) + 1.0"
    ),
    "the number of operations": (
        "[core.Identity.create(scope.with_name('y'), x) for _ in text]\n"
        "assert core.Identity.create(scope.with_name('y'), x).op.name == 'y_2'\nscope.graph.operation('y_1')"
    ),
    "the number of variables": (
        "made = {each: tg.Variable.create(scope, np.zeros(2)) for each in text}\n"
        "assert len(scope.graph.variables) == 2\nscope.graph.variables[1]\n"
        "for each in made.values():\n    each * np.zeros(2)"
    ),
    "what a function appends": (
        "log = []\ndef noted(value):\n    log.append(value)\n    return value\n[noted(each) for each in text]\nlog[2]\n"
        "sum(noted(1) for each in text)\nlog[5]"
    ),
    "what an iterator gives": (
        "rows = iter([np.zeros((8, 2), np.float32), square])\n[x @ next(rows) for _ in text]\nnext(rows) @ square\n"
        "count = itertools.count()\n[next(count) for _ in text]\n(0, 1, 2, 3)[next(count)]"
    ),
    "what a list gives": (
        "rows = [square, np.zeros((8, 2), np.float32)]\n[x @ rows.pop() for _ in text]\nif rows: rows[0] @ square"
    ),
    "names that are bound": "last = 0\n[last := last + 1 for _ in text]\n(0, 1, 2)[last]",
    "a class": "class Sizes:\n    n = 3\n    all = [each * 2 for each in text]\n    some = list(each for each in text)",
    "generators": (
        "def made(items):\n    yield from (each * 2 for each in items)\n    yield [each for each in items]\n"
        "list(made(text))\nnext((each for each in text if each == 'b'), None)\n"
        "assert any(each == 'b' for each in text) and all(len(each) == 1 for each in text)"
    ),
    "errors that are caught": (
        "def parsed(each):\n    try:\n        return int(each)\n    except ValueError:\n        return 0\n"
        "[parsed(each) for each in text]\nsum(parsed(each) for each in text)"
    ),
    "errors that the program raises": (
        "def checked(each):\n    if not each:\n        raise ValueError\n    return each\n"
        "[checked(each) for each in text]"
    ),
    "a function that calls itself": "def of(node):\n    return [of(each) for each in node]\nof(unknown.tree)",
    "sessions": (
        "v = tg.Variable.create(scope, np.zeros(()))\nsession = tg.Session(scope.graph)\nsession.initialize()\n"
        "losses = [session.run(v) for _ in text]\nlosses[0] + 1.0\n"
        "[session.run(x, {x: each}) for each in unknown.batches]"
    ),
    "comprehensions that may not run": (
        "if unknown.flag:\n    [x @ square for each in text if n == 3]\n"
        "try:\n    [x @ square for each in text]\nexcept tg.ShapeError:\n    pass"
    ),
}


@pytest.mark.parametrize("program", [*WRONG.values(), *RIGHT.values()], ids=[*WRONG, *RIGHT])
def test_what_is_told(program: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + program) == []
