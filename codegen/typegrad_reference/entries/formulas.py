"""The formula of a gradient: the gradient function is called on symbols, and its graph is printed as LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import evolve, frozen

import typegrad as tg
from typegrad.base.errors import TypegradError
from typegrad.base.shape import Shape
from typegrad.base.types import TComplex, TComplex64, TFloating
from typegrad.differentiation.builder import apply_rule, build
from typegrad.graph.definition import Flow
from typegrad.graph.operand import AnyOperand, AnyOutput, Output
from typegrad.graph.operation import Operation
from typegrad.graph.scope import as_operation
from typegrad.op import core
from typegrad.rules.common import OutputGradients
from typegrad_codegen.schema import Entry, Example
from typegrad_reference.entries.notation import NotationError, written
from typegrad_reference.entries.placing import ExampleOperand, example_operands, make
from typegrad_reference.entries.terms import Term, name

__all__ = ["Formula", "formulas"]

_LONGEST: Final = 120
"""The most signs that a formula may have; words are clearer than a longer one."""
_SIGN: Final = re.compile(
    r"\\(?:begin|end)\{\w+\}|\\(?:mathrm|text|operatorname|bar|frac|left|right|,)|\\[a-z]+|[^{}\s]"
)


@frozen
class Formula:
    """The gradient of one input as LaTeX."""

    latex: str
    others: tuple[tuple[str, str], ...] = ()
    """Formulas for other elements or attributes, each with its condition."""


def formulas(op: Entry) -> dict[str, Formula]:
    """The formula of each input whose rule has a closed form."""
    example = next((each for each in op.examples if _ruled(op, example_operands(op, each, continuous=True))), None)
    if example is None:
        return {}
    plain = _printed(op, example)
    variants = list(_variants(op, example)) if plain else []
    return {
        key: Formula(latex, tuple((when, other[key]) for when, other in variants if other.get(key, latex) != latex))
        for key, latex in plain.items()
    }


def _ruled(op: Entry, operands: Sequence[ExampleOperand]) -> list[ExampleOperand]:
    """The operands that have a gradient by a rule."""
    return [
        each
        for each in operands
        if issubclass(each.dtype, (TFloating, TComplex)) and op.gradient[each.input.name] is Flow.RULE
    ]


def _variants(op: Entry, example: Example) -> Iterator[tuple[str, dict[str, str]]]:
    """The formulas for complex numbers, and with each flag inverted."""
    ruled = {
        each.input.type
        for each in _ruled(op, example_operands(op, example, continuous=True))
        if issubclass(each.dtype, TFloating)
    }
    if ruled and all(TComplex64 in op.types_by_name[each].allowed for each in ruled & {*op.types_by_name}):
        yield "complex numbers", _printed(op, example, is_complex=True)
    for attr in op.attrs:
        if attr.type == "bool":
            flag = not example.attrs.get(attr.name, attr.default)
            yield f"`{attr.name}={flag}`", _printed(op, evolve(example, attrs={**example.attrs, attr.name: flag}))


def _printed(op: Entry, example: Example, *, is_complex: bool = False) -> dict[str, str]:
    """The formulas of the example's operation."""
    operands = example_operands(op, example, continuous=True)
    if is_complex:
        operands = [_as_complex(op, each) for each in operands]
        attrs = {key: "complex64" if value == "float32" else value for key, value in example.attrs.items()}
        example = evolve(example, attrs=attrs)
    for shapes in _shapes(operands):
        scope = tg.Scope(tg.Graph())
        try:
            wrapper, made_of = make(op, example, scope, operands, shapes)
            return _of_node(op, scope, as_operation(wrapper), operands, made_of)
        except TypegradError:
            continue
    return {}


def _shapes(operands: Sequence[ExampleOperand]) -> Iterator[list[Shape]]:
    """The shapes to try: one shape, so that nothing is broadcast; one size, for transposed matrices; the example's."""
    rank = max(len(each.shape) for each in operands)
    yield [Shape((2,) * rank)] * len(operands)
    yield [Shape((2,) * len(each.shape)) for each in operands]
    yield [Shape(each.shape) for each in operands]


def _as_complex(op: Entry, item: ExampleOperand) -> ExampleOperand:
    allowed = op.types_by_name[item.input.type].allowed if item.input.type in op.types_by_name else ()
    return evolve(item, dtype=TComplex64) if issubclass(item.dtype, TFloating) and TComplex64 in allowed else item


def _of_node(
    op: Entry, scope: tg.Scope, node: Operation, operands: Sequence[ExampleOperand], inputs: Sequence[AnyOperand]
) -> dict[str, str]:
    outputs = [each.name for each in op.outputs]
    if len(outputs) != len(node.outputs):
        return {}  # a list of outputs, joined by the rule
    grads = [
        core.Placeholder.create(scope, output.dtype, shape=output.shape).as_output()
        if issubclass(output.dtype, (TFloating, TComplex))
        else None
        for output in node.outputs
    ]
    symbols = {operand.as_output(): name(item.name) for item, operand in zip(operands, inputs, strict=True)}
    symbols |= {output: name(label) for output, label in zip(node.outputs, outputs, strict=True)}
    symbols |= {grad: name(label, bar=True) for grad, label in zip(grads, outputs, strict=True) if grad is not None}
    with scope:
        rule = apply_rule(node, scope, OutputGradients(scope, node.outputs, grads))
        return {
            key: latex
            for key, gradient in rule.items()
            if (latex := _line(key, gradient, symbols, node.attrs)) is not None
        }


def _line(key: str, gradient: object, symbols: Mapping[AnyOutput, Term], attrs: Mapping[str, object]) -> str | None:
    """The equation for the gradient of one input; None if it has no closed form."""
    try:
        if isinstance(gradient, Sequence):
            values = {_written(each, symbols, attrs).latex for each in gradient}
            if len(values) != 1:
                return None
            line = f"{name(key, bar=True).latex}_i = {values.pop()}"
        else:
            line = f"{name(key, bar=True).latex} = {_written(gradient, symbols, attrs).latex}"
    except NotationError:
        return None
    return line if len(_SIGN.findall(line)) <= _LONGEST else None


def _written(gradient: object, symbols: Mapping[AnyOutput, Term], attrs: Mapping[str, object]) -> Term:
    def term(output: AnyOutput) -> Term:
        return symbols[output] if output in symbols else written(output.op, term, attrs)

    built = build(gradient)
    if not isinstance(built, Output):
        raise NotationError
    return term(built)
