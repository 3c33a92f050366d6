"""An interrupt, at whatever moment, leaves a session that goes on, and every step done as a whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Final

import numpy as np
import pytest

import typegrad as tg
from support.interrupting import ctrl_c, impatiently, interrupted, twice
from support.stepping import Training

STEPS: Final = 5000


@pytest.fixture(autouse=True)
def _patience() -> Iterator[None]:
    with impatiently():
        yield


@pytest.fixture(scope="module")
def walk() -> list[tuple[int, bytes]]:
    return Training().walk(STEPS)


def look(training: Training, moment: int) -> tuple[int, bytes]:
    """What the training shows; now and then to another thread, which must go on as well."""
    if moment % 50:
        return training.look()
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(training.look).result()


@pytest.mark.parametrize("action", [Training.step, Training.fail, Training.look])
def test_a_run_is_done_as_a_whole_or_not_at_all(
    action: Callable[[Training], object], walk: list[tuple[int, bytes]]
) -> None:
    training = Training()
    for _ in range(2):
        action(training)  # so that its plan is there, compiled
    errors = np.geterr()
    seen = set()
    for moment in count(1):
        training.step()
        before = training.look()[0] + 1
        training.step()  # so that the rows are no longer shared with those that were looked at, and change in place
        goes_on = interrupted(lambda: action(training), moment, ctrl_c)
        state = look(training, moment)
        assert state == walk[state[0]]
        seen.add(state[0] - before)
        if not goes_on:
            break
    assert seen == ({0, 1} if action is Training.step else {0})
    assert np.geterr() == errors


def test_the_first_run_initializes_as_a_whole_or_not_at_all(walk: list[tuple[int, bytes]]) -> None:
    training = Training()
    for moment in count(1, 41):
        training.session = tg.Session(training.graph)
        goes_on = interrupted(training.step, moment, ctrl_c)
        state = look(training, moment)
        assert state in walk[:2]
        if not goes_on:
            break


def test_initializers_are_done_when_their_values_are_there(walk: list[tuple[int, bytes]]) -> None:
    training = Training()
    for moment in count(1):
        training.session = tg.Session(training.graph)
        goes_on = interrupted(training.step, moment, ctrl_c, function="_initialize")
        training.step()
        assert training.look() in walk[1:3]
        if not goes_on:
            break


@pytest.mark.parametrize("action", [Training.step, Training.fail])
@pytest.mark.parametrize("calls", [1, 3, 8])
def test_a_second_interrupt_changes_nothing(
    calls: int, action: Callable[[Training], object], walk: list[tuple[int, bytes]]
) -> None:
    training = Training()
    action(training)
    for moment in count(1, 3):
        goes_on = interrupted(lambda: action(training), moment, twice(calls))
        state = look(training, moment)
        assert state == walk[state[0]]
        training.step()
        if not goes_on:
            break


def test_restoring_is_done_as_a_whole_or_not_at_all(tmp_path: Path, walk: list[tuple[int, bytes]]) -> None:
    training = Training()
    training.step()
    training.session.save(tmp_path / "one")
    state = training.look()
    for moment in count(1, 5):
        training.step()
        goes_on = interrupted(lambda: training.session.restore(tmp_path / "one"), moment, ctrl_c)
        state = training.look()
        assert state == walk[state[0]]
        training.step()
        assert training.look() == walk[state[0] + 1]
        if not goes_on:
            break
    assert state[0] == 1
