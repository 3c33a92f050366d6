"""Cases of `ops/patches.yaml`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from support.case import Case
from support.samples import sample

Sizes = tuple[int, ...]

MISSING: Final = "TensorFlow has no kernel for bool."
COMPLEX: Final = "TensorFlow has no gradient for complex numbers."


def window(ksizes: Sizes, strides: Sizes, padding: str, rates: Sizes = ()) -> dict[str, Any]:
    """The window along the spatial dimensions."""
    attrs = {"ksizes": [1, *ksizes, 1], "strides": [1, *strides, 1], "padding": padding}
    return {**attrs, "rates": [1, *rates, 1]} if rates else attrs


def images() -> Iterator[Case]:
    """Windows that overlap, lie apart, have holes, reach over edges, or do not fit."""
    name = "ExtractImagePatches"
    for padding in ("VALID", "SAME"):
        for ksizes, strides, rates in (((2, 2), (1, 1), (1, 1)), ((1, 3), (2, 1), (1, 1)), ((2, 2), (3, 2), (1, 2))):
            yield Case(name, (sample("double", (2, 4, 5, 2)),), window(ksizes, strides, padding, rates))
        for shape in ((0, 3, 3, 1), (1, 3, 3, 0)):
            yield Case(name, (sample("float", shape),), window((2, 2), (1, 1), padding, (1, 1)), smooth=False)
    plain = window((2, 2), (1, 1), "VALID", (1, 1))
    for dtype in ("int8", "uint16", "uint64", "bfloat16", "half", "float", "complex64", "complex128", "bool"):
        differs, other = (MISSING if dtype == "bool" else ""), (COMPLEX if "complex" in dtype else "")
        yield Case(name, (sample(dtype, (1, 3, 3, 1)),), plain, differs=differs, gradient_differs=other)
    for size, stride in ((4, 1), (5, 2)):
        yield Case(
            name, (sample("float", (1, 3, 3, 1)),), window((size, 1), (stride, 1), "VALID", (1, 1)), smooth=False
        )
    yield Case(
        name, (sample("complex64", (1, 1, 3, 1)),), window((2, 1), (1, 1), "VALID", (1, 1)), gradient_differs=COMPLEX
    )
    x = sample("float", (1, 3, 3, 2))
    yield Case(name, (x[0],), plain, fails=True)
    yield Case(name, (x,), window((5, 1), (1, 1), "VALID", (1, 1)), fails=True)
    wrong: tuple[tuple[str, Sequence[int]], ...] = (
        ("ksizes", [1, 0, 2, 1]),
        ("strides", [1, 1, 0, 1]),
        ("rates", [1, 0, 1, 1]),
        ("ksizes", [2, 2, 2, 1]),
        ("ksizes", [1, 2, 2, 2]),
        ("strides", [1, 1, 1, 2]),
        ("ksizes", [1, 2, 2]),
    )
    for attr, numbers in wrong:
        yield Case(name, (x,), {**plain, attr: list(numbers)}, fails=True)


def volumes() -> Iterator[Case]:
    """The same in three dimensions."""
    name = "ExtractVolumePatches"
    for padding in ("VALID", "SAME"):
        for ksizes, strides in (((2, 2, 2), (1, 1, 1)), ((1, 3, 2), (2, 1, 3))):
            yield Case(name, (sample("double", (1, 2, 3, 4, 2)),), window(ksizes, strides, padding))
        yield Case(name, (sample("double", (2, 2, 5, 4, 1)),), window((1, 1, 2), (2, 3, 4), padding))
        yield Case(name, (sample("float", (0, 2, 3, 3, 1)),), window((2, 2, 2), (1, 1, 1), padding), smooth=False)
    for dtype in ("int8", "uint64", "bfloat16", "half", "float"):
        yield Case(name, (sample(dtype, (1, 2, 2, 3, 1)),), window((2, 1, 2), (1, 1, 1), "VALID"))
    x, plain = sample("float", (1, 2, 2, 2, 1)), window((2, 2, 2), (1, 1, 1), "VALID")
    yield Case(name, (x[0],), plain, fails=True)
    for attr, numbers in (("ksizes", [1, 0, 2, 2, 1]), ("ksizes", [2, 2, 2, 2, 1]), ("strides", [1, 1, 0, 1, 1])):
        yield Case(name, (x,), {**plain, attr: numbers}, fails=True)


CASES: list[Case] = [*images(), *volumes()]
