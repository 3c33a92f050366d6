"""Record which inputs TensorFlow gives a gradient for, in `tests/data/tf_gradients.jsonl`: a line for each operation.

Run it by hand after operations were added, in the environment that `tests/record.py` describes:

    /path/to/recorder/bin/python tests/record_gradients.py

For each input, in argument order, the line says what comes back to it, the most that any case of `tests/cases` gets:
"none", "zeros" or "values"; null where no case can tell, because the input is never of floats or TensorFlow has no
gradient to ask. It imports no part of typegrad.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

from record import ask, tensorflow
from support.case import Case

HERE: Final = Path(__file__).parent
FILE: Final = HERE / "data" / "tf_gradients.jsonl"
ORDER: Final = (None, "none", "zeros", "values")


def main() -> None:
    """Record all operations again."""
    result: dict[str, list[str | None]] = {}
    cases = list(_cases())
    for case, flows in zip(cases, ask(cases, _flows, _unknown), strict=True):
        most = result.setdefault(case.op, [None] * len(case.inputs))
        rest = iter(flows)
        for index, value in enumerate(case.inputs):
            new = [next(rest) for _ in (value if isinstance(value, tuple) else (value,))]
            most[index] = max([most[index], *new], key=ORDER.index)
    lines = [json.dumps({"op": op, "gradients": result[op]}) for op in sorted(result)]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{FILE.name}: {len(result)} operations, {len(cases)} cases")


def _cases() -> Iterator[Case]:
    for path in sorted((HERE / "cases").glob("*.py")):
        if path.stem != "__init__":
            yield from (case for case in import_module(f"cases.{path.stem}").CASES if not case.fails)


def _flows(case: Case) -> list[str | None]:
    flows: list[str | None] = tensorflow().flows(case)
    return flows


def _unknown(case: Case) -> list[str | None]:
    return [None for value in case.inputs for _ in (value if isinstance(value, tuple) else (value,))]


if __name__ == "__main__":
    main()
