"""`View`: what a picture shows of a graph, whatever it is drawn with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import frozen
from typing_extensions import TypedDict

from typegrad.arguments.options import check_options
from typegrad.base.brief import counted
from typegrad.base.errors import FeedError, GraphError
from typegrad.graph.explain import origin
from typegrad.graph.graph import Graph
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.operand import Operand, Output
from typegrad.graph.operation import Operation
from typegrad.graph.variable import Variable
from typegrad.tools.pictures.marks import Mark, marked
from typegrad.tools.pictures.values import values_of

if TYPE_CHECKING:
    from typegrad.session import Session
    from typegrad.session.run_types import Feeds

__all__ = ["Options", "View", "scope_of", "view"]

_Output: TypeAlias = Output[Any, Any]
_Target: TypeAlias = Operand[Any, Any] | Variable[Any, Any]


class Options(TypedDict, total=False):
    """What a picture shows and marks: the keywords that all pictures share."""

    y: Operand[Any, Any] | Sequence[Operand[Any, Any]]
    """What is differentiated: the way that its gradient takes to the xs is marked, and so is what lies between them and gets none."""
    x: _Target | Sequence[_Target]
    """With respect to what: operands or variables. By default, if there is a y, the trainable variables."""
    title: str
    """The heading. By default the scope, or the ys, or the size of the graph."""
    scope: str
    """Only the operations of this scope, such as "layer1", and those that they take values from. By default all."""
    session: Session
    """Where to compute values: of every output that can be had without writing state or drawing random numbers."""
    feeds: Feeds
    """What is fed for that, as for `session.run`."""


@frozen
class View:
    """The operations to show, and what is known of them."""

    title: str
    operations: Sequence[Operation]
    """In creation order."""
    inside: frozenset[Operation]
    """Those of the scope that was asked for; the others only show where its values come from."""
    marks: Mapping[Operation, Sequence[Mark]]
    """For the operations that have some."""
    flow: Mapping[Operation, Sequence[int]]
    """For each operation on the way of the gradient, the positions of the inputs to which it flows on."""
    values: Mapping[_Output, str]
    """The values that could be computed, in short."""

    def inputs(self, op: Operation) -> Sequence[_Output]:
        """The inputs to draw: none of an operation outside the scope."""
        return op.inputs if op in self.inside else ()

    def before(self, op: Operation) -> Sequence[Operation]:
        """The operations that are shown and that `op` runs after."""
        return [first for first in op.control_inputs if first in self.inside] if op in self.inside else ()


def view(graph: Graph, picture: Callable[..., object], options: Options) -> View:
    """Look at a graph for the function `picture`, as its options say. Nothing is added to the graph."""
    check_options(picture, Options, options)
    session, feeds = options.get("session"), options.get("feeds")
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
        values={} if session is None else values_of(graph, shown, session, {} if feeds is None else feeds),
    )


def scope_of(op: Operation) -> str:
    """The names of the scopes that an operation lies in, joined by slashes; "" at the top."""
    return op.name.rpartition("/")[0]


def _title(graph: Graph, scope: str, ys: Sequence[_Output]) -> str:
    """What a picture is of, if it has no other heading."""
    if scope:
        return scope
    names = dict.fromkeys(y.op.name for y in ys)
    return f"Gradient of {', '.join(names)}" if names else f"Graph of {counted(len(graph), 'operation')}"


def _outputs(graph: Graph, given: Any, keyword: str) -> list[_Output]:
    """The outputs that `y` or `x` stands for."""
    is_listed = isinstance(given, Sequence) and not isinstance(given, str)
    items = given if is_listed else [] if given is None else [given]
    return [_output(graph, item, keyword) for item in items]


def _output(graph: Graph, item: Any, keyword: str) -> _Output:
    if isinstance(item, IndexedSlices):
        item = item.values  # the dense array might have to be added to the graph first
    output: _Output = getattr(item, "handle", item).as_output()
    if output.graph is not graph:
        raise GraphError(f"{origin(output)}, given as {keyword}, belongs to another graph than the picture's")
    return output


def _inside(graph: Graph, scope: str) -> Sequence[Operation]:
    """The operations of a scope."""
    if not scope:
        return graph.operations
    found = [op for op in graph if op.name.startswith(f"{scope}/")]
    if not found:
        known = sorted({scope_of(op) for op in graph} - {""})
        near = get_close_matches(scope, known, n=3, cutoff=0) if known else []
        hint = f"; those most like it are {', '.join(map(repr, near))}" if near else "; the graph has no scopes"
        raise GraphError(f"no scope is called {scope!r}{hint}")
    return found
