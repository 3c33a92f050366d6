"""`View`: the part of a graph that a picture shows, independent of its format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeAlias

from attrs import frozen
from typing_extensions import TypedDict

from typegrad.arguments.options import check_options
from typegrad.base.brief import counted
from typegrad.base.errors import FeedError, GraphError
from typegrad.graph.explain import describe, origin
from typegrad.graph.graph import Graph
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.operand import AnyOperand, AnyOutput
from typegrad.graph.operation import Operation
from typegrad.graph.variable import AnyVariable
from typegrad.tools.pictures.marks import Mark, marked
from typegrad.tools.pictures.values import values_of

if TYPE_CHECKING:
    from typegrad.session import Session
    from typegrad.session.profile import Cost, Profile
    from typegrad.session.run_types import Feeds

__all__ = ["Options", "View", "scope_of", "view"]

_Target: TypeAlias = AnyOperand | AnyVariable


class Options(TypedDict, total=False):
    """The keywords that all pictures share."""

    y: AnyOperand | Sequence[AnyOperand]
    """The ys. Marks the path of their gradient to the xs, and the operations between them that it does not reach."""
    x: _Target | Sequence[_Target]
    """The xs, operands or variables. If there is a y, by default the trainable variables."""
    title: str
    """The heading. By default made of the scope, the ys or the size of the graph."""
    scope: str
    """Show only the operations of this scope, such as "layer1", and their inputs. By default all."""
    session: Session
    """The session to compute values in, of every output that needs no writing of state and no random numbers."""
    feed_dict: Feeds
    """The feeds for these values, as for `session.run`."""
    costs: Profile
    """What operations cost, from `session.profile`. The page colours the operations by it."""


@frozen
class View:
    """The operations to show, with their marks and values."""

    title: str
    operations: Sequence[Operation]
    """The operations, in creation order."""
    inside: frozenset[Operation]
    """The operations of the requested scope; the others are sources of its values."""
    marks: Mapping[Operation, Sequence[Mark]]
    """The marks of operations that have any."""
    flow: Mapping[Operation, Sequence[int]]
    """For each operation on the gradient path, the positions of the inputs to which the gradient flows."""
    values: Mapping[AnyOutput, str]
    """Summaries of the values that could be computed."""
    costs: Mapping[Operation, Cost]
    """The costs of the operations that ran."""

    def inputs(self, op: Operation) -> Sequence[AnyOutput]:
        """The inputs to draw: none for an operation outside the scope."""
        return op.inputs if op in self.inside else ()

    def before(self, op: Operation) -> Sequence[Operation]:
        """The shown operations after which `op` runs."""
        return [first for first in op.control_inputs if first in self.inside] if op in self.inside else ()


def view(graph: Graph, picture: Callable[..., object], options: Options) -> View:
    """The view of a graph for the function `picture` with its options. Adds nothing to the graph."""
    check_options(picture, Options, options)
    session, feeds = options.get("session"), options.get("feed_dict")
    if feeds is not None and session is None:
        raise FeedError("there are feeds, but no session to compute values in: pass `session`, too")
    scope = options.get("scope", "").rstrip("/")
    x = options.get("x")
    ys = _outputs(graph, options.get("y"), "y")
    xs = _outputs(graph, graph.trainable_variables if x is None and ys else x, "x")
    inside = _inside(graph, scope)
    shown = sorted({*inside, *(output.op for op in inside for output in op.inputs)}, key=lambda op: op.id)
    marks, flow = marked(graph, ys, xs)
    return View(
        title=options.get("title") or _title(graph, scope, ys),
        operations=shown,
        inside=frozenset(inside),
        marks=marks,
        flow=flow,
        costs=_costs(graph, options.get("costs")),
        values={} if session is None else values_of(graph, shown, session, {} if feeds is None else feeds),
    )


def _costs(graph: Graph, profile: Profile | None) -> Mapping[Operation, Cost]:
    costs = {} if profile is None else profile.by_operation
    for op in costs:
        if op.graph is not graph:
            raise GraphError(f"the profile given as costs belongs to another graph than the picture's: {describe(op)}")
    return costs


def scope_of(op: Operation) -> str:
    """The scope of an operation, with its enclosing scopes; "" for the outermost."""
    return op.name.rpartition("/")[0]


def _title(graph: Graph, scope: str, ys: Sequence[AnyOutput]) -> str:
    """The default heading of a picture."""
    if scope:
        return scope
    names = dict.fromkeys(y.op.name for y in ys)
    return f"Gradient of {', '.join(names)}" if names else f"Graph of {counted(len(graph), 'operation')}"


def _outputs(graph: Graph, value: _Target | Sequence[_Target] | None, keyword: str) -> list[AnyOutput]:
    """The outputs for the argument `y` or `x`."""
    if value is None:
        return []
    items = value if isinstance(value, Sequence) else [value]
    return [_output(graph, item, keyword) for item in items]


def _output(graph: Graph, item: _Target, keyword: str) -> AnyOutput:
    if isinstance(item, IndexedSlices):
        item = item.values  # the dense array would have to be added to the graph
    output: AnyOutput = item.as_reference()
    if output.graph is not graph:
        raise GraphError(f"{origin(output)}, given as {keyword}, belongs to another graph than the picture's")
    return output


def _inside(graph: Graph, scope: str) -> Sequence[Operation]:
    """The operations of a scope."""
    if not scope:
        return graph.operations
    inside = [op for op in graph if op.name.startswith(f"{scope}/")]
    if not inside:
        known = sorted({scope_of(op) for op in graph} - {""})
        near = get_close_matches(scope, known, n=3, cutoff=0) if known else []
        hint = f"; similar names are {', '.join(map(repr, near))}" if near else "; the graph has no scopes"
        raise GraphError(f"no scope is called {scope!r}{hint}")
    return inside
