"""Losses have the same static shapes as in a graph, and the same errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import frozen

import typegrad as tg
from mypy_plugin.checking import check, type_arguments
from mypy_plugin.grid import shape_text
from typegrad import losses
from typegrad.base.errors import ShapeError
from typegrad.base.shape import Dim, Shape
from typegrad.op import core

FUNCTIONS: Final = [
    name for name in vars(losses) if name[0] != "_" and name.islower() and callable(getattr(losses, name))
]
CLASSES: Final = [
    name for name, made in vars(losses).items() if name != "Loss" and isinstance(made, type) and "__call__" in dir(made)
]
PAIRS: Final[list[tuple[tuple[Dim, ...], tuple[Dim, ...]]]] = [
    (("Rows", 3), ("Rows", 3)),
    (("Rows", 3), ("Rows", 4)),
    (("Rows", 3), ("Columns", 3)),
    (("Rows",), ("Rows", 1)),
    (("Rows",), ("Rows", 3)),
    (("Rows", 1), ("Rows", 3)),
    ((None, 3), ("Rows", 3)),
    ((None, 4), ("Rows", 3)),
    (("Rows", None), ("Rows",)),
    (("Rows", None), ("Rows", 3)),
    ((2, 5), (2, 5, 3)),
    ((2, 5, 3), (2, 5, 3)),
    ((), ()),
]


@frozen
class Question:
    """A call of a loss, as source and in a graph."""

    call: str
    types: tuple[Any, Any]
    shapes: tuple[Shape, Shape]
    build: Callable[..., Any]

    def asked(self) -> str:
        parameters = ", ".join(
            f"{name}: tg.Operand[tg.{leaf.__name__}, {shape_text(shape)}]"
            for name, leaf, shape in zip("yp", self.types, self.shapes, strict=True)
        )
        return f"def f(scope: tg.Scope, {parameters}) -> None: reveal_type({self.call}(scope, y, p))"

    def answered(self) -> Shape | ShapeError:
        scope = tg.Scope(tg.Graph())
        y, p = (
            core.Placeholder.create(scope, leaf, shape=shape)
            for leaf, shape in zip(self.types, self.shapes, strict=True)
        )
        try:
            result: Shape = self.build(scope, y, p).shape
        except ShapeError as error:
            return error
        return result


def _questions() -> list[Question]:
    questions: list[Question] = []
    for labels, predictions in PAIRS:
        shapes = Shape(labels), Shape(predictions)
        questions += [Question(f"losses.{name}", _types(name), shapes, getattr(losses, name)) for name in FUNCTIONS]
        for name in CLASSES:
            for text, options in (("", {}), ("reduction=losses.Reduction.NONE", {"reduction": losses.Reduction.NONE})):
                loss = getattr(losses, name)(**options)
                questions.append(Question(f"losses.{name}({text})", _types(name), shapes, loss))
    return questions


def _types(name: str) -> tuple[Any, Any]:
    return (tg.TInt32 if name.lower().startswith("sparse") else tg.TFloat32), tg.TFloat32


def test_losses_have_the_shapes_of_the_graph(tmp_path: Path) -> None:
    questions = _questions()
    header = '# mypy: disable-error-code="no-redef"\nfrom typing import Any, Literal, NewType\nimport typegrad as tg\nfrom typegrad import losses\nRows = NewType("Rows", int)\nColumns = NewType("Columns", int)\n'
    source = header + "\n".join(question.asked() for question in questions) + "\n"
    report = check(tmp_path, {"losses_asked.py": source})
    revealed, errors = report.revealed("losses_asked.py"), report.errors("losses_asked.py")
    refused = {error.line for error in errors if error.code == "typegrad-shape"}
    first = header.count("\n") + 1
    problems = [
        f"{question.asked()}: {problem}"
        for line, question in enumerate(questions, start=first)
        if (problem := _problem(question, revealed[line], refused=line in refused))
    ]
    assert not problems, f"{len(problems)} of {len(questions)}:\n" + "\n".join(problems[:20])
    assert len(refused) == len(errors) > 100


def _problem(question: Question, revealed: str, *, refused: bool) -> str | None:
    answer = question.answered()
    if isinstance(answer, ShapeError):
        # Where a size is unknown, the graph may want to know it, which is not a mistake yet for mypy.
        is_known = all(dim is not None for shape in question.shapes for dim in shape.known())
        return f"refused in a graph: {answer}" if is_known and not refused else None
    if refused:
        return "accepted in a graph"
    static = type_arguments(revealed)[1].replace("losses_asked.", "")
    return f"{static} instead of {shape_text(answer)}" if static != shape_text(answer) else None


@pytest.mark.parametrize("names", [FUNCTIONS, CLASSES])
def test_all_losses_are_asked_about(names: list[str]) -> None:
    assert len(names) == 15
