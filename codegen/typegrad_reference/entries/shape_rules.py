"""What an operation makes of the shapes of its inputs, computed by its shape function for several inputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import frozen

import typegrad as tg
from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Shape
from typegrad.graph.scope import as_operation
from typegrad_codegen.schema import Entry, Example
from typegrad_reference.entries.placing import ExampleOperand, example_operands, make

__all__ = ["Instance", "Refusal", "instances", "refusal"]

_NAMES: Final = ("N", "M", "K", "L", "P", "Q")
_MOST: Final = 6
"""Of more operands than these, only the first are changed."""


@frozen
class Instance:
    """Shapes of inputs, and the resulting shapes of outputs."""

    what: str
    inputs: tuple[tuple[str, str], ...]
    outputs: tuple[tuple[str, str], ...]


@frozen
class Refusal:
    """Shapes that are refused, and the message."""

    inputs: tuple[tuple[str, str], ...]
    message: str


def instances(op: Entry) -> list[Instance]:
    """The shapes of the first example, then named sizes, unknown sizes and unknown ranks, each result once."""
    if not op.inputs or not op.outputs:
        return []
    shown: list[Instance] = []
    for what, example, operands, shapes in _variants(op):
        made = _instance(op, what, example, operands, shapes)
        if made is not None and all((made.inputs, made.outputs) != (other.inputs, other.outputs) for other in shown):
            shown.append(made)
    return list({made.what: made for made in reversed(shown)}.values())[::-1]


def refusal(op: Entry) -> Refusal | None:
    """What the shape function says where a size of an operand is one too large, or its rank."""
    example = op.examples[0]
    operands = example_operands(op, example)
    sizes = [Shape(item.shape) for item in operands]
    for number, wrong in _mistakes(operands):
        shapes = [*sizes[:number], Shape(wrong), *sizes[number + 1 :]]
        try:
            make(op, example, tg.Scope(tg.Graph()), operands, shapes)
        except ShapeError as error:
            return Refusal(_named(operands, shapes, example), _reason(str(error)))
    return None


def _mistakes(operands: list[ExampleOperand]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Positions of operands with a shape that may not fit the others': first another size, then another rank."""
    open_ = [(number, item.shape) for number, item in enumerate(operands) if not item.is_fixed][:_MOST]
    for number, shape in reversed(open_):
        if shape:
            yield number, (*shape[:-1], shape[-1] + 1)
            yield number, (shape[0] + 1, *shape[1:])
    for number, shape in reversed(open_):
        yield number, (2, *shape)


def _reason(message: str) -> str:
    """The message without its lines about the node and this program."""
    line = message.partition("\n")[0]
    return line.partition("): ")[2] or line


def _variants(op: Entry) -> Iterator[tuple[str, Example, list[ExampleOperand], list[Shape]]]:
    for number, example in enumerate(op.examples):
        operands = example_operands(op, example)
        if number == 0 or any(item.shape for item in operands):
            yield f"example {number + 1}", example, operands, [Shape(item.shape) for item in operands]
    example = op.examples[0]
    operands = example_operands(op, example)
    yield "named sizes", example, operands, _by_position(operands)
    yield "named sizes", example, operands, _by_size(operands)
    yield "unknown sizes", example, operands, [Shape((None,) * len(item.shape)) for item in operands]
    yield "unknown ranks", example, operands, [UNKNOWN for _ in operands]


def _by_position(operands: list[ExampleOperand]) -> list[Shape]:
    """Each size above one gets a name, which equal sizes at the same distance from the end share."""
    names: dict[tuple[int, int], str] = {}
    shapes = []
    for item in operands:
        places = [(size, len(item.shape) - axis) for axis, size in enumerate(item.shape)]
        for size, place in places:
            if size > 1 and not item.is_fixed and len(names) < len(_NAMES):
                names.setdefault((size, place), _NAMES[len(names)])
        shapes.append(Shape(tuple(names.get(place, place[0]) for place in places)))
    return shapes


def _by_size(operands: list[ExampleOperand]) -> list[Shape]:
    """Each size above one gets a name; equal sizes the same one."""
    sizes = dict.fromkeys(size for item in operands if not item.is_fixed for size in item.shape if size > 1)
    names = dict(zip(sizes, _NAMES, strict=False))
    return [Shape(tuple(names.get(size, size) for size in item.shape)) for item in operands]


def _instance(
    op: Entry, what: str, example: Example, operands: list[ExampleOperand], shapes: list[Shape]
) -> Instance | None:
    try:
        wrapper, _ = make(op, example, tg.Scope(tg.Graph()), operands, shapes)
    except ShapeError:
        return None  # the attributes or constants of this example do not fit these sizes
    node = as_operation(wrapper)
    names = [each.name for each in op.outputs for _ in range(node.output_count(_count(op, each.name)))]
    outputs = tuple((name, str(output.shape)) for name, output in zip(names, node.outputs, strict=True))
    return Instance(what, _named(operands, shapes, example), outputs)


def _count(op: Entry, name: str) -> str:
    output = next(each for each in op.outputs if each.name == name)
    return output.count or (output.type if op.is_list(output) else "")


def _named(operands: list[ExampleOperand], shapes: list[Shape], example: Example) -> tuple[tuple[str, str], ...]:
    """The arguments of the shape function: shapes, values of fixed operands, attributes."""
    inputs = tuple(
        (item.name, f"= {item.value.tolist()}" if item.value is not None and item.is_fixed else str(shape))
        for item, shape in zip(operands, shapes, strict=True)
    )
    return (*inputs, *((name, f"= {value!r}") for name, value in example.attrs.items()))
