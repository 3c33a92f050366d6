"""The gradient of each input: the rule, why there is none, and the operations that `tg.gradients` adds."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from attrs import frozen

import typegrad as tg
from typegrad.base.errors import GradientError
from typegrad.base.shape import Shape
from typegrad.base.types import TComplex, TFloating
from typegrad.graph.definition import Flow, NoGradient
from typegrad.graph.operand import AnyOperand, AnyOutput
from typegrad.graph.operation import Operation
from typegrad.graph.scope import as_operation
from typegrad.op import core
from typegrad_codegen.schema import Entry, Example
from typegrad_reference.entries.formulas import Formula, formulas
from typegrad_reference.entries.placing import PLAIN, ExampleOperand, called, example_operands, make

__all__ = ["AddedOperation", "GradientGraph", "Rule", "draw", "grouped", "rules"]

_FLOWS: Final = (Flow.RULE, Flow.PASS)
_ZERO: Final = (Flow.ZERO,)
_STOPS: Final = (Flow.STOP,)
_WORDS: Final = {
    Flow.RULE: "Given by the gradient function.",
    Flow.PASS: "The gradient of the output, unchanged.",
    Flow.ZERO: "Zero: the derivative with respect to this input is zero almost everywhere.",
    Flow.STOP: "The path ends here: no gradient flows back to this input, and that is not an error.",
}


@frozen
class Rule:
    """How the gradient of one input is computed."""

    input: str
    kind: str
    """"rule", "pass", "zero", "stop" or "none"."""
    words: str
    formula: Formula | None = None


@frozen
class AddedOperation:
    """An operation that the gradient added."""

    name: str
    definition: str
    """TensorFlow's name of the operation."""
    inputs: tuple[str, ...]
    result: str
    """Element types and shapes of the outputs."""


@frozen
class GradientGraph:
    """A graph with the gradient of an operation in it."""

    graph: tg.Graph
    y: Sequence[AnyOutput]
    outputs: tuple[str, ...]
    """The names of the outputs in `y`."""
    xs: Sequence[AnyOperand]
    names: tuple[str, ...]
    """The names of the inputs in `xs`."""
    connected: tuple[str, ...] = ()
    """The names of the inputs that have a gradient."""
    slices: tuple[str, ...] = ()
    """The names of the inputs whose gradient is an `IndexedSlices`."""
    added: tuple[AddedOperation, ...] = ()
    weighted: tuple[str, ...] = ()
    """The outputs whose gradient is an operand; none where it has no influence."""

    @property
    def scope(self) -> str:
        """The common prefix of the names of the added operations, up to a slash; "" if there is none."""
        folders = [f"{posixpath.dirname(item.name)}/" for item in self.added]
        shared = posixpath.commonprefix(folders)
        return shared[: shared.rfind("/") + 1].lstrip("/")


def rules(op: Entry) -> list[Rule]:
    """The rule of each input, in order: words of the entry, else the formula that the rule prints."""
    printed = formulas(op)
    listed = []
    for name, how in op.gradient.items():
        kind, common = ("none", f"None: {how.reason}") if isinstance(how, NoGradient) else (how.value, _WORDS[how])
        if how is Flow.PASS and name in op.broadcasts:
            common = "The gradient of the output, summed over the dimensions in which the input was broadcast."
        words = op.gradient_words.get(name, "")
        if not words and name in printed:
            listed.append(Rule(name, kind, "", printed[name]))
        else:
            listed.append(Rule(name, kind, words or common))
    return listed


def grouped(listed: Sequence[Rule]) -> list[tuple[list[str], Rule]]:
    """The rules, with equal neighbours merged: the names of the inputs, and their rule."""
    groups = (list(group) for _, group in groupby(listed, key=lambda rule: (rule.kind, rule.words, rule.formula)))
    return [([rule.input for rule in group], group[0]) for group in groups]


def draw(op: Entry) -> GradientGraph | None:
    """The graph of the first example that a gradient flows through, with its gradient; None if there is none."""
    for kinds in (_FLOWS, _ZERO, _STOPS):
        for example in op.examples:
            operands = example_operands(op, example, continuous=kinds != _STOPS)
            numbers = [number for number, item in enumerate(operands) if _is_open(op, item, kinds)]
            scope = tg.Scope(tg.Graph())
            drawn = _drawn(scope, op, example, operands, numbers) if numbers else None
            if drawn is not None:
                return drawn
    return None


def _is_open(op: Entry, item: ExampleOperand, kinds: Sequence[Flow]) -> bool:
    return op.gradient[item.input.name] in kinds and (item.is_variable or issubclass(item.dtype, (TFloating, TComplex)))


def _drawn(
    scope: tg.Scope, op: Entry, example: Example, operands: list[ExampleOperand], numbers: list[int]
) -> GradientGraph | None:
    wrapper, made = make(op, example, scope, operands, [Shape(item.shape) for item in operands])
    node = as_operation(wrapper)
    ys, outputs = _differentiable(op, node)
    if not ys:
        return None  # an example that makes integers of floats, or a comparison
    xs = [made[number] for number in numbers]
    kinds = {op.gradient[operands[number].input.name] for number in numbers}
    if kinds == {*_STOPS}:
        return GradientGraph(scope.graph, ys, outputs, xs, tuple(operands[number].name for number in numbers))
    flows = not kinds.isdisjoint(_FLOWS)
    try:
        gradients = called(tg.gradients, scope, ys, xs, grad_ys=_weights(scope, ys, outputs) if flows else ys)
    except GradientError:
        return None  # an operation that exists to refuse; its description says so
    names = tuple(operands[number].name for number in numbers)
    connected = _connected(names, gradients)
    slices = tuple(
        name for name, gradient in zip(names, gradients, strict=True) if isinstance(gradient, tg.IndexedSlices)
    )
    added = tuple(map(_added, scope.graph.gradient_operations))
    return GradientGraph(scope.graph, ys, outputs, xs, names, connected, slices, added, outputs if flows else ())


def _differentiable(op: Entry, node: Operation) -> tuple[list[AnyOutput], tuple[str, ...]]:
    """The outputs that have a gradient, and their names."""
    names = [each.name for each in op.outputs]
    if len(names) < len(node.outputs):
        names = [f"{names[0]}[{index}]" for index in range(len(node.outputs))]
    pairs = [
        (output, name)
        for output, name in zip(node.outputs, names, strict=True)
        if issubclass(output.dtype, (TFloating, TComplex))
    ]
    return [output for output, _ in pairs], tuple(name for _, name in pairs)


def _connected(names: Sequence[str], gradients: Sequence[AnyOperand | None]) -> tuple[str, ...]:
    """The names of the inputs that a path leads to."""
    return tuple(name for name, gradient in zip(names, gradients, strict=True) if gradient is not None)


def _weights(scope: tg.Scope, ys: Sequence[AnyOutput], outputs: Sequence[str]) -> list[AnyOperand]:
    """The gradients of the outputs: placeholders, so that the picture shows where they enter."""
    return [
        called(core.Placeholder.create, scope.with_name(f"d_{name}".translate(PLAIN)), y.dtype, shape=y.shape)
        for y, name in zip(ys, outputs, strict=True)
    ]


def _added(operation: Operation) -> AddedOperation:
    results = ", ".join(f"{output.dtype.name} {output.shape}" for output in operation.outputs)
    inputs = tuple(_short(output) for output in operation.inputs)
    return AddedOperation(operation.name, operation.type, inputs, results)


def _short(output: AnyOutput) -> str:
    return output.op.name if len(output.op.outputs) == 1 else output.name
