"""The types of expressions in the calls of a function are those of the calls of which most is known."""

from __future__ import annotations

from typing import Final

import pytest
from mypy.nodes import CallExpr, OpExpr

from support import mypy_cache
from typegrad.mypy_plugin.base.operands import operand_of
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.flow.checks import types_in_calls
from typegrad.tools.types.checking import CheckedFile, check

HEADER: Final = """\
from typing import Literal, NewType
import numpy as np
import typegrad as tg
from typegrad.op import core
Batch = NewType("Batch", int)
Float = tg.Operand[tg.TFloat32]
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 8))
def wide(x: Float) -> Float:
    return core.Concat.create(scope, [x, x], 1) * 2.0
"""
PROGRAMS: Final = {
    "a loop": "h: Float = x\nfor _ in range(2):\n    h = wide(h)\n",
    "a branch": "h: Float = x\nfor i in range(2):\n    if i:\n        h = wide(h)\n",
    "a caller": "def both(x: Float) -> Float:\n    return wide(x)\nboth(x)\nwide(x)\n",
    "a caller without calls": "def both(x: Float) -> Float:\n    return wide(x)\nwide(x[0])\n",
    "a pass": "for t in range(2):\n    y = wide(x[:, t:])\ny = x\n",
}


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, CheckedFile]:
    """The programs with the types of their expressions, from a single run: those of an earlier run would be forgotten."""
    folder = tmp_path_factory.mktemp("programs")
    (folder / "mypy.ini").write_text(mypy_cache.settings(plugin=True))
    paths = [folder / f"program_{number}.py" for number in range(len(PROGRAMS))]
    for path, program in zip(paths, PROGRAMS.values(), strict=True):
        path.write_text(HEADER + program)
    arguments = ["--cache-dir", str(mypy_cache.of_process(plugin=True)), *map(str, paths)]
    return dict(zip(PROGRAMS, check(folder / "mypy.ini", arguments).files, strict=True))


def products(file: CheckedFile) -> list[str]:
    """The shapes of the product in the first function, in its calls."""
    product = next(node for node in nodes_of(file.tree) if isinstance(node, OpExpr) and node.op == "*")
    operands = [operand_of(type_) for type_ in types_in_calls(product)]
    return [str(each and each.static.shape) for each in operands]


def test_the_passes_of_a_loop_say_more_than_what_they_have_in_common(checked: dict[str, CheckedFile]) -> None:
    assert products(checked["a loop"]) == ["[Batch, 16]", "[Batch, 32]"]


def test_what_a_branch_may_leave_out_stays_what_all_passes_have_in_common(checked: dict[str, CheckedFile]) -> None:
    assert "[Batch, ?]" in products(checked["a branch"])


def test_a_function_that_is_followed_itself_passes_what_it_is_called_with(checked: dict[str, CheckedFile]) -> None:
    assert products(checked["a caller"]) == ["[Batch, 16]"]


def test_a_function_that_is_not_called_passes_anything(checked: dict[str, CheckedFile]) -> None:
    assert "<unknown>" in products(checked["a caller without calls"])


def test_a_loop_that_mypy_checks_only_once_keeps_its_types(checked: dict[str, CheckedFile]) -> None:
    file = checked["a pass"]
    calls = [node for node in nodes_of(file.tree) if isinstance(node, CallExpr) and node in file.types]
    assert any(each.line == len(HEADER.splitlines()) + 2 for each in calls)
