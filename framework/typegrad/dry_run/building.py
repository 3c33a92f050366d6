"""What typegrad's functions and operators make, of values that are known and of others."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from typegrad.base.errors import TypegradError
from typegrad.dry_run.attributes import Attributes
from typegrad.dry_run.computing.any_names import with_any_names
from typegrad.dry_run.computing.creations import (
    LostError,
    creates,
    is_of_arguments,
    is_of_graphs,
    is_of_operation,
    scope_of,
)
from typegrad.dry_run.computing.gradient_paths import are_paths_known, is_of_paths, lacks_gradient, without_none
from typegrad.dry_run.computing.open_values import is_open, made_of, of_operator
from typegrad.dry_run.functions.instead import is_instead
from typegrad.dry_run.functions.sessions import Session
from typegrad.dry_run.known.arrays import StandIn, bare
from typegrad.dry_run.known.open_shapes import OPEN_GRAPHS
from typegrad.dry_run.known.unknown import UNKNOWN, UnknownFloat, has_unknown, is_unknown
from typegrad.dry_run.known.values import operands_in
from typegrad.functions.facade import GroupOps
from typegrad.graph.graph import Graph
from typegrad.graph.operand import AnyOperand, Operand
from typegrad.graph.scope import Scope
from typegrad.graph.variable import Variable

__all__ = ["TAKE_VALUES", "Building"]

TAKE_VALUES: Final = (getattr(Variable.create, "__func__", Variable.create),)
"""The functions that make of an array only its shape and type."""
_MEMORY: Final = 2**28
_DATA: Final = "typegrad.training.data"


class Building(Attributes):
    """What is added to graphs."""

    _bytes = 0
    """How much memory the graph may take for arrays without values."""
    _has_open_variables = False
    """Whether a run knows the shape of a variable better."""
    open_ones = 0
    """How often something was made of values that a run knows better, and may refuse."""

    def of_operands(self, function: Any, values: tuple[Any, ...]) -> Any:
        """What an operator, or an index, makes of an operand."""
        if any(has_unknown(each, is_open) for each in values):
            return self._opened(partial(of_operator, function, *values), lambda _: True)
        if self.tries and any(isinstance(each, Operand) and each in self.openings for each in values):
            return self.unsure()
        return self.of_library(function, bare(values), {})

    def _opened(
        self,
        make: Callable[[], Any],
        is_certain: Callable[[Exception], bool],
        given: Sequence[AnyOperand] | None = None,
    ) -> Any:
        """What is made of values that a run knows better; if that is not certain to fail there, an error is none.

        Args:
            make: Makes it.
            is_certain: Whether a run raises an error, too.
            given: The operands of which it is made; None if there may be others.

        """
        self._note_open()
        if self.tries:
            return self.unsure()
        before = [(graph, len(graph)) for graph in self.graphs]

        def made() -> Any:
            try:
                result = make()
            except LostError:
                return UNKNOWN
            except Exception as error:  # whatever a function of typegrad raises
                if is_certain(error) or (is_of_paths(error) and knows_paths()):
                    raise
                return UNKNOWN
            return without_none(result) if lacks_gradient(result) and not knows_paths() else result

        def knows_paths() -> bool:
            return given is not None and are_paths_known(given)

        try:
            return self.of_library(made, (), {})
        finally:
            for graph, count in before:
                made_of_open = graph.operations[count:]
                self.openings.add(made_of_open)
                self._has_open_variables |= any(each.definition.effect == "handle" for each in made_of_open)

    def _note_open(self) -> None:
        self.open_ones += 1
        OPEN_GRAPHS.update(self.graphs)

    def _rests_on_open(self, function: Any, given: Sequence[AnyOperand]) -> bool:
        """Whether what a function makes of operands may depend on some that a run knows better."""
        return any(each in self.openings for each in given) or (self._has_open_variables and not creates(function))

    def built(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function of typegrad returns."""
        named, owner = getattr(function, "__func__", function), getattr(function, "__self__", None)
        takes_values = named in TAKE_VALUES or str(getattr(named, "__module__", "")).startswith(_DATA)
        if any(is_instead(each) for each in (*args, *kwargs.values()) if not _is_part(each)):
            # a session, which would compute something
            for each in kwargs.values() if isinstance(owner, Graph) else ():
                if isinstance(each, Session):  # the values in a picture
                    self.of_library(each.run, ([], kwargs.get("feed_dict")), {})
            return self.unsure()
        self._note_graphs(owner, *args, *kwargs.values())
        self._bytes += sum(each.nbytes for each in (*args, *kwargs.values()) if isinstance(each, StandIn))
        if self._bytes > _MEMORY or self.open_lists > 0:
            self._note_open()
            return UNKNOWN
        if not takes_values and has_unknown((args, kwargs), is_open):
            args, kwargs = with_any_names(function, args, kwargs)
        if has_unknown((args, kwargs), is_unknown if takes_values else is_open):
            return self._opened(partial(made_of, function, args, kwargs), lambda _: creates(function))
        given = list(operands_in((owner, *args, *kwargs.values()))) if self.open_ones else []
        if self.open_ones and self._rests_on_open(function, given):
            make = partial(_called, function, args, kwargs)
            return self._opened(make, partial(_is_certain, function), given)
        return self._with_warnings(partial(self.of_library, _of_any_float, (function, args, kwargs), {}))

    def _with_warnings(self, make: Callable[[], Any]) -> Any:
        """What is made of values that are known, and so what it warns of is certain."""
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", UserWarning)
            made = make()
        for each in told:
            if isinstance(each.message, UserWarning) and each.filename in self.files:
                self.warned(each.message)
        return made

    def _note_graphs(self, *values: Any) -> None:
        """Note the graphs that something is added to."""
        for each in values:
            part = scope_of(each) if isinstance(each, GroupOps) else each
            graph = part if isinstance(part, Graph) else getattr(part, "graph", None) if _is_part(part) else None
            if graph is not None and all(graph is not known for known in self.graphs):
                self.graphs.append(graph)


def _is_part(value: object) -> bool:
    return isinstance(value, (Operand, Scope))


def _is_certain(function: Any, error: Exception) -> bool:
    """Whether an error of a function of values that are known is one whatever is not known of what they are made of."""
    is_of_parts = is_of_operation(error) or is_of_graphs(error)
    return creates(function) or is_of_parts or is_of_arguments(error, _called.__code__)


def _called(function: Any, args: Any, kwargs: Any) -> Any:
    return function(*bare(args), **bare(kwargs))


def _of_any_float(function: Any, args: Any, kwargs: Any) -> Any:
    """What a function of typegrad makes of floats that are not known: it may take some, as a rate below 1."""
    try:
        return _called(function, args, kwargs)
    except TypegradError:
        if not has_unknown((args, kwargs), _is_float):
            raise
        return function(*_halved(args), **_halved(kwargs))


def _is_float(value: object) -> bool:
    return isinstance(value, UnknownFloat)


def _halved(value: Any) -> Any:
    """Arguments with 0.5 in the place of floats that are not known."""
    if isinstance(value, UnknownFloat):
        return 0.5
    if type(value) in (list, tuple):
        return type(value)(map(_halved, value))
    return {key: _halved(each) for key, each in value.items()} if type(value) is dict else bare(value)
