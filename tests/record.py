"""Record what TensorFlow answers to every case in `tests/cases`, in `tests/recorded`.

Run it by hand after cases were added or changed, in an environment of its own:

    python -m venv /path/to/recorder && /path/to/recorder/bin/pip install tensorflow-cpu==2.21.0 attrs
    /path/to/recorder/bin/python tests/record.py [--only NAME ...] [--force]

Only what is missing is recorded, unless `--force` is given; what no case asks for any more is dropped. It says where TensorFlow's
answer is not the one a case announces (`fails`). It imports no part of typegrad.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final

from support.case import Case
from support.recording import Recorded, describe, identity, load, save

VERSION: Final = "2.21.0"


def main() -> None:
    """Record what is missing."""
    parser = argparse.ArgumentParser(description="Record what TensorFlow answers to the cases in tests/cases.")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these files of tests/cases")
    parser.add_argument("--force", action="store_true", help="record everything anew")
    options = parser.parse_args()
    answer = tensorflow_answer(parser)
    names = sorted(path.stem for path in (Path(__file__).parent / "cases").glob("*.py") if path.stem != "__init__")
    for name in options.only or names:
        record(name, answer, force=options.force)


def tensorflow_answer(parser: argparse.ArgumentParser) -> Callable[[Case], Recorded]:
    """The function that asks TensorFlow, which reads these settings when it is imported."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    from support import answering

    if answering.VERSION != VERSION:
        parser.error(f"the recorded answers are those of TensorFlow {VERSION}; this is {answering.VERSION}")
    return answering.answer


def record(name: str, answer: Callable[[Case], Recorded], *, force: bool) -> None:
    """Record the cases of one file."""
    cases: list[Case] = import_module(f"cases.{name}").CASES
    known = {} if force else load(name)
    answers: dict[str, Recorded] = {}
    for case in cases:
        key = identity(case)
        found = answers[key] = answers.get(key) or known.get(key) or answer(case)
        if bool(found.error) != case.fails and not found.unsupported and not case.differs:
            print(f"  {describe(case)}: fails={case.fails}, but TensorFlow says: {found.error or 'fine'}")
    save(name, answers)
    print(f"{name}: {len(cases)} cases, {len(answers.keys() - known.keys())} new")


if __name__ == "__main__":
    main()
