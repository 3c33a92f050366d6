"""What a shape function could not know before a run is checked in the run, once for each set of shapes and values;
nothing else is.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.base.shape import Shape
from typegrad.graph.definition import OpDef
from typegrad.op import core, linalg, math
from typegrad.shapes.view import OpView

PACKAGE: Final = Path(tg.__file__).parent


@pytest.fixture
def inferred(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The operations whose shape function was called, in order."""
    names: list[str] = []
    infer = OpDef.infer_shapes

    def noted(definition: OpDef, view: OpView) -> tuple[Shape, ...]:
        names.append(definition.name)
        return infer(definition, view)

    monkeypatch.setattr(OpDef, "infer_shapes", noted)
    return names


def test_values_are_checked_when_they_change(scope: tg.Scope, inferred: list[str]) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(6,))
    sizes = core.Placeholder.create(scope, tg.TInt32, shape=(2,))
    y = core.Reshape.create(scope, x, sizes)
    array = np.zeros(6, np.float32)
    with tg.Session(scope.graph) as session:
        session.run(y, {x: array, sizes: [2, 3]})
        inferred.clear()
        for size in ([2, 3], [2, 3], [3, 2], [3, 2]):
            assert session.run(y, {x: array, sizes: size}).shape == tuple(size)
        assert inferred == ["Reshape"]
        with pytest.raises(
            tg.InvalidArgumentError, match=r"Reshape .* cannot reshape `tensor` of shape \[6\] to \[4, 2\]"
        ):
            session.run(y, {x: array, sizes: [4, 2]})


def test_what_is_proved_is_not_checked_again(scope: tg.Scope, inferred: list[str]) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 2))
    y = core.Sum.create(scope, linalg.MatMul.create(scope, x, np.ones((2, 3), np.float32)), 0)
    with tg.Session(scope.graph) as session:
        session.run(y, {x: np.ones((4, 2), np.float32)})
        inferred.clear()
        session.run(y, {x: np.ones((4, 2), np.float32)})
        assert not inferred
        session.run(y, {x: np.ones((5, 2), np.float32)})
        assert set(inferred) == {"MatMul", "Sum"}


def test_a_shape_that_depends_on_values(scope: tg.Scope) -> None:
    """Broadcasting is checked by the shape function, too, with its message."""
    x = core.Placeholder.create(scope, tg.TBool, shape=(4,))
    y = math.Add.create(scope, core.Where.create(scope, x), np.zeros((3, 1), np.int64))
    with tg.Session(scope.graph) as session:
        assert session.run(y, {x: [True, False, True, True]}).shape == (3, 1)
        with pytest.raises(tg.InvalidArgumentError, match=r"Add.* shapes \[2, 1\] and \[3, 1\] do not broadcast"):
            session.run(y, {x: [True, False, True, False]})


def test_two_handles_of_one_name_that_state_different_shapes(scope: tg.Scope) -> None:
    """The first one made the variable; what the second one says of its shape proves nothing."""
    first, second = (core.VarHandleOp.create(scope, tg.TFloat32, shape=(n,), shared_name="v") for n in (2, 3))
    init = core.AssignVariableOp.create(scope, first, np.zeros(2, np.float32))
    update = core.AssignAddVariableOp.create(scope, second, np.ones(3, np.float32))
    with tg.Session(scope.graph) as session:
        session.run([init])
        with pytest.raises(tg.ShapeError, match=r"the variable has shape \[2\], but `value` has shape \[3\]"):
            session.run([update])


def test_two_handles_of_one_name_that_state_different_types(scope: tg.Scope) -> None:
    reads = [
        core.ReadVariableOp.create(scope, core.VarHandleOp.create(scope, dtype, shape=(), shared_name="v"), dtype)
        for dtype in (tg.TFloat32, tg.TInt32)
    ]
    message = "variable 'v' is float32, but another handle of the same name says int32"
    with tg.Session(scope.graph) as session, pytest.raises(tg.InvalidArgumentError, match=message):
        session.run(reads)


@pytest.mark.parametrize("is_strict", [False, True])
def test_an_assignment_of_another_shape(scope: tg.Scope, *, is_strict: bool) -> None:
    handle = core.VarHandleOp.create(scope, tg.TFloat32, shape=(None,))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(None,))
    assign = core.AssignVariableOp.create(scope, handle, x, validate_shape=is_strict)
    read = core.ReadVariableOp.create(scope, handle, tg.TFloat32)
    with tg.Session(scope.graph) as session:
        session.run([assign], {x: np.zeros(2, np.float32)})
        if is_strict:
            with pytest.raises(
                tg.InvalidArgumentError, match=r"the variable has shape \[2\], but `value` has shape \[3\]"
            ):
                session.run([assign], {x: np.zeros(3, np.float32)})
        else:
            session.run([assign], {x: np.zeros(3, np.float32)})
        assert session.run(read).shape == ((2,) if is_strict else (3,))


def _messages(folder: str) -> Iterator[str]:
    """The texts of errors, without what is filled in."""
    for path in (PACKAGE / folder).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                for argument in node.exc.args:
                    words = "".join(
                        part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "{}"
                        for part in (argument.values if isinstance(argument, ast.JoinedStr) else [argument])
                    )
                    if words.strip("{}"):
                        yield words


def test_a_message_is_written_once() -> None:
    counts = Counter([*_messages("kernels"), *_messages("shapes")])
    assert len(counts) > 100
    assert not [message for message, count in counts.items() if count > 1]
