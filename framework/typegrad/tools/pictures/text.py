"""A graph as text, for terminals and screen readers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from typegrad.graph.operand import AnyOutput
from typegrad.graph.operation import Operation
from typegrad.tools.pictures.document import attributes, output_names, signature
from typegrad.tools.pictures.drawing import Box, Drawing
from typegrad.tools.pictures.marks import WORDS
from typegrad.tools.pictures.view import View

__all__ = ["render_text"]


def render_text(view: View, drawing: Drawing) -> str:
    """One line for each operation or folded scope, in creation order; values follow in lines of their own."""
    sources: dict[int, list[str]] = {}
    for arrow in drawing.arrows:
        sources.setdefault(arrow.target, []).append(drawing.boxes[arrow.source].path)
    lines = [view.title]
    for box in drawing.boxes:
        marks = ", ".join(WORDS[mark] for mark in box.marks)
        said = _scope(box, sources.get(box.number, ())) if box.is_folded else _operation(view, box.operations[0])
        lines.append(said + (f"  [{marks}]" if marks else ""))
        if not box.is_folded:
            lines.extend(_values(view, box.operations[0]))
        lines.extend(_cost(view, box))
    return "\n".join([*map(_printable, lines), ""])


def _printable(line: str) -> str:
    """The line without line ends and control characters: the name of a dimension may be any text."""
    return line if line.isprintable() else "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in line)


def _scope(box: Box, sources: Sequence[str]) -> str:
    """The line of a folded scope, with its sources."""
    return f"{box.path}/ = {box.size}" + (f" of {', '.join(sources)}" if sources else "")


def _operation(view: View, op: Operation) -> str:
    """The line of an operation: `product = MatMul(a=x, b=w) -> float32 [2, 3]`. Omits false and empty attributes."""
    inputs = view.inputs(op)
    names = op.input_names() if inputs else []
    arguments = [f"{name}={_reference(output)}" for name, output in zip(names, inputs, strict=True)]
    arguments.extend(f"{name}={text}" for name, text in attributes(op) if text not in ("False", "", "[]"))
    outputs = ", ".join(_output(output, name) for output, name in zip(op.outputs, output_names(op), strict=True))
    before = ", ".join(first.name for first in view.before(op))
    made = f"{op.name} = {op.type}({', '.join(arguments)})"
    return made + (f" -> {outputs}" if outputs else "") + (f" after {before}" if before else "")


def _cost(view: View, box: Box) -> Iterator[str]:
    """What an operation costs, or all operations of a scope."""
    costs = [view.costs[op] for op in box.operations if op in view.costs]
    if costs:
        yield f"    {f'{sum(cost.share for cost in costs):.1%}' if box.is_folded else costs[0]} of the time"


def _reference(output: AnyOutput) -> str:
    return output.name if len(output.op.outputs) > 1 else output.op.name


def _output(output: AnyOutput, name: str) -> str:
    return f"{name}: {signature(output)}" if len(output.op.outputs) > 1 else signature(output)


def _values(view: View, op: Operation) -> Iterator[str]:
    for output, name in zip(op.outputs, output_names(op), strict=True):
        if output in view.values:
            yield f"    {name} = {view.values[output]}"
