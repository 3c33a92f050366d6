"""The types of expressions in the calls of a function are those of the calls of which most is known."""

from __future__ import annotations

from pathlib import Path
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


@pytest.fixture
def checked(tmp_path: Path, request: pytest.FixtureRequest) -> CheckedFile:
    """The program that the test is given, with the types of its expressions."""
    (tmp_path / "mypy.ini").write_text(mypy_cache.settings(plugin=True))
    (tmp_path / "program.py").write_text(HEADER + request.param)
    cache = mypy_cache.of_process(plugin=True)
    return check(tmp_path / "mypy.ini", ["--cache-dir", str(cache), str(tmp_path / "program.py")]).files[0]


def products(file: CheckedFile) -> list[str]:
    """The shapes of the product in the first function, in its calls."""
    product = next(node for node in nodes_of(file.tree) if isinstance(node, OpExpr) and node.op == "*")
    operands = [operand_of(type_) for type_ in types_in_calls(product)]
    return [str(each and each.static.shape) for each in operands]


@pytest.mark.parametrize("checked", ["h: Float = x\nfor _ in range(2):\n    h = wide(h)\n"], indirect=True)
def test_the_passes_of_a_loop_say_more_than_what_they_have_in_common(checked: CheckedFile) -> None:
    assert products(checked) == ["[Batch, 16]", "[Batch, 32]"]


@pytest.mark.parametrize(
    "checked", ["h: Float = x\nfor i in range(2):\n    if i:\n        h = wide(h)\n"], indirect=True
)
def test_what_a_branch_may_leave_out_stays_what_all_passes_have_in_common(checked: CheckedFile) -> None:
    assert "[Batch, ?]" in products(checked)


@pytest.mark.parametrize(
    "checked", ["def both(x: Float) -> Float:\n    return wide(x)\nboth(x)\nwide(x)\n"], indirect=True
)
def test_a_function_that_is_followed_itself_passes_what_it_is_called_with(checked: CheckedFile) -> None:
    assert products(checked) == ["[Batch, 16]"]


@pytest.mark.parametrize("checked", ["def both(x: Float) -> Float:\n    return wide(x)\nwide(x[0])\n"], indirect=True)
def test_a_function_that_is_not_called_passes_anything(checked: CheckedFile) -> None:
    assert "<unknown>" in products(checked)


@pytest.mark.parametrize("checked", ["for t in range(2):\n    y = wide(x[:, t:])\ny = x\n"], indirect=True)
def test_a_loop_that_mypy_checks_only_once_keeps_its_types(checked: CheckedFile) -> None:
    calls = [node for node in nodes_of(checked.tree) if isinstance(node, CallExpr) and node in checked.types]
    assert any(each.line == len(HEADER.splitlines()) + 2 for each in calls)
