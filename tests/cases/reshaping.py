"""Cases of `ops/reshaping.yaml`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from support.case import Case
from support.samples import ALL, COMPLEX, NUMBER, ints, sample, strings, values
from support.sweeps import every_type

_NEW_SHAPES: list[tuple[tuple[int, ...], tuple[int, ...], bool]] = [
    ((2, 3), (3, 2), True),
    ((2, 3), (-1,), True),
    ((2, 3), (-1, 2), True),
    ((2, 3), (1, -1, 1, 2), True),
    ((1, 1), (), True),
    ((), (1, 1), True),
    ((), (-1,), True),
    ((0, 3), (3, 0), True),
    ((0, 3), (-1, 3), True),
    ((0, 3), (-1, 0), True),
    ((0, 3, 4), (-1, 0, 2), True),
    ((0,), (-1, 2), True),
    ((0,), (-1,), True),
    ((2, 3), (4,), False),
    ((2, 3), (-1, 4), False),
    ((2, 3), (-1, -1), False),
    ((2, 3), (-2, 3), False),
    ((2, 3), (-1, 0), False),
    ((2, 3), (0,), False),
    ((0, 3), (1,), False),
    ((2, 3), (), False),
]

_RESHAPE = [
    *every_type("Reshape", (2, 3), ints(3, 2)),
    *(
        Case("Reshape", (sample("double", tuple(sizes)), np.array(requested, index)), fails=not fits)
        for sizes, requested, fits in _NEW_SHAPES
        for index in (np.int32, np.int64)
    ),
    Case("Reshape", (sample("double", (2, 3)), np.array([[3, 2]], np.int32)), fails=True),
]

_EXPAND = [
    *every_type("ExpandDims", (2, 3), np.int32(1)),
    *(Case("ExpandDims", (sample("double", (2, 3)), np.int32(dim)), fails=not -3 <= dim <= 2) for dim in range(-4, 4)),
    *(Case("ExpandDims", (sample("double", ()), np.int64(dim)), fails=not -1 <= dim <= 0) for dim in range(-2, 2)),
    Case("ExpandDims", (sample("double", (0, 2)), np.int64(0))),
    Case("ExpandDims", (sample("double", (2, 3)), ints(1))),
    Case("ExpandDims", (sample("double", (2, 3)), ints(1, 1)), fails=True),
]


def _squeeze(shape: Sequence[int], dims: Sequence[int] = (), fails: bool = False) -> Case:
    return Case("Squeeze", (sample("double", tuple(shape)),), {"squeeze_dims": list(dims)}, fails=fails)


_SQUEEZE = [
    *every_type("Squeeze", (1, 2, 1)),
    _squeeze((1, 2, 1)),
    _squeeze((2, 3)),
    _squeeze((1, 1)),
    _squeeze(()),
    _squeeze((1, 0)),
    _squeeze((1, 2, 1), [0]),
    _squeeze((1, 2, 1), [-1]),
    _squeeze((1, 2, 1), [0, 2]),
    _squeeze((1, 2, 1), [0, 0, -3]),
    _squeeze((1, 2, 1), [1], fails=True),
    _squeeze((1, 2, 1), [3], fails=True),
    _squeeze((1, 2, 1), [-4], fails=True),
    _squeeze((0, 1), [0], fails=True),
    _squeeze((), [0], fails=True),
]


def _reverse(shape: Sequence[int], axis: Sequence[int], fails: bool = False) -> Case:
    return Case("ReverseV2", (sample("double", tuple(shape)), np.array(axis, np.int32)), fails=fails)


_REVERSE = [
    *every_type("ReverseV2", (2, 3), values("int64", 1)),
    _reverse((2, 3), (0,)),
    _reverse((2, 3), (-1, 0)),
    _reverse((2, 3), ()),
    _reverse((2, 0), (1,)),
    _reverse((), ()),
    Case("ReverseV2", (np.array(b"x", object), ints())),
    _reverse((2, 1, 3), (2, -2)),
    _reverse((2, 2), (0, -2), fails=True),
    _reverse((2, 2), (2,), fails=True),
    _reverse((2, 2), (-3,), fails=True),
    Case("ReverseV2", (sample("double", (2,)), np.int32(0)), fails=True),
]


def adjoints() -> Iterator[Case]:
    """Every type, and a permutation that is not its own inverse."""
    for dtype in (*COMPLEX, "float", "int32", "bool"):
        yield Case("ConjugateTranspose", (sample(dtype, (2, 3)), ints(1, 0)))
    for perm in ((1, 2, 0), (-1, 0, 1)):
        yield Case("ConjugateTranspose", (sample("complex128", (2, 3, 4)), ints(*perm)))
    yield Case("ConjugateTranspose", (sample("double", (0, 2)), values("int64", 1, 0)))
    yield Case("ConjugateTranspose", (sample("double", (2, 3)), ints(0, 0)), fails=True)


def transpositions() -> Iterator[Case]:
    """Permutations, negative axes, every type, and what is not a permutation."""
    cube = sample("double", (2, 3, 4))
    yield from (Case("Transpose", (cube, ints(*perm))) for perm in permutations(range(3)))
    yield from (Case("Transpose", (cube, values("int64", *perm))) for perm in ((-1, 0, 1), (-1, -2, -3), (2, -3, 1)))
    for dtype in (*NUMBER, "bool"):
        yield Case("Transpose", (sample(dtype, (2, 3)), ints(1, 0)))
    yield Case("Transpose", (strings("a", "b", "c")[:, None], ints(1, 0)))
    yield from (
        Case("Transpose", (sample("double", shape), ints(*range(len(shape)))))
        for shape in ((), (0,), (3,), (0, 2), (2, 1, 2, 1, 2))
    )
    yield Case("Transpose", (sample("double", (1, 2, 3, 1, 2, 2)), ints(5, 0, 3, 1, 4, 2)))
    wrong = ((0, 0), (0,), (0, 1, 2), (2, 0), (-3, 0), (0, -2), ())
    yield from (Case("Transpose", (sample("float", (2, 3)), ints(*perm)), fails=True) for perm in wrong)
    yield Case("Transpose", (sample("float", (2, 3)), values("int32", 1, 0)[None]), fails=True)


def sequences() -> Iterator[Case]:
    """Both orders of the dimensions, types, lengths of 0, and what does not fit."""
    op = "ReverseSequence"
    shape: tuple[int, ...]
    lengths: tuple[int, ...]
    for shape, seq, batch, lengths in (
        ((2, 3), 1, 0, (3, 0)),
        ((3, 2), 0, 1, (1, 2)),
        ((2, 3, 2), 1, 2, (2, 3)),
        ((2, 2, 3), 2, 0, (2, 3)),
        ((2, 0), 1, 0, (0, 0)),
        ((0, 3), 1, 0, ()),
    ):
        yield Case(op, (sample("double", shape), ints(*lengths)), {"seq_dim": seq, "batch_dim": batch})
    for dtype in ("bool", "uint16", "complex64", "bfloat16"):
        yield Case(op, (sample(dtype, (2, 3)), values("int64", 2, 3)), {"seq_dim": 1})
    many = sample("double", (2, 1, 1, 2, 1, 2))
    yield Case(op, (many, ints(1, 2)), {"seq_dim": 3}, differs="TensorFlow refuses more than 5 dimensions.")
    for shape, seq, batch, row in (
        ((2, 3), 1, 0, (4, 1)),
        ((2, 3), 1, 0, (-1, 1)),
        ((2, 3), 1, 0, (1, 1, 1)),
        ((2, 2), 0, 0, (1, 1)),
        ((2, 3), -1, 0, (1, 1)),
        ((2, 3), 2, 0, (1, 1)),
        ((2, 3), 1, -2, (1, 1)),
        ((), 0, 1, (1,)),
    ):
        yield Case(op, (sample("float", shape), ints(*row)), {"seq_dim": seq, "batch_dim": batch}, fails=True)
    yield Case(op, (sample("float", (2, 3)), ints(1, 1)[None]), {"seq_dim": 1}, fails=True)


FAR = "TensorFlow keeps 32 bits of a shift."


def rolls() -> Iterator[Case]:
    """Every type, several shifts of one axis, empty arrays, and what is refused."""
    op = "Roll"
    for dtype in ALL:
        yield Case(op, (sample(dtype, (2, 3)), ints(1, -4), ints(0, 1)))
    yield Case(op, (strings("a", "b", "c"), np.int32(1), np.int32(0)))
    yield Case(op, (sample("double", (3,)), ints(1, 1), values("int64", 0, -1)))
    yield Case(op, (sample("double", (2, 3)), np.int64(-7), np.int32(-1)))
    yield Case(op, (sample("double", (2, 3)), ints(), ints()))
    yield Case(op, (sample("double", (0, 3)), np.int32(7), np.int32(0)))
    yield Case(op, (sample("double", (5,)), np.int64(2**31 + 1), np.int32(0)), differs=FAR, gradient_differs=FAR)
    for shape, axis in (((2, 3), 2), ((2, 3), -3), ((), 0)):
        yield Case(op, (sample("double", shape), np.int32(1), np.int32(axis)), fails=True)
    for shift, axes in ((ints(1, 2), ints(0)), (np.int32(1), ints(0)), (ints(1)[None], ints(0)[None])):
        yield Case(op, (sample("double", (2, 3)), shift, axes), fails=True)


CASES: list[Case] = [
    *sequences(),
    *_RESHAPE,
    *_EXPAND,
    *_SQUEEZE,
    *adjoints(),
    *transpositions(),
    *(Case("InvertPermutation", (values(dtype, 3, 0, 2, 1),)) for dtype in ("int32", "int64")),
    Case("InvertPermutation", (values("int32"),)),
    Case("InvertPermutation", (values("int32", 0),)),
    *(Case("InvertPermutation", (values("int32", *row),), fails=True) for row in ((0, 0), (0, -1), (0, 2), (1,))),
    Case("InvertPermutation", (values("int32", 0, 1)[None],), fails=True),
    *_REVERSE,
    *rolls(),
]
