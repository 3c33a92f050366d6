# pyright: reportUnusedFunction=false
# Notebooks call `_repr_html_`.
"""`Graph`: an append-only collection of operations."""

from __future__ import annotations

import operator
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, SupportsIndex, final

from typegrad.arguments.fixed import fixed_attribute
from typegrad.base.brief import brief, counted
from typegrad.base.errors import GraphError
from typegrad.base.pickling import Unpicklable
from typegrad.graph import later
from typegrad.graph.operation import Operation

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    from typing_extensions import Unpack

    from typegrad.differentiation.custom import OwnGradient
    from typegrad.graph.later import Options
    from typegrad.graph.operand import AnyOperand, AnyOutput
    from typegrad.graph.scope import Scope
    from typegrad.graph.variable import AnyVariable

__all__ = ["NOT_ENTERED", "NOT_INDEXED", "Graph", "check_name"]

_SEED_LIMIT: Final = 2**128
_NAME: Final = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*")

NOT_ENTERED: Final = "a graph is not entered; write scope = tg.Scope(graph), and give the scope to operations"
"""The error message for `with graph:`."""
NOT_INDEXED: Final = (
    "a graph is not indexed; write graph.operation(name) or graph.output(name), and graph.operations for all of them"
)
"""The error message for `graph["loss"]`."""
_OUTPUT: Final = re.compile(r"([^:]*)(?::(\d{1,9}))?")


def check_name(name: str) -> str:
    """`name` if a node may have it, by TensorFlow's rule, else a `GraphError`."""
    if not _NAME.fullmatch(name):
        raise GraphError(
            f"{brief(name)} is not a valid name: it starts with a letter, digit or dot, and goes on with those or "
            "_ \\ / > -"
        )
    return name


