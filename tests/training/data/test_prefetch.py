"""Elements made ahead by a thread, and the progress bar."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator

import pytest

from typegrad.training.data import Dataset


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("typegrad-prefetch")]


def wait_until_threads_end() -> None:
    gc.collect()
    deadline = time.monotonic() + 10
    while threads():
        assert time.monotonic() < deadline, threads()
        time.sleep(0.001)


def fails_at_three(number: int) -> int:
    if number == 3:
        raise LookupError("no three")
    return number


def test_the_elements_are_the_same() -> None:
    dataset = Dataset.from_iterable(range(100)).prefetch(4)
    assert len(dataset) == 100
    assert list(dataset) == list(range(100))
    assert list(Dataset.from_iterable(range(0)).prefetch(4)) == []
    wait_until_threads_end()


def test_only_so_many_are_made_ahead_and_in_another_thread() -> None:
    threads: list[str] = []
    third = threading.Event()

    def source() -> Iterator[int]:
        for i in range(10):
            threads.append(threading.current_thread().name)
            if len(threads) == 3:
                third.set()
            yield i

    elements = iter(Dataset.from_iterable(source).prefetch(2))
    assert not threads
    assert next(elements) == 0
    assert third.wait(10)
    time.sleep(0.02)
    assert len(threads) == 3
    assert set(threads) == {"typegrad-prefetch_0"}
    del elements
    wait_until_threads_end()


def test_an_exception_comes_in_its_place_with_its_traceback() -> None:
    elements = iter(Dataset.from_iterable(range(6)).map(fails_at_three).prefetch(5))
    assert [next(elements) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(LookupError, match="no three") as caught:
        next(elements)
    assert "fails_at_three" in [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert list(elements) == []
    wait_until_threads_end()


def test_the_thread_ends_when_the_iterator_is_dropped() -> None:
    elements = iter(Dataset.from_iterable(range(3)).repeat().prefetch(2).map(str).prefetch(3))
    assert next(elements) == "0"
    assert len(threads()) == 2
    del elements
    wait_until_threads_end()


def test_a_program_ends_while_elements_are_made() -> None:
    program = (
        "from typegrad.training.data import Dataset\n"
        "elements = iter(Dataset.from_iterable(range(3)).repeat().prefetch(2))\n"
        "print(next(elements))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == ("0\n", "")


def test_progress_is_shown_and_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    dataset = Dataset.from_iterable(range(7)).progress("Training", unit="step")
    assert list(dataset) == list(range(7))
    assert len(dataset) == 7
    shown = capsys.readouterr().err
    assert "Training" in shown and "7/7" in shown and "step" in shown


def test_progress_without_tqdm_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typegrad.training.data.dataset.find_spec", lambda _: None)
    with pytest.raises(ImportError, match=r"a progress bar needs tqdm: run pip install 'typegrad\[progress\]'"):
        Dataset.from_iterable(range(7)).progress()
