"""The processes of the libraries, as `run.py` sees them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

__all__ = ["Place", "Worker", "WorkerError", "busy", "places"]

_IMPORT: Final = "from time import {clock} as clock; start = clock(); import {library}; print(clock() - start)"
_WORKER: Final = Path(__file__).with_name("worker.py")


class WorkerError(Exception):
    """A contender has failed."""


@dataclass(frozen=True)
class Place:
    """How a library is started."""

    library: str
    python: str
    environment: Mapping[str, str] = field(hash=False, compare=False)

    def seconds_to_import(self) -> float:
        """The time of the import in a new process."""
        code = _IMPORT.format(clock=self.environment["BENCHMARK_CLOCK"], library=self.library)
        command = [self.python, "-c", code]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True)
        return float(done.stdout.splitlines()[-1])


def places(libraries: Sequence[str], pythons: Mapping[str, str], threads: int | None, clock: str) -> list[Place]:
    """How each library is started: by this interpreter unless `pythons` names another, with so many threads."""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "BENCHMARK_CLOCK": clock}
    environment.pop("OPENBLAS_CORETYPE", None)  # would hold back only the libraries that use OpenBLAS
    if threads is not None:
        names = ("OPENBLAS_NUM", "OMP_NUM", "MKL_NUM", "TF_NUM_INTRAOP", "TF_NUM_INTEROP", "BENCHMARK")
        environment.update((f"{name}_THREADS", str(threads)) for name in names)
        if threads == 1:
            environment["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    return [Place(library, pythons.get(library, sys.executable), environment) for library in libraries]


class Worker:
    """The process of a library. It ends with the `with` statement."""

    def __init__(self, place: Place) -> None:
        """Start it; `missing` is then the module that is not installed, if there is one."""
        command = [place.python, str(_WORKER), place.library]
        self._library = place.library
        self._process = subprocess.Popen(
            command, env=place.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        answer = self._answer()
        self.missing: str = answer.get("missing", "")
        self.offers: dict[str, list[str]] = answer.get("value", {})
        """The tasks of each contender."""

    def ask(self, request: str, **arguments: Any) -> Any:
        """What the process answers.

        Raises:
            WorkerError: It has failed.
        """
        assert self._process.stdin is not None
        print(json.dumps([request, arguments]), file=self._process.stdin, flush=True)
        answer = self._answer()
        if "error" in answer:
            raise WorkerError(f"{self._library}: {request} {arguments} failed\n{answer['error']}")
        return answer["value"]

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise WorkerError(f"the process of {self._library} has ended with status {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()


@contextmanager
def busy(processes: int) -> Generator[None]:
    """Keep this many other processes computing."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()
