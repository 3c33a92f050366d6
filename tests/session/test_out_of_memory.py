"""Arrays that no memory holds: the error names the operation that makes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core

HUGE: Final = np.array([10**18])
EMPTY: Final = np.array([2**62, 2**62, 0])

ARRAYS: Final[dict[str, tuple[Callable[[tg.Scope], tg.Operand[Any]], str]]] = {
    "a fetched view": (lambda scope: core.BroadcastTo.create(scope, 1.0, HUGE), "BroadcastTo 'BroadcastTo'"),
    "a fetched view of a variable": (
        lambda scope: core.BroadcastTo.create(scope, tg.Variable.create(scope, 1.0), HUGE),
        "BroadcastTo 'BroadcastTo'",
    ),
    "an empty array": (lambda scope: core.Reshape.create(scope, np.zeros(0, np.float32), EMPTY), "Reshape 'Reshape'"),
    "a range": (lambda scope: core.Range.create(scope, np.int64(0), np.int64(2**60), np.int64(1)), "Range 'Range'"),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_a_run_out_of_memory_names_the_operation(scope: tg.Scope, name: str) -> None:
    build, node = ARRAYS[name]
    fetch = build(scope)
    with tg.Session(scope.graph) as session:
        for _ in range(2):
            with pytest.raises(
                tg.ResourceExhaustedError, match=rf"{node} \(created at .*\): there is not enough memory: "
            ):
                session.run(fetch)


@pytest.mark.parametrize(
    ("start", "limit", "delta"), [(-(2**63), 2**63 - 1, 1), (0, 2**63 - 1, 1), (2**63 - 1, -(2**63), -1)]
)
@pytest.mark.parametrize("is_fed", [False, True])
def test_a_range_of_too_many_integers(scope: tg.Scope, start: int, limit: int, delta: int, *, is_fed: bool) -> None:
    values = [np.int64(each) for each in (start, limit, delta)]
    inputs = [core.Placeholder.create(scope, tg.TInt64, ()) for _ in values] if is_fed else values
    numbers = core.Range.create(scope, *inputs)
    feeds: dict[Any, Any] = dict(zip(inputs, values, strict=True)) if is_fed else {}
    with tg.Session(scope.graph) as session, pytest.raises(tg.InvalidArgumentError, match="makes too many elements"):
        session.run(numbers, feeds)
