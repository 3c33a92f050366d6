"""Garbage collection waits while a plan is made, and goes on afterwards, whatever happens."""

from __future__ import annotations

import gc
from collections.abc import Generator
from itertools import count
from typing import Any

import pytest

import typegrad as tg
from support.interrupting import ctrl_c, interrupted
from typegrad.op import core, math
from typegrad.session.plan import Plan
from typegrad.session.program import program
from typegrad.session.uncollected import uncollected


@pytest.fixture
def collections() -> Generator[list[str]]:
    """The collections from now on, which come as often as Python's defaults say: mypy, in this process, sets others."""
    thresholds = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    phases: list[str] = []

    def note(phase: str, _: dict[str, int]) -> None:
        phases.append(phase)

    gc.callbacks.append(note)
    yield phases
    gc.callbacks.remove(note)
    gc.set_threshold(*thresholds)


def fail() -> None:
    raise ValueError("no")


def test_nothing_is_collected_meanwhile(collections: list[str]) -> None:
    def work() -> tuple[int, list[Any]]:
        kept: list[Any] = [[] for _ in range(10_000)]
        return len(collections), kept

    collections.clear()
    assert uncollected(work)[0] == 0 < work()[0]


def test_making_a_plan_collects_nothing(collections: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in the plan nor in its program."""
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=())
    y: tg.Operand[tg.TFloat32] = x
    for _ in range(1000):
        y = math.Tanh.create(scope, y) + x
    counts: list[int] = []

    def counted(function: Any) -> Any:
        def call(*args: Any) -> Any:
            before = len(collections)
            result = function(*args)
            counts.append(len(collections) - before)
            return result

        return call

    monkeypatch.setattr("typegrad.session.executor.Plan", counted(Plan))
    monkeypatch.setattr("typegrad.session.compiler.program", counted(program))
    tg.Session(scope.graph).run(y, {x: 1.0})
    assert counts == [0, 0]


def test_collection_goes_on_after_an_error() -> None:
    with pytest.raises(ValueError, match="no") as caught:
        uncollected(fail)
    assert caught.tb is not None  # its frames are still there
    assert gc.isenabled()


def test_collection_goes_on_after_an_interrupt() -> None:
    assert not interrupted(lambda: uncollected(list[int]), 10**6, ctrl_c)  # Python 3.13 traces the second call
    moments = count(1)
    while interrupted(lambda: uncollected(list[int]), next(moments), ctrl_c):
        assert gc.isenabled()
    assert next(moments) > 10


def test_who_has_switched_it_off_keeps_it_off() -> None:
    gc.disable()
    try:
        uncollected(list[int])
        assert not gc.isenabled()
    finally:
        gc.enable()
