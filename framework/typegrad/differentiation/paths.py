"""The paths from an x to a y on which gradients flow, and where such a path is cut."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from operator import attrgetter
from typing import Final, TypeAlias

from typegrad.base.types import TComplex, TFloating, TResource, TType
from typegrad.graph.definition import Flow, InputGradient, leaves
from typegrad.graph.explain import NO_GRADIENT, describe, origin
from typegrad.graph.operand import AnyOutput
from typegrad.graph.operation import Operation

__all__ = ["carries_gradient", "defined_names", "explain_cut", "flows_of", "is_pairwise", "lost", "paths"]

_CARRIERS: Final = leaves(TFloating, TComplex, TResource)


def carries_gradient(dtype: type[TType]) -> bool:
    """Whether a value of this type can have a gradient: floats and complex numbers, and handles to them."""
    return dtype in _CARRIERS


def defined_names(op: Operation) -> Sequence[str]:
    """The name of each input in the definition; the name of a list input is listed once per operand."""
    if not op.definition.has_list_inputs:
        return op.definition.input_names
    names: list[str] = []
    for input_def, group in zip(op.definition.inputs, op.input_groups(), strict=True):
        names.extend([input_def.name] * (len(group) if isinstance(group, tuple) else 1))
    return names


def flows_of(op: Operation) -> Sequence[InputGradient]:
    """How a gradient reaches each of the operation's inputs: by the node's own gradient, or by its definition."""
    own = op.graph.own_gradients.get(op)
    if own is not None:
        return own.flows
    if not op.definition.has_list_inputs:
        return op.definition.flows
    return [op.definition.gradients[name] for name in defined_names(op)]


def paths(
    ys: Iterable[AnyOutput], xs: Iterable[AnyOutput], stop: Iterable[AnyOutput] = (), *, every_edge: bool = False
) -> dict[Operation, list[int]]:
    """Operations on a differentiable path from an x to a y, newest first; for each, the inputs on such a path.

    With `every_edge`, operations on any path of values, differentiable or not.
    """
    ended = frozenset(stop)
    edges_of = _edges_back(set(ys), set(xs), ended, every_edge)
    reached = set(ys) - ended
    on_path: dict[Operation, list[int]] = {}
    for op, edges in reversed(edges_of.items()):
        if reached.isdisjoint(op.outputs):
            continue
        requested = [index for index in edges if op.outputs[index] in reached] if is_pairwise(op) else edges
        if requested:
            on_path[op] = requested
            reached.update([output for index in requested if (output := op.inputs[index]) not in ended])
    return on_path


def _edges_back(
    ys: set[AnyOutput], xs: set[AnyOutput], ended: frozenset[AnyOutput], every_edge: bool
) -> dict[Operation, list[int]]:
    """For each ancestor of a y, oldest first, the inputs that depend on an x."""
    led = {x for x in xs if every_edge or carries_gradient(x.dtype)}
    edges_of: dict[Operation, list[int]] = {}
    for op in sorted(_ancestors(ys, min((x.op.id for x in xs), default=0)), key=attrgetter("id")):
        edges = [index for index, output in enumerate(op.inputs) if output in led]
        if edges and not every_edge:
            flows = flows_of(op)
            edges = [index for index in edges if flows[index] is not Flow.STOP]
        if edges:
            edges_of[op] = edges
            for output in [op.outputs[index] for index in edges] if is_pairwise(op) else op.outputs:
                if output not in ended and (every_edge or carries_gradient(output.dtype)):
                    led.add(output)
    return edges_of


def _ancestors(ys: set[AnyOutput], first: int) -> set[Operation]:
    """The operations that the ys depend on, as far as they are not older than number `first`."""
    ancestors = {y.op for y in ys if y.op.id >= first}
    waiting = list(ancestors)
    while waiting:
        for output in waiting.pop().inputs:
            source = output.op
            if source not in ancestors and source.id >= first:
                ancestors.add(source)
                waiting.append(source)
    return ancestors


def is_pairwise(op: Operation) -> bool:
    """Whether there are several outputs, and each passes its gradient to the input at the same position."""
    return len(op.outputs) > 1 and set(flows_of(op)) == {Flow.PASS}


def explain_cut(ys: Sequence[AnyOutput], x: AnyOutput, stop: Sequence[AnyOutput] = ()) -> str:
    """Where every path from the ys to x ends, in one sentence."""
    discrete = [y for y in ys if not carries_gradient(y.dtype)]
    if discrete:
        return f"'{discrete[0].name}' is {discrete[0].dtype.name}, {NO_GRADIENT}"
    if not carries_gradient(x.dtype):
        return f"'{x.name}' is {x.dtype.name}, {NO_GRADIENT}"
    connected = paths(ys, [x], every_edge=True)
    if not connected:
        is_reversed = bool(paths([x], ys, every_edge=True))
        hint = ", but one leads the other way: swap them" if is_reversed else ""
        return f"no path of values leads from it to what is differentiated{hint}"
    cuts = list(dict.fromkeys(_cuts(ys, x, connected, frozenset(stop)).values()))
    shown = "; ".join(cuts[:3])
    return f"the path is cut at {shown}" + (f"; and {len(cuts) - 3} more" if len(cuts) > 3 else "")


def lost(ys: Sequence[AnyOutput], xs: Sequence[AnyOutput]) -> list[AnyOutput]:
    """Of xs without a gradient, those on whose values the ys depend, and for which the program does not stop gradients.

    The program stops them by an operation that is there for this, or by a gradient of its own.
    """
    followed = _followed(ys)
    return [x for x in xs if x in followed and not _is_stopped_for(ys, x)]


def _is_stopped_for(ys: Sequence[AnyOutput], x: AnyOutput) -> bool:
    cuts = _cuts(ys, x, paths(ys, [x], every_edge=True), frozenset())
    return any(_is_stopped(op, index) for op, index in cuts)


def _followed(ys: Iterable[AnyOutput]) -> set[AnyOutput]:
    """What the values of the ys follow from, up to where the program stops gradients."""
    followed = set(ys)
    waiting = list(followed)
    while waiting:
        op = waiting.pop().op
        unused = {each.name for each in op.definition.inputs if each.uses == "shape"}
        for index, (name, output) in enumerate(zip(defined_names(op), op.inputs, strict=True)):
            if output not in followed and name not in unused and not _is_stopped(op, index):
                followed.add(output)
                waiting.append(output)
    return followed


def _is_stopped(op: Operation, index: int) -> bool:
    """Whether the program says that no gradient flows to an input of an operation."""
    own = op.graph.own_gradients.get(op)
    return op.definition.stops_gradients if own is None else own.flows[index] is Flow.STOP


_Edge: TypeAlias = tuple[Operation, int]
"""An input of an operation, by its position."""


def _cuts(
    ys: Sequence[AnyOutput], x: AnyOutput, connected: Container[Operation], stop: frozenset[AnyOutput]
) -> dict[_Edge, str]:
    """The cuts behind which a path leads to x, in the order of the program.

    A function such as `logsumexp` stops gradients on a second path to its input: only what cuts the first is of use.
    """
    cuts: dict[_Edge, tuple[int, str]] = {}
    seen: set[Operation] = set()
    waiting = [y.op for y in ys if y.op in connected]
    while waiting:
        op = waiting.pop()
        if op in seen:
            continue
        seen.add(op)
        for index, output in enumerate(op.inputs):
            if output is not x and output.op not in connected:
                continue
            cut = _cut(op, index, stop)
            if cut is not None:
                cuts[op, index] = cut
            elif output is not x:
                waiting.append(output.op)
    last = sorted((each for each in cuts if _is_last(each, x, connected, cuts)), key=lambda each: cuts[each])
    return {each: cuts[each][1] for each in last}


def _cut(op: Operation, index: int, stop: frozenset[AnyOutput]) -> tuple[int, str] | None:
    """What stops the gradient of an input of an operation, with its place in the program; None if nothing does."""
    output = op.inputs[index]
    if output in stop:
        return output.op.id, f"'{output.name}', which is in stop_gradients"
    if flows_of(op)[index] is Flow.STOP:
        return op.id, f"{describe(op)}, input `{defined_names(op)[index]}`"
    if not carries_gradient(output.dtype):
        return output.op.id, f"{origin(output)}, which is neither float nor complex"
    return None


def _is_last(edge: _Edge, x: AnyOutput, connected: Container[Operation], cuts: Container[_Edge]) -> bool:
    """Whether a path leads from a cut to x that has no other cut."""
    seen: set[AnyOutput] = set()
    waiting = [edge[0].inputs[edge[1]]]
    while waiting:
        output = waiting.pop()
        if output is x:
            return True
        if output not in seen and output.op in connected:
            seen.add(output)
            waiting += [each for index, each in enumerate(output.op.inputs) if (output.op, index) not in cuts]
    return False
