"""`Call`: the fetches and the fed operands of runs, prepared once for any values."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

from typegrad.base.errors import FeedError
from typegrad.base.types import TString
from typegrad.graph.explain import origin
from typegrad.graph.operand import Output
from typegrad.graph.operation import Operation
from typegrad.graph.variable import Variable
from typegrad.graph.wrapper import OperandOp, Wrapper
from typegrad.session.feeds import fed_array, fed_output
from typegrad.session.fetches import flatten

if TYPE_CHECKING:
    from typegrad.base.array import Array
    from typegrad.graph.graph import Graph
    from typegrad.graph.operand import AnyOperand, AnyOutput
    from typegrad.kernels.namespace import DType
    from typegrad.session.fetches import Fetch
    from typegrad.session.plan import Plan

__all__ = ["Call", "key_of", "only"]

_lasting: Final[set[type]] = {Output, Operation, Variable}
"""Types of fetches that mean the same in every run. The types of wrappers are added when they are first used."""

_HASHES: Final = (object.__hash__, OperandOp.__hash__)
"""How wrappers are hashed; a class with a method of its own might do anything there."""

only: Final = itemgetter(0)
"""Rebuilds a fetch that is in no structure."""

_ARRAY: Final = np.ndarray
_STR: Final = frozenset({str})


@final
class Call:
    """What to run and what is fed. Which names and operands mean which outputs is found once."""

    __slots__ = ("_taken", "outputs", "plan", "rebuild", "requested", "shortest")

    def __init__(self, graph: Graph, fetches: Any, operands: Iterable[AnyOperand | str]) -> None:
        """Find what is fetched and fed; a `FeedError` or `GraphError` if there is no such operand."""
        self.requested: Final[list[Fetch]] = []
        try:
            rebuild = flatten(graph, fetches, self.requested)
        except RecursionError:
            raise FeedError("the fetches are nested too deeply, or contain themselves") from None
        self.rebuild: Final[Callable[[Sequence[Any]], Any]] = (
            only if rebuild is next else lambda values: rebuild(iter(values))
        )
        """Makes the structure of the fetches from their values."""
        outputs: dict[AnyOutput, None] = {}
        for operand in operands:
            output = fed_output(graph, operand)
            if output in outputs:
                raise FeedError(f"{origin(output)} is fed twice")
            outputs[output] = None
            _learn([operand])
        self.outputs: Final = tuple(outputs)
        self._taken = self._in_order(self.outputs)
        self.plan: Plan | None = None
        """How to run it, once that is known."""
        self.shortest: Callable[..., Any] | None = None
        """What `Executor.perform` does, without what this call does not need; found when it runs again."""
        _learn(fetches if type(fetches) in (list, tuple) else fetches.values() if type(fetches) is dict else [fetches])

    def run_by(self, plan: Plan) -> Plan:
        """Remember how to run it."""
        self._taken = self._in_order(plan.feeds)
        self.plan = plan
        return plan

    def _in_order(self, outputs: Iterable[AnyOutput]) -> list[tuple[int, DType | None]]:
        """The position here of each of these feeds, and the type of arrays that need no conversion."""
        return [(self.outputs.index(x), None if x.dtype is TString else x.dtype.numpy) for x in outputs]

    def arrays(
        self, values: Sequence[Any], named: Iterable[str] = ()
    ) -> tuple[list[Array], tuple[tuple[int, ...], ...]]:
        """The fed values as read-only arrays, in the plan's order, and their shapes, whatever they are.

        None is given by name; `named` are the names of those that are.
        """
        if named or len(values) != len(self.outputs):
            raise self._misfed(f"`{next(iter(named))}` is given by name" if named else f"there are {len(values)}")
        arrays: list[Array] = []
        sizes: tuple[tuple[int, ...], ...] = ()
        for position, dtype in self._taken:
            value = values[position]
            if type(value) is _ARRAY and value.dtype is dtype:
                array: Array = value[...]
                array.setflags(write=False)  # so that no fetch returns the caller's own array
            elif isinstance(value, dict):
                raise self._misfed("a dict is given")
            else:
                array = fed_array(self.outputs[position], value)
            arrays.append(array)
            sizes += (array.shape,)
        return arrays, sizes

    def _misfed(self, actual: str) -> FeedError:
        names = ", ".join(f"'{output.name}'" for output in self.outputs)
        return FeedError(f"a value for each of [{names}] is needed, in this order, but {actual}")


def _learn(fetches: Iterable[object]) -> None:
    kinds = [type(each) for each in fetches]  # a list, as an interrupt is lost in a generator that it ends
    _lasting.update([kind for kind in kinds if issubclass(kind, Wrapper) and kind.__hash__ in _HASHES])


def key_of(fetches: Any, feeds: Any) -> Hashable:
    """What is equal for calls with the same fetches and fed operands; None if that cannot be told at a glance."""
    kind = type(fetches)
    if kind not in _lasting:
        if kind is list or kind is tuple:
            if not _lasting.issuperset(map(type, fetches)):
                return None
            fetches = (kind, *fetches)
        elif kind is dict:
            if not (_STR.issuperset(map(type, fetches)) and _lasting.issuperset(map(type, fetches.values()))):
                return None
            fetches = (tuple(fetches), *fetches.values())
        else:
            return None
    if feeds is None:
        return (fetches,)
    return (fetches, *feeds) if type(feeds) is dict and _lasting.issuperset(map(type, feeds)) else None
