"""Calls of a session from a signal handler, a finalizer or a callback, which interrupt a call of the same thread: none
waits for ever.
"""

from __future__ import annotations

import signal
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

import typegrad as tg
from support.interrupting import impatiently, interrupted
from support.stepping import Training


@pytest.fixture(autouse=True)
def _patience() -> Iterator[None]:
    with impatiently():
        yield


@pytest.fixture(scope="module")
def walk() -> list[tuple[int, bytes]]:
    return Training().walk(3000)


@pytest.mark.parametrize("action", [Training.step, Training.fail, Training.look])
def test_a_checkpoint_saved_at_any_moment_holds_whole_steps(
    action: Callable[[Training], None], tmp_path: Path, walk: list[tuple[int, bytes]]
) -> None:
    training, other = Training(), Training()
    action(training)
    path = tmp_path / "m"
    for moment in count(1, 13):
        before = training.look()[0] + 1
        training.step()  # so that the rows are no longer shared with those that were looked at, and change in place
        goes_on = interrupted(lambda: action(training), moment, lambda: training.session.save(path))
        if not goes_on:
            break
        after = training.look()
        assert after == walk[before + (action is Training.step)]
        other.session.restore(path)
        saved = other.look()
        assert saved[0] in (before, after[0]) and saved == walk[saved[0]]
        other.step()
        assert other.look() == walk[saved[0] + 1]


@pytest.mark.parametrize("action", [Training.step, Training.fail, Training.look])
def test_values_read_at_any_moment_are_of_whole_steps(
    action: Callable[[Training], None], walk: list[tuple[int, bytes]]
) -> None:
    training = Training()
    action(training)
    states = []
    for moment in count(1, 2):
        before = training.look()[0] + 1
        training.step()  # so that the rows are no longer shared with those that were looked at, and change in place
        goes_on = interrupted(lambda: action(training), moment, lambda: states.append(training.look_apart()))
        assert training.look() == walk[before + (action is Training.step)]
        if not goes_on:
            break
        assert states[-1] in (walk[before], training.look())


@pytest.mark.parametrize("action", [Training.step, Training.fail, Training.look])
@pytest.mark.parametrize("call", [Training.step, Training.look, Training.fail])
def test_a_run_at_any_moment_is_whole_or_refused(
    call: Callable[[Training], None], action: Callable[[Training], None], walk: list[tuple[int, bytes]]
) -> None:
    training = Training()
    action(training)
    call(training)
    outcomes = set()

    def handler() -> None:
        try:
            call(training)
            outcomes.add("run")
        except tg.FailedPreconditionError:
            outcomes.add("refused")

    for moment in count(1, 5):
        before = training.look()[0]
        outcomes.clear()
        goes_on = interrupted(lambda: action(training), moment, handler)
        steps = (action is Training.step) + (call is Training.step and outcomes == {"run"})
        assert training.look() == walk[before + steps]
        if not goes_on:
            break


def test_a_refusal_says_why() -> None:
    training = Training()
    training.step()
    messages = set()

    def handler() -> None:
        try:
            training.step()
        except tg.FailedPreconditionError as error:
            messages.add(str(error))

    for action in (training.step, training.look):
        for moment in count(1, 3):
            if not interrupted(action, moment, handler):
                break
    what_to_do = (
        "a signal handler or a finalizer has interrupted, and {}; set a flag here, and run after "
        "session.run has returned"
    )
    assert sorted(messages) == [
        "this session is in the middle of a run of this very thread that reads variables, which "
        + what_to_do.format("none can be written before it ends"),
        "this session is in the middle of a step of this very thread, which "
        + what_to_do.format("nothing can run before the step ends")
        + " (session.save and session.value work here: they show the state before the step)",
    ]


def test_restoring_within_a_step_is_refused(tmp_path: Path) -> None:
    training = Training()
    training.step()
    training.session.save(tmp_path / "one")
    outcomes = set()

    def handler() -> None:
        try:
            training.session.restore(tmp_path / "one")
            outcomes.add("restored")
        except tg.FailedPreconditionError:
            outcomes.add("refused")

    for moment in count(1, 11):
        outcomes.clear()
        before = training.look()[0]
        if not interrupted(training.step, moment, handler):
            break
        assert training.look()[0] in ((2, 1) if outcomes == {"restored"} else (before + 1,))


