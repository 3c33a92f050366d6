"""Run the programs of examples while the site is built, and compare the output with the entries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from typing import Final

import numpy as np
from attrs import frozen

from typegrad.base.errors import TypegradError
from typegrad.base.types import BY_NAME
from typegrad_codegen.schema import Entry, Example
from typegrad_reference.entries.examples import Program

__all__ = ["Outcome", "problems", "run"]

_RTOL: Final = 1e-5
"""Entries state about seven digits."""
_FAILURES: Final = (TypegradError, ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError)


@frozen
class Outcome:
    """What a program printed: as text, and the values themselves; or why it failed."""

    text: str
    values: tuple[object, ...]
    failure: str = ""


def run(program: Program, file: str) -> Outcome:
    """Run a program in this process. `file` is the name it goes by in messages and in the nodes of graphs."""
    printed = StringIO()  # also by operations that print
    values: list[object] = []

    def show(*items: object, sep: str = " ") -> None:
        print(*items, sep=sep, file=printed)
        values.extend(items)

    namespace: dict[str, object] = {"print": show, "__name__": "__main__"}
    try:
        with redirect_stdout(printed):
            exec(compile(program.text, file, "exec"), namespace)
    except _FAILURES as error:
        return Outcome("", (), f"{type(error).__name__}: {error}")
    return Outcome(printed.getvalue().removesuffix("\n"), tuple(values))


def problems(op: Entry, example: Example, ran: Outcome) -> Iterator[str]:
    """How what was printed differs from what the entry states."""
    if ran.failure:
        yield ran.failure
        return
    stated = [*_outputs(op, example), *example.gradients.values(), *example.after.values()]
    if not op.has_known_values:
        shape = "" if not ran.values else str(getattr(ran.values[0], "shape", ""))
        declared = _shape(example.outputs[op.outputs[0].name]["shape"])
        if shape != declared:
            yield f"the shape is {shape}, not {declared}"
        return
    # One of several outputs may be a list.
    values = [each for value in ran.values for each in (value if isinstance(value, list) else [value])]
    if len(stated) != len(values):
        yield f"printed {len(values)} values, not {len(stated)}"
        return
    for number, (value, expected) in enumerate(zip(values, stated, strict=True)):
        if not _agree(value, expected):
            yield f"value {number} is {value!r}, not {expected!r}"


def _outputs(op: Entry, example: Example) -> Iterator[object]:
    for output in op.outputs:
        value = example.outputs[output.name]
        yield from value if op.is_list(output) else [value]


def _shape(dims: list[int]) -> str:
    return "[" + ", ".join("?" if dim < 0 else str(dim) for dim in dims) + "]"


def _agree(value: object, stated: object) -> bool:
    if stated is None:
        return value is None
    array = np.array(value, object) if isinstance(value, bytes) else np.asarray(value)
    if isinstance(stated, dict) and "shape" in stated:
        return array.dtype == BY_NAME[stated["dtype"]].numpy and list(array.shape) == stated["shape"]
    if isinstance(stated, dict):
        if array.dtype != BY_NAME[stated["dtype"]].numpy:
            return False
        stated = stated["value"]
    expected = np.asarray(stated)
    if array.dtype == object:
        decoded = np.array([item.decode() for item in array.ravel()], dtype=object).reshape(array.shape)
        return bool(np.array_equal(decoded, expected.astype(object)))
    if array.dtype.kind == "b" or expected.dtype.kind == "b":
        return bool(np.array_equal(array, expected))
    wide = np.complex128 if array.dtype.kind == "c" else np.float64
    if array.shape != expected.shape:
        return False
    expected = expected.astype(wide)
    finite = np.abs(expected[np.isfinite(expected)])
    scale = float(np.max(finite, initial=0.0))
    return bool(np.allclose(array.astype(wide), expected, rtol=_RTOL, atol=_RTOL * scale, equal_nan=True))
