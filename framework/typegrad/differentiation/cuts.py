"""Explaining why there is no gradient: where the path from y to x is cut."""

from __future__ import annotations

from collections.abc import Container, Sequence

from typegrad.differentiation.builder import carries_gradient, input_names, paths, rules
from typegrad.graph.definition import Flow
from typegrad.graph.explain import describe, origin
from typegrad.graph.operand import AnyOutput
from typegrad.graph.operation import Operation

__all__ = ["explain_cut"]


def explain_cut(ys: Sequence[AnyOutput], x: AnyOutput, stop: Sequence[AnyOutput] = ()) -> str:
    """Where every path from the ys to x ends, in one sentence."""
    discrete = [y for y in ys if not carries_gradient(y.dtype)]
    if discrete:
        return f"'{discrete[0].name}' is {discrete[0].dtype.name}, and only floats and complex numbers have gradients"
    if not carries_gradient(x.dtype):
        return f"'{x.name}' is {x.dtype.name}, and only floats and complex numbers have gradients"
    connected = paths(ys, [x], every_edge=True)
    if not connected:
        return "no path of values leads from it to what is differentiated"
    cuts = _cuts(ys, x, connected, frozenset(stop))
    shown = "; ".join(cuts[:3])
    return f"the path is cut at {shown}" + (f"; and {len(cuts) - 3} more" if len(cuts) > 3 else "")


def _cuts(
    ys: Sequence[AnyOutput], x: AnyOutput, connected: Container[Operation], stop: frozenset[AnyOutput]
) -> list[str]:
    cuts: list[str] = []
    seen: set[Operation] = set()
    waiting = [y.op for y in ys if y.op in connected]
    while waiting:
        op = waiting.pop()
        if op in seen:
            continue
        seen.add(op)
        for output, name, rule in zip(op.inputs, input_names(op), rules(op), strict=True):
            if output is not x and output.op not in connected:
                continue
            if output in stop:
                cuts.append(f"'{output.name}', which is in stop_gradients")
            elif rule is Flow.STOP:
                cuts.append(f"{describe(op)}, input `{name}`")
            elif not carries_gradient(output.dtype):
                cuts.append(f"{origin(output)}, which is neither float nor complex")
            elif output is not x:
                waiting.append(output.op)
    return sorted(set(cuts))
