"""Functions in processes of their own."""

from __future__ import annotations

import os
import time
from threading import Event, Thread

import pytest

from typegrad.tools.types.children import Children, NoAnswerError


def test_each_call_has_a_process_of_its_own() -> None:
    children = Children()
    assert len({os.getpid(), children.run(os.getpid), children.run(os.getpid)}) == 3


def test_a_process_that_ends_without_an_answer() -> None:
    with pytest.raises(NoAnswerError, match="with exit code 3"):
        Children().run(os._exit, 3)


def test_a_process_that_is_stopped() -> None:
    children, done = Children(), Event()

    def stop() -> None:
        while not done.wait(0.05):
            children.stop()

    thread = Thread(target=stop)
    thread.start()
    try:
        with pytest.raises(NoAnswerError, match="with exit code -9"):
            children.run(time.sleep, 60)
    finally:
        done.set()
        thread.join()
