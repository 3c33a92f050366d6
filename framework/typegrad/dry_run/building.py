"""What typegrad's functions and operators make, of values that are known and of others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from typegrad.base.errors import TypegradError
from typegrad.dry_run.attributes import Attributes
from typegrad.dry_run.computing.open_values import LostError, creates, is_of_operation, is_open, made_of, of_operator
from typegrad.dry_run.functions.instead import is_instead
from typegrad.dry_run.known.arrays import StandIn, bare
from typegrad.dry_run.known.open_shapes import OPEN_GRAPHS
from typegrad.dry_run.known.unknown import UNKNOWN, UnknownFloat, has_unknown, is_unknown
from typegrad.dry_run.known.values import operands_in
from typegrad.graph.graph import Graph
from typegrad.graph.operand import Operand
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

    def _opened(self, make: Callable[[], Any], is_certain: Callable[[Exception], bool]) -> Any:
        """What is made of values that a run knows better; if that is not certain to fail there, an error is none."""
        self._note_open()
        if self.tries:
            return self.unsure()
        before = [(graph, len(graph)) for graph in self.graphs]

        def made() -> Any:
            try:
                result = make()
                is_list = type(result) in (list, tuple)  # of gradients that may flow through what is not known
                return type(result)([UNKNOWN if each is None else each for each in result]) if is_list else result
            except LostError:
                return UNKNOWN
            except Exception as error:  # whatever a function of typegrad raises
                if is_certain(error):
                    raise
                return UNKNOWN

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

    def _rests_on_open(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether what a function makes may depend on operands that a run knows better."""
        owner = getattr(function, "__self__", None)
        given = operands_in((owner, *args, *kwargs.values()))
        return any(each in self.openings for each in given) or (self._has_open_variables and not creates(function))

    def built(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function of typegrad returns."""
        named = getattr(function, "__func__", function)
        takes_values = named in TAKE_VALUES or str(getattr(named, "__module__", "")).startswith(_DATA)
        if any(is_instead(each) for each in (*args, *kwargs.values()) if not _is_part(each)):
            # a session, which would compute something
            return self.unsure()
        self._note_graphs(getattr(function, "__self__", None), *args, *kwargs.values())
        self._bytes += sum(each.nbytes for each in (*args, *kwargs.values()) if isinstance(each, StandIn))
        if self._bytes > _MEMORY or self.open_lists > 0:
            self._note_open()
            return UNKNOWN
        if has_unknown((args, kwargs), is_unknown if takes_values else is_open):
            return self._opened(partial(made_of, function, args, kwargs), lambda _: creates(function))
        if self.open_ones and self._rests_on_open(function, args, kwargs):
            make = partial(_called, function, args, kwargs)
            return self._opened(make, lambda error: creates(function) or is_of_operation(error))
        return self.of_library(_of_any_float, (function, args, kwargs), {})

    def _note_graphs(self, *values: Any) -> None:
        """Note the graphs that something is added to."""
        for each in values:
            graph = each if isinstance(each, Graph) else getattr(each, "graph", None) if _is_part(each) else None
            if graph is not None and all(graph is not known for known in self.graphs):
                self.graphs.append(graph)


def _is_part(value: object) -> bool:
    return isinstance(value, (Operand, Scope))


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
