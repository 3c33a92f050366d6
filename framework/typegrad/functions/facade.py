"""The base classes of the generated facade: `tf = Ops.create(graph)`, then `tf.linalg.mat_mul(a, b)`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from inspect import isfunction
from types import TracebackType
from typing import TYPE_CHECKING, Self, SupportsIndex

from typegrad.arguments.calls import explained
from typegrad.arguments.guarding import guard as _guard
from typegrad.arguments.unknown import Explaining
from typegrad.graph.graph import Graph
from typegrad.graph.operand import AnyOperand
from typegrad.graph.scope import Scope

if TYPE_CHECKING:
    from typegrad.differentiation.api import Gradients, GradYs, Ys
    from typegrad.graph.operation import Operation
    from typegrad.graph.wrapper import Op

__all__ = ["Facade", "GroupOps"]


class GroupOps(metaclass=Explaining):
    """The operations of one group as methods, bound to a scope."""

    def __init__(self, scope: Scope) -> None:
        """Use `Ops.create` instead."""
        self._scope = scope

    def __repr__(self) -> str:
        return f"<{type(self).__name__} in {self._scope!r}>"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.__module__ != __name__:  # `guard` checks the methods of this module
            for name, method in list(vars(cls).items()):
                if isfunction(method):
                    setattr(cls, name, explained(method))


class Facade(GroupOps):
    """The methods of `Ops` that are not operations. The `with_*` methods return a new object, as in `Scope`."""

    @classmethod
    def create(cls, graph_or_scope: Graph | Scope | None = None) -> Self:
        """All operations as methods.

        Args:
            graph_or_scope: Where the operations go: a graph, or a place in one. Without it: a new graph, `tf.graph`.
        """
        if isinstance(graph_or_scope, Scope):
            return cls(graph_or_scope)
        return cls(Scope(Graph() if graph_or_scope is None else graph_or_scope))

    def gradients(self, y: Ys, xs: Sequence[AnyOperand], *, dx: GradYs = None) -> Gradients:
        """The derivatives of `y` with respect to each of `xs`: `core.Gradients`. `tg.gradients` is typed for each x."""
        from typegrad.differentiation.api import Gradients

        return Gradients.create(self._scope, y, xs, dx=dx)

    def __enter__(self) -> Self:
        """Make the scope current, as `with scope` does."""
        self._scope.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._scope.__exit__(kind, error, trace)

    @property
    def graph(self) -> Graph:
        """The graph in which operations are made."""
        return self._scope.graph

    @property
    def scope(self) -> Scope:
        """The scope in which operations are made."""
        return self._scope

    def with_sub_scope(self, name: str) -> Self:
        """Names are prefixed with "name/"."""
        return type(self)(self._scope.with_sub_scope(name))

    def with_name(self, name: str) -> Self:
        """The next operations are named `name` (made unique) instead of after their class."""
        return type(self)(self._scope.with_name(name))

    def with_control_dependencies(self, operations: Iterable[Operation | Op | AnyOperand]) -> Self:
        """The operations run after `operations`, in addition to the control dependencies of this scope."""
        return type(self)(self._scope.with_control_dependencies(operations))

    def with_device(self, device: str) -> Self:
        """The operations are marked with this device."""
        return type(self)(self._scope.with_device(device))

    def with_seed(self, seed: SupportsIndex | None) -> Self:
        """Random operations draw from `seed` instead of the graph's."""
        return type(self)(self._scope.with_seed(seed))

    def with_init_scope(self) -> Self:
        """For initialization: no control inputs; an operation that writes state runs once per session."""
        return type(self)(self._scope.with_init_scope())


_guard(__name__)
