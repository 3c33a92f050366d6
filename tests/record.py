"""Record what TensorFlow answers to every case in `tests/cases`, in `tests/recorded`.

Run it by hand after cases were added or changed, in an environment of its own:

    python -m venv /path/to/recorder && /path/to/recorder/bin/pip install tensorflow-cpu==2.21.0 attrs
    /path/to/recorder/bin/python tests/record.py [--only NAME ...] [--force]

Only what is missing is recorded, unless `--force` is given; what no case asks for any more is dropped. It says where
TensorFlow's answer is not the one a case announces (`fails`). It imports no part of typegrad.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Final, TypeVar

from support.case import Case
from support.recording import Recorded, describe, identity, load, save

VERSION: Final = "2.21.0"

T = TypeVar("T")


def main() -> None:
    """Record what is missing."""
    parser = argparse.ArgumentParser(description="Record what TensorFlow answers to the cases in tests/cases.")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these files of tests/cases")
    parser.add_argument("--force", action="store_true", help="record everything again")
    options = parser.parse_args()
    names = sorted(path.stem for path in (Path(__file__).parent / "cases").glob("*.py") if path.stem != "__init__")
    for name in options.only or names:
        record(name, force=options.force)


def record(name: str, *, force: bool) -> None:
    """Record the cases of one file."""
    cases: list[Case] = import_module(f"cases.{name}").CASES
    known = {} if force else load(name)
    by_key = {identity(case): case for case in cases}
    missing = [case for key, case in by_key.items() if key not in known]
    new = dict(zip(map(identity, missing), answers(missing), strict=True))
    result = {key: new.get(key) or known[key] for key in by_key}
    save(name, result)
    for case in cases:
        answer = result[identity(case)]
        if bool(answer.error) != case.fails and not answer.unsupported and not case.differs:
            print(f"  {describe(case)}: fails={case.fails}, but TensorFlow says: {answer.error or 'fine'}")
    print(f"{name}: {len(cases)} cases, {len(new)} new")


def answers(cases: list[Case]) -> list[Recorded]:
    """TensorFlow's answers."""
    return list(ask(cases, _answer, lambda _: Recorded(error="TensorFlow aborts", unsupported=True)))


def ask(cases: Sequence[Case], question: Callable[[Case], T], aborted: Callable[[Case], T]) -> Iterator[T]:
    """The answer to a question about each case, from another process, because some inputs make TensorFlow abort.

    Then the answer is `aborted`, and the next cases get a new process.
    """
    done = 0
    while done < len(cases):
        with ProcessPoolExecutor(1, get_context("spawn"), initializer=_prepare) as pool:
            try:
                while done < len(cases):
                    yield pool.submit(question, cases[done]).result()
                    done += 1
            except BrokenProcessPool:
                yield aborted(cases[done])
                done += 1


def _prepare() -> None:
    """Settings that TensorFlow reads when it is imported: quiet, and with the rounding of the plain kernels."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")


def _answer(case: Case) -> Recorded:
    answers: Recorded = tensorflow().answer(case)
    return answers


def tensorflow() -> ModuleType:
    """The module that asks TensorFlow, if it is the version whose answers are recorded."""
    from support import answering

    if answering.VERSION != VERSION:
        raise SystemExit(f"the recorded answers are from TensorFlow {VERSION}; this is {answering.VERSION}")
    return answering


if __name__ == "__main__":
    main()
