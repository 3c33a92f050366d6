"""What a run returns belongs to the caller: for every entry's examples, no fetched array shares memory with anything
else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Final, TypeAlias

import numpy as np
import pytest

import typegrad as tg
from support.entries import entries
from support.registry import definition
from typegrad.base.types import TResource
from typegrad.graph.operand import AnyOutput
from typegrad.graph.operation import Operation
from typegrad_checking.applied import Array, constant, placeholder
from typegrad_checking.examples import applied

EXAMPLES: Final = [
    (op.name, number) for op in entries().values() for number in range(len(op.examples)) if op.name != "Placeholder"
]

CALLS: Final = 3
"""From so many calls on, one takes the shortest way."""

Feeds: TypeAlias = dict[AnyOutput, Array]


@pytest.mark.parametrize(
    ("name", "number", "fed"),
    [(name, number, fed) for name, number in EXAMPLES for fed in (False, True) if number == 0 or fed == number % 2],
)
def test_what_is_fetched_is_the_callers(name: str, number: int, fed: bool) -> None:
    entry = entries()[name]
    case = applied(entry, entry.examples[number], definition(name))
    scope = tg.Scope(tg.Graph(seed=1))
    feeds: Feeds = {}

    def feed(scope: tg.Scope, _: int, value: Array) -> AnyOutput:
        output = placeholder(scope, value)
        feeds[output] = value.copy()
        return output

    inputs = case.place(scope, feed if fed else constant)
    op = case.build(scope, inputs)
    fetches = [output for output in (*op.outputs, *inputs) if output.dtype is not TResource]
    if not _is_pure(op):
        _check(lambda some: _run_anew(scope.graph, [op, *some], feeds)[1:], fetches, feeds.values(), is_pure=False)
        return
    with tg.Session(scope.graph) as session:
        _check(lambda some: session.run([op, *some], feeds)[1:], fetches, feeds.values(), is_pure=True)


def _run_anew(graph: tg.Graph, fetches: list[AnyOutput | Operation], feeds: Feeds) -> list[Array]:
    """A run in a session of its own: what is taken from an accumulator can be taken once."""
    with tg.Session(graph) as session:
        arrays: list[Array] = session.run(fetches, feeds)
    return arrays


def _is_pure(op: Operation) -> bool:
    """Whether each run gives the same."""
    return not any(each.definition.effect in ("random", "write", "outside") for each in op.graph.ancestors([op]))


def _check(
    run: Callable[[list[AnyOutput]], list[Array]], fetches: list[AnyOutput], fed: Iterable[Array], *, is_pure: bool
) -> None:
    for some in (*([fetch] for fetch in fetches), fetches * 2):
        contents = [array.tobytes() for array in fed]
        results = run(some)
        for _ in range(CALLS - 1 if is_pure else 0):
            results = run(some)
        before = [array.tolist() for array in results]
        for one, other in (*combinations(results, 2), *((array, value) for array in results for value in fed)):
            assert not np.shares_memory(one, other)
        for array in results:
            array[...] = ~array if array.dtype == np.bool_ else b"written" if array.dtype == object else 77
        assert contents == [array.tobytes() for array in fed]
        if is_pure:
            np.testing.assert_equal([array.tolist() for array in run(some)], before)