def test_a_signal_handler_saves_while_the_session_runs(tmp_path: Path) -> None:
    training = Training()
    training.step()
    saved: list[int] = []

    def handler(*_: object) -> None:
        training.session.save(tmp_path / "m")
        saved.append(1)

    before = signal.signal(signal.SIGTERM, handler)
    try:
        sender = threading.Timer(0.01, signal.raise_signal, [signal.SIGTERM])
        sender.start()
        while not saved:
            training.step()
        sender.join()
    finally:
        signal.signal(signal.SIGTERM, before)
    steps = training.look()[0]
    training.session.restore(tmp_path / "m")
    assert 1 <= training.look()[0] <= steps


@pytest.mark.parametrize("kind", ["__del__", "weakref"])
def test_a_finalizer_saves_within_a_step(kind: str, tmp_path: Path) -> None:
    training = Training()
    interrupted(training.step, 10**9, training.step)  # Python 3.13 traces the bytecodes of the second call

    class Owner:
        if kind == "__del__":

            def __del__(self) -> None:
                training.session.save(tmp_path / "m")

    owners = [Owner()]
    finalizer = weakref.finalize(owners[0], lambda: training.session.save(tmp_path / "m"))
    if kind == "__del__":
        finalizer.detach()
    assert interrupted(training.step, 600, owners.clear)
    steps = training.look()[0]
    training.session.restore(tmp_path / "m")
    assert (steps, training.look()[0]) == (2, 1)


def test_a_saver_may_save_while_it_saves(tmp_path: Path) -> None:
    training = Training()
    training.step()
    saver = tg.Saver(training.session, tmp_path)
    saved = []

    class Late(Mapping[str, str]):
        """Metadata that interrupts the saving."""

        def __iter__(self) -> Iterator[str]:
            saved.append(saver.save(7))
            return iter(("key",))

        def __getitem__(self, key: str) -> str:
            return key

        def __len__(self) -> int:
            return 1

    saved.append(saver.save(8, metadata=Late()))
    assert saver.checkpoints() == [tmp_path / f"step-0000000{step}.safetensors" for step in (7, 8)] == saved


def test_who_interrupts_a_call_that_waits_waits_with_it() -> None:
    training = Training()
    training.step()
    states: list[tuple[int, bytes]] = []
    found_too_early: list[tuple[int, bytes]] = []
    holds, release = threading.Event(), threading.Event()

    def hold(_: object) -> None:
        holds.set()
        release.wait()
        found_too_early.extend(states)

    def handler(*_: object) -> None:
        threading.Timer(0.02, release.set).start()
        states.append(training.look_apart())

    before = signal.signal(signal.SIGUSR1, handler)
    with ThreadPoolExecutor(1) as pool:
        holding = pool.submit(training.session.inspect, hold)
        holds.wait()
        threading.Timer(0.02, signal.raise_signal, [signal.SIGUSR1]).start()
        training.step()
        holding.result()
    signal.signal(signal.SIGUSR1, before)
    assert not found_too_early
    assert [steps for steps, _ in states] == [1] and training.look()[0] == 2


@pytest.mark.parametrize("action", [Training.step, Training.look, Training.look_apart])
def test_a_run_ends_or_says_that_the_session_was_closed(action: Callable[[Training], object]) -> None:
    training = Training()
    for moment in count(1, 17):
        training.session = tg.Session(training.graph)
        training.step()
        action(training)
        try:
            goes_on = interrupted(lambda: action(training), moment, training.session.close)
        except tg.SessionClosedError:
            continue
        if not goes_on:
            break


def test_who_saves_while_the_session_is_closed_gets_its_error(tmp_path: Path) -> None:
    training = Training()
    training.step()
    with pytest.raises(tg.SessionClosedError):
        interrupted(lambda: training.session.save(tmp_path / "m"), 1, training.session.close, function="shared")
    assert not (tmp_path / "m").exists()


def test_who_runs_while_another_thread_closes_the_session_gets_its_error() -> None:
    for _ in range(10):
        training = Training()
        training.step()

        def value(training: Training = training) -> None:
            training.session.value(training.variables[0])

        def until_closed(action: Callable[[], object]) -> str:
            while True:
                try:
                    action()
                except tg.TypegradError as error:
                    return type(error).__name__

        with ThreadPoolExecutor(4) as pool:
            ends = [
                pool.submit(until_closed, action) for action in (training.step, training.look, training.fail, value)
            ]
            training.look()
            training.session.close()
            assert {end.result() for end in ends} == {"SessionClosedError"}
