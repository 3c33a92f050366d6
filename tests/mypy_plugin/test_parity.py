"""Static shapes equal the runtime's: the same calls, for mypy and in a graph, with different knowledge of their
inputs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import pytest

from mypy_plugin.checking import Report, check, type_arguments
from mypy_plugin.grid import LIMIT, Question, questions
from support.registry import by_op
from typegrad.base.annotations import FORMS
from typegrad.base.errors import AttributeValueError, DTypeError, ShapeError, TypegradError
from typegrad.base.shape import UNKNOWN, Shape
from typegrad.base.size import Kind, combined
from typegrad.graph.operation import Operation

PER_FILE: Final = 400
_KINDS: Final[dict[str, Kind]] = {form.__name__: kind for form, kind in FORMS.items()}


def _source(asked: Sequence[Question]) -> str:
    sizes = sorted({size for each in asked for size in re.findall(r"Size\d+", each.parameters)})
    lines = [
        '# mypy: disable-error-code="no-redef"',
        "from typing import Any, Literal, NewType",
        "import numpy as np",
        "import typegrad as tg",
        "from typegrad.op import *",
        *(f'{size} = NewType("{size}", int)' for size in sizes),
    ]
    lines += [f"def f({each.parameters}) -> None: reveal_type({each.call})" for each in asked]
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Question, str, list[str]]]:
    """For each question what mypy reveals and the codes of its errors."""
    asked = list(questions())
    parts = {f"grid{i}.py": asked[i : i + PER_FILE] for i in range(0, len(asked), PER_FILE)}
    sources = {name: _source(part) for name, part in parts.items()}
    report = check(tmp_path_factory.mktemp("grid"), sources)
    assert "INTERNAL ERROR" not in report.output, report.output[-3000:]
    return [answer for name, part in parts.items() for answer in _answers(report, name, part, sources[name])]


def _answers(report: Report, name: str, part: Sequence[Question], source: str) -> list[tuple[Question, str, list[str]]]:
    first = source.count("\n") - len(part) + 1
    revealed = report.revealed(name)
    codes: dict[int, list[str]] = {}
    for error in report.errors(name):
        codes.setdefault(error.line, []).append(f"{error.code}: {error.text}")
    return [(each, revealed.get(first + i, ""), codes.get(first + i, [])) for i, each in enumerate(part)]


def test_static_shapes_are_those_of_the_runtime(answers: list[tuple[Question, str, list[str]]]) -> None:
    problems = [
        f"{each.label}: {each.call} of ({each.parameters}): {actual}"
        for each, revealed, errors in answers
        if (actual := _problem(each, revealed, errors))
    ]
    assert not problems, f"{len(problems)} of {len(answers)}:\n" + "\n".join(problems[:40])


def test_the_grid_asks_enough(answers: list[tuple[Question, str, list[str]]]) -> None:
    """Refused calls, exact shapes, names that reach the result, and unknown shapes all occur."""
    assert len({each.case.op for each, _, _ in answers}) == len(by_op())
    assert sum(bool(errors) for _, _, errors in answers) > 20 * LIMIT
    assert sum("Literal[" in revealed for _, revealed, _ in answers) > 200 * LIMIT
    assert sum(".Times[" in revealed or ".Minus[" in revealed for _, revealed, _ in answers) > LIMIT
    assert sum(".Size" in revealed for _, revealed, _ in answers) > 100 * LIMIT
    assert sum("tuple[Any, ...]" in revealed for _, revealed, _ in answers) > 100 * LIMIT


def _problem(question: Question, revealed: str, errors: list[str]) -> str | None:
    try:
        operation = question.build()
    except TypegradError as error:
        kinds: dict[type[TypegradError], str] = {
            ShapeError: "shape",
            DTypeError: "dtype",
            AttributeValueError: "attribute",
        }
        expected = f"typegrad-{kinds[type(error)]}"
        caught = any(each.startswith(expected) for each in errors)
        return None if caught else f"runs into {type(error).__name__} {error}, but mypy says {revealed} {errors}"
    if errors:
        return f"is fine when it runs, but mypy says {errors}"
    return _difference(operation, revealed)


def _difference(operation: Operation, revealed: str) -> str | None:
    definition = operation.definition
    arguments = type_arguments(revealed)
    static = [_shape(argument) for argument in arguments if argument.startswith("tuple[")]
    expected = _expected(operation)
    if static != expected:
        return f"{[str(shape) for shape in static]} instead of {[str(shape) for shape in expected]}"
    names = [name for name in definition.types if any(output.type == name for output in definition.outputs)]
    types = [argument.rpartition(".")[2] for argument in arguments if not argument.startswith("tuple[")]
    runtime_types = [operation.attrs[name].__name__ for name in names if not isinstance(operation.attrs[name], tuple)]
    return f"{types} instead of {runtime_types}" if types != runtime_types else None


def _expected(operation: Operation) -> list[Shape]:
    """The shape of every output; what they have in common for a list of outputs."""
    shapes: list[Shape] = []
    start = 0
    for output in operation.definition.outputs:
        count = operation.output_count(output.count)
        group = [each.shape for each in operation.outputs[start : start + count]]
        start += count
        if not any(item.kind == "mixed" and item.type == output.type for item in operation.definition.inputs):
            shapes.append(_common(group))
    return shapes


def _common(shapes: Sequence[Shape]) -> Shape:
    if not shapes or any(shape.rank != shapes[0].rank for shape in shapes) or shapes[0].dims is None:
        return UNKNOWN
    return Shape(tuple(dims[0] if len(set(dims)) == 1 else None for dims in zip(*shapes, strict=True)))


def _shape(text: str) -> Shape:
    """A static shape as mypy prints it."""
    items = [item.strip() for item in type_arguments(text)]
    if items[-1:] == ["..."]:
        return UNKNOWN
    return Shape(tuple(map(_dim, [item for item in items if item != "()"])))


def _dim(text: str) -> Any:
    if text in ("int", "Any"):
        return None
    if text.startswith("Literal["):
        return int(text[8:-1])
    name = text.partition("[")[0].rpartition(".")[2]
    return combined(_KINDS[name], list(map(_dim, type_arguments(text)))) if name in _KINDS else name
