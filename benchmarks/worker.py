"""The process of one library: sets up its tasks and measures them, as `run.py` asks.

`python worker.py numpy` reads requests from its standard input and writes answers to its standard output, each a line
of JSON. What libraries print goes to the standard error.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from contenders.tasks import TASKS, Run
from measuring import LONG, clock, memory, repeats, seconds

if TYPE_CHECKING:
    from contenders.inputs import Array
    from contenders.tasks import Contenders

__all__ = ["Library"]


class Library:
    """The contenders of a library, and the one that is measured now."""

    def __init__(self, contenders: Contenders) -> None:
        self._contenders = contenders
        self._runs: dict[str, Run] = {}
        self._repeats: dict[str, int] = {}

    def offers(self) -> dict[str, list[str]]:
        """The tasks of each contender."""
        return {
            name: [task.name for task in TASKS if task.setup in setups] for name, setups in self._contenders.items()
        }

    def prepare(self, contender: str, task: str, values: str, *, quick: bool) -> int:
        """Set up a task, write the results of its first calls, and warm up.

        Returns the bytes by which the memory of the process has grown at most, if that is the task.
        """
        chosen = next(each for each in TASKS if each.name == task)
        before = memory(peak=False) if chosen.measure == "memory" else 0
        run = self._contenders[contender][chosen.setup](**chosen.arguments(quick=quick))
        results: list[Array] = []
        longest = 0.0
        for _ in range(chosen.calls):
            start = clock()
            value = run.work()
            longest = max(longest, clock() - start)
            results += run.read(value)
        np.savez(values, *results)
        if chosen.measure == "memory":
            return memory(peak=True) - before
        self._runs[contender] = run
        self._repeats[contender] = 1 if quick or longest > LONG else repeats(run.work)
        return 0

    def measure(self, contender: str) -> float:
        """The seconds of a call."""
        return seconds(self._runs[contender].work, self._repeats[contender])

    def forget(self) -> None:
        """Free what tasks have made."""
        self._runs.clear()


def main() -> None:
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def answer(value: Any) -> None:
        print(json.dumps(value), file=answers, flush=True)

    try:
        library = Library(import_module(f"contenders.with_{sys.argv[1]}").CONTENDERS)
    except ModuleNotFoundError as error:
        answer({"missing": error.name})
        return
    answer({"value": library.offers()})
    for line in sys.stdin:
        request, arguments = json.loads(line)
        try:
            answer({"value": getattr(library, request)(**arguments)})
        except Exception:  # noqa: BLE001  # whatever it is, run.py shows it and ends
            answer({"error": traceback.format_exc()})


if __name__ == "__main__":
    main()