@final
class Graph(Unpicklable):
    """The operations of a computation, in the order they were made. Operations are added through a `Scope`.

    `seed` fixes every random operation of the graph that has no seeds of its own: the numbers it draws depend on this
    seed, its name and how often it ran, so adding other operations changes nothing. Without a seed each session draws
    other numbers.
    """

    def __init__(self, seed: SupportsIndex | None = None) -> None:
        """Make an empty graph."""
        self._seed = None if seed is None else operator.index(seed)
        if self._seed is not None and abs(self._seed) >= _SEED_LIMIT:
            raise GraphError("a seed is an int of at most 128 bits; this one has more")
        self._operations: list[Operation] = []
        self._consumers: defaultdict[Operation, list[Operation]] = defaultdict(list)
        self._by_name: dict[str, Operation] = {}
        self._names: dict[str, int] = {}
        self._variables: list[AnyVariable] = []
        self._initializers: list[Operation] = []
        self._gradient_operations: list[Operation] = []
        self._own_gradients: dict[Operation, OwnGradient] = {}

    if not TYPE_CHECKING:
        __setattr__ = fixed_attribute

        def __enter__(self):
            raise GraphError(NOT_ENTERED)

        def __getitem__(self, _):
            raise GraphError(NOT_INDEXED)

        def __exit__(self, *_):
            """Let Python ask `__enter__`."""

    # Reading

    @property
    def seed(self) -> int | None:
        """What fixes the random operations; None without one."""
        return self._seed

    @property
    def operations(self) -> Sequence[Operation]:
        """All operations in creation order, which is an order in which they can run."""
        return tuple(self._operations)

    def __len__(self) -> int:
        return len(self._operations)

    def __iter__(self) -> Iterator[Operation]:
        return iter(self._operations)

    def __reversed__(self) -> Iterator[Operation]:
        return reversed(self._operations)

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def operation(self, name: str) -> Operation:
        """The operation called `name`; a `GraphError` if there is none."""
        operation = self._by_name.get(name)
        if operation is None:
            raise GraphError(f"no operation is called {brief(name)}; {self._meant(name)}")
        return operation

    def _meant(self, name: str) -> str:
        """What to ask for instead of an operation that is not there."""
        from difflib import get_close_matches

        if name.partition(":")[0] in self._by_name:
            return f"that is an output: graph.output({brief(name)})"
        same_letters = [other for other in self._by_name if other.lower() == name.lower()]
        near = same_letters or get_close_matches(name, self._by_name, 3)
        if near:
            return f"did you mean {' or '.join(map(repr, near))}?"
        return f"the graph has {counted(len(self), 'operation')}, which print(graph.to_text()) lists"

    def output(self, name: str) -> AnyOutput:
        """The output called `name`: "Split:1"; "y" means "y:0". A `GraphError` if there is none."""
        match = _OUTPUT.fullmatch(name)
        if match is None:
            raise GraphError(f"{brief(name)} is not a name of an output, such as 'y:0'")
        return self.operation(match[1]).output(int(match[2] or 0))

    @property
    def variables(self) -> list[AnyVariable]:
        """All variables in creation order."""
        return list(self._variables)

    @property
    def trainable_variables(self) -> list[AnyVariable]:
        """The variables that an optimizer trains unless told otherwise."""
        return [variable for variable in self._variables if variable.trainable]

    @property
    def initializers(self) -> list[Operation]:
        """The operations that write state and were made in an init scope: a session runs each once, in this order."""
        return list(self._initializers)

    @property
    def initializer_count(self) -> int:
        """How many `initializers` there are. Each run compares it."""
        return len(self._initializers)

    @property
    def own_gradients(self) -> dict[Operation, OwnGradient]:
        """The gradients that `tg.custom_gradient` gave to nodes."""
        return self._own_gradients

    @property
    def gradient_operations(self) -> Sequence[Operation]:
        """The operations that gradients added, in creation order."""
        return tuple(self._gradient_operations)

    def consumers(self, operation: Operation) -> Sequence[Operation]:
        """The operations that take an output of `operation`, in creation order, listed once per use.

        `Operation.consumers` is a copy; this one grows with the graph.
        """
        return self._consumers.get(operation, ())

    def ancestors(self, targets: Collection[Operation], stop: Collection[AnyOperand] = ()) -> list[Operation]:
        """`targets` and everything they depend on, in creation order; `stop` are operands whose values are known."""
        known = {operand.as_reference() for operand in stop}
        needed = set(targets)
        waiting = list(needed)
        while waiting:
            op = waiting.pop()
            for output in op.inputs:
                if output not in known:
                    source = output.op
                    if source not in needed:
                        needed.add(source)
                        waiting.append(source)
            for source in op.control_inputs:
                if source not in needed:
                    needed.add(source)
                    waiting.append(source)
        return sorted(needed, key=operator.attrgetter("id"))

    def between(self, sources: Collection[Operation], targets: Collection[Operation]) -> list[Operation]:
        """The operations on any path of values from `sources` to `targets`, both included, in creation order."""
        reached = set(sources)
        first = min((op.id for op in reached), default=len(self))
        on_path: set[Operation] = set()
        last = max((op.id for op in targets), default=-1)
        for op in self._operations[first : last + 1]:
            if op not in reached and any(output.op in reached for output in op.inputs):
                reached.add(op)
        waiting = [op for op in targets if op in reached]
        while waiting:
            op = waiting.pop()
            if op not in on_path:
                on_path.add(op)
                waiting.extend(output.op for output in op.inputs if output.op in reached)
        return sorted(on_path, key=lambda op: op.id)

    def __repr__(self) -> str:
        return f"<Graph of {counted(len(self), 'operation')}>"

    # Pictures: all take the keywords of `typegrad.tools.pictures.Options`

    def to_text(self, *, depth: int | None = None, **options: Unpack[Options]) -> str:
        """The graph as text: a line per operation in creation order, with inputs, element types, shapes and marks.

            print(graph.to_text(y=loss, x=[w1, w2]))

        Args:
            depth: How many levels of scopes to open; an inner scope is one line. None opens all.
            **options: What to show and to mark, as in all pictures (`typegrad.tools.pictures.Options`):
                `y` and `x`, the operands between which a gradient's path is marked; `title`; `scope`, which alone is
                shown; `session` and `feed_dict`, to show values; `costs`, from `session.profile`.

        Raises:
            GraphError: There is no such scope, or an operand or the session belongs to another graph.
            FeedError: There are feeds, but no session; or they do not fit what they are fed to.
            ShapeError: The shapes of the feeds do not fit the graph.
            AttributeValueError: The depth is not an int from 0 up.
            OptionError: There is no option of that name.
        """
        return later.pictures.text(self, depth=depth, **options)

    def to_dot(self, *, depth: int | None = None, **options: Unpack[Options]) -> str:
        """The graph in the language of Graphviz, a cluster per scope; arguments and errors as for `to_text`.

        `dot -Tsvg graph.dot -o graph.svg` makes a picture of the text, and -Tpng one in pixels.
        """
        return later.pictures.dot(self, depth=depth, **options)

    def to_mermaid(self, *, depth: int | None = None, **options: Unpack[Options]) -> str:
        """The graph as a Mermaid flowchart, which GitHub draws; with the arguments and errors of `to_text`.

        Mermaid refuses more than 500 edges or 50,000 characters: use `depth` or `scope` for a large graph.
        """
        return later.pictures.mermaid(self, depth=depth, **options)

    def show(self, path: str | PathLike[str] | None = None, **options: Unpack[Options]) -> Path | None:
        """Show the graph as a picture to zoom, search and fold: in the notebook if this is one, else in the browser.

        Args:
            path: The HTML file to write, which needs nothing else to be opened later or elsewhere. By default a
                temporary one, or none in a notebook.
            **options: What to show and to mark: `y` and `x`, the operands between which a gradient's path is marked;
                `title`; `scope`, which alone is shown; `session` and `feed_dict`, to show values; `costs`, from
                `session.profile`. `to_text` describes the errors.

        Returns:
            The file, or None if none was written.
        """
        return later.pictures.show(self, path, **options)

    def _repr_html_(self) -> str:
        """What a notebook shows for a graph."""
        return later.pictures.frame(self)

    # Building: called by Scope and Variable, not by users

    @cached_property
    def top_scope(self) -> Scope:
        """The scope at the top."""
        return later.Scope(self)

    def append(self, operation: Operation, *, is_initializer: bool, is_gradient: bool) -> None:
        """Add a checked operation; every session runs an initializer once."""
        self._operations.append(operation)
        self._by_name[operation.name] = operation
        consumers = self._consumers
        for output in operation.inputs:
            consumers[output.op].append(operation)
        if is_initializer:
            self._initializers.append(operation)
        if is_gradient:
            self._gradient_operations.append(operation)

    def withdraw(self, length: int) -> None:
        """Remove all but the first `length` operations: constants made for an operation that was then refused."""
        while len(self._operations) > length:
            operation = self._operations.pop()
            del self._by_name[operation.name]
            del self._names[operation.name.lower()]
            self._consumers.pop(operation, None)
            for output in operation.inputs:
                self._consumers[output.op].pop()
            if self._gradient_operations and self._gradient_operations[-1] is operation:
                self._gradient_operations.pop()

    def unique_name(self, name: str) -> str:
        """`name`, with `_1`, `_2`, ... where it is taken; upper and lower case count as the same, as in TensorFlow."""
        key, names = name.lower(), self._names
        number = self._free_number(key)
        names[key] = number + 1
        if not number:
            return name
        names[f"{key}_{number}"] = 1
        return f"{name}_{number}"

    def free_name(self, name: str) -> str:
        """The name that `unique_name` would return, without reserving it."""
        number = self._free_number(name.lower())
        return f"{name}_{number}" if number else name

    def _free_number(self, key: str) -> int:
        """The number that makes a name in lower case unique; 0 if it is already."""
        names = self._names
        number = names.get(key, 0)
        while number and f"{key}_{number}" in names:
            number += 1
        return number

    def add_variable(self, variable: AnyVariable) -> None:
        """Remember a variable."""
        self._variables.append(variable)
