"""The values in a picture, computed without side effects: no state is written, no random numbers are drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from typegrad.base.array import Array
from typegrad.base.errors import TypegradError
from typegrad.base.quiet import quietly
from typegrad.base.types import TResource
from typegrad.base.variable_state import VariableState
from typegrad.graph.explain import foreign
from typegrad.graph.graph import Graph
from typegrad.graph.operand import AnyOutput
from typegrad.graph.operation import Operation
from typegrad.session import Session
from typegrad.session.binding import compute
from typegrad.session.call import Call
from typegrad.session.feeds import check_fed_shape, fed_items
from typegrad.session.specialize import check_shapes
from typegrad.session.state import Resources
from typegrad.tools.pictures.summary import summary

if TYPE_CHECKING:
    from typegrad.session.run_types import Feeds

__all__ = ["values_of"]

_Value: TypeAlias = Array | VariableState


def values_of(graph: Graph, shown: Collection[Operation], session: Session, feeds: Feeds) -> Mapping[AnyOutput, str]:
    """Summaries of the values of the outputs of `shown`; a variable's handle has the variable's value.

    Omits values that depend on random numbers, on writing state, on placeholders that are not fed, or on uninitialized
    variables. An operation that fails has its error in place of a value.

    Raises:
        GraphError: The session or a fed operand belongs to another graph.
        FeedError: A value does not fit the operand that it is fed to.
        ShapeError: The shapes of the feeds do not fit the graph, or one another.
        SessionClosedError: The session is closed.
    """
    if session.graph is not graph:
        raise foreign("the session", "the picture's")
    return session.inspect(partial(_texts, graph, shown, feeds))


def _texts(graph: Graph, shown: Collection[Operation], feeds: Feeds, resources: Resources) -> dict[AnyOutput, str]:
    """Summaries of the values that are fed and of all that follow from them and from the variables."""
    operands, values = fed_items(feeds)
    call = Call(graph, (), operands)
    fed = dict(zip(call.outputs, call.arrays(values)[0], strict=True))
    for output, array in fed.items():
        check_fed_shape(output, array.shape)
    operations = _computable(graph.ancestors(shown, stop=list(fed)), frozenset(fed), resources)
    checked = check_shapes(list(fed), [array.shape for array in fed.values()], operations, {}).unproved
    texts = {output: summary(value) for output, value in fed.items()}
    texts.update(_computed(operations, dict(fed), resources, checked))
    return texts


def _computable(operations: Sequence[Operation], fed: frozenset[AnyOutput], resources: Resources) -> list[Operation]:
    """The operations, in creation order, that can run without side effects, like everything they depend on."""
    able: dict[Operation, None] = {}
    for op in operations:
        has_inputs = all(output in fed or output.op in able for output in op.inputs)
        if has_inputs and _leaves_no_trace(op, resources) and all(first in able for first in op.control_inputs):
            able[op] = None
    return list(able)


def _leaves_no_trace(op: Operation, resources: Resources) -> bool:
    """Whether the operation can run, without side effects."""
    effect = op.definition.effect
    if effect == "read":
        return all(resources.state(output.op).is_initialized for output in op.inputs if output.dtype is TResource)
    return effect in ("", "handle")


def _computed(
    operations: Sequence[Operation],
    known: dict[AnyOutput, _Value],
    resources: Resources,
    checked: Collection[Operation],
) -> Iterator[tuple[AnyOutput, str]]:
    """Summaries of the outputs that are not yet in `known`, or the error of an operation that failed.

    `known` holds a value from its computation to its last use.
    """
    last_use = {output: op for op in operations for output in op.inputs}
    for op in operations:
        if not all(output in known for output in op.inputs):
            continue  # an operation before it has failed
        try:
            is_handle = op.definition.effect == "handle"
            computed = partial(compute, is_checked=op in checked)
            values = [resources.state(op)] if is_handle else quietly(computed, op, known)
        except TypegradError as error:
            message = f"{type(error).__name__}: {str(error).splitlines()[0]}"
            yield from ((output, message) for output in op.outputs if output not in known)
            continue
        for output, value in zip(op.outputs, values, strict=True):
            if output not in known:
                yield from ((output, summary(array)) for array in _arrays(value))
                if output in last_use:
                    known[output] = value
        for output in op.inputs:
            if last_use[output] is op:
                known.pop(output, None)


def _arrays(value: _Value) -> Sequence[Array]:
    """The array to show for a value, if there is one: for a handle, the variable's value."""
    if isinstance(value, VariableState):
        return [value.read()] if value.is_initialized else []
    return [value]
