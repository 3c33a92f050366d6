"""Cases of `ops/recurrent.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import sample

BATCH: Final = 2
INPUTS: Final = 3
UNITS: Final = 2
TIME: Final = 3
STATE: Final = (BATCH, UNITS)

EMPTY: Final = "TensorFlow refuses a batch without elements."
REST: Final = "After the last step, TensorFlow's outputs are uninitialized; it aborts if there are not as many."
UNCHECKED: Final = "TensorFlow does not check these shapes."
STATES_ONLY: Final = "TensorFlow's gradient takes the gates in another order, and ignores all outputs but the states."


def arrays(*shapes: tuple[int, ...], dtype: str = "float", first: int = 0) -> tuple[Array, ...]:
    """Numbers that differ from array to array."""
    return tuple(sample(dtype, shape, -1, 1, seed=seed) for seed, shape in enumerate(shapes, first))


def weights(dtype: str = "float") -> tuple[Array, ...]:
    """The weights of an LSTM."""
    return arrays((INPUTS + UNITS, 4 * UNITS), *[(UNITS,)] * 3, (4 * UNITS,), dtype=dtype, first=10)


def opened(count: int, shape: tuple[int, ...], dtype: str = "float") -> tuple[Array, ...]:
    """Values of gates and states, from 0.1 to 0.9."""
    return tuple(sample(dtype, shape, 0.1, 0.9, seed=seed) for seed in range(20, 20 + count))


def lstms() -> Iterator[Case]:
    """A step and its gradients, with peepholes and without, limits, types, nothing at all."""
    for dtype in ("float", "half"):
        before = arrays((BATCH, INPUTS), STATE, STATE, dtype=dtype)
        for attrs in ({}, {"use_peephole": True, "cell_clip": -1.0, "forget_bias": 0.5}):
            yield Case("LSTMBlockCell", (*before, *weights(dtype)), attrs)
            rest = (*opened(6, STATE, dtype), *arrays(STATE, STATE, dtype=dtype, first=30))
            peephole = {"use_peephole": bool(attrs)}
            yield Case("LSTMBlockCellGrad", (*before, *weights(dtype), *rest), peephole)
    before = arrays((BATCH, INPUTS), STATE, STATE)
    yield Case("LSTMBlockCell", (*before, *weights()), {"cell_clip": 0.125, "use_peephole": True}, smooth=False)
    none, (w, *_, b) = np.zeros(0, np.float32), weights()
    yield Case("LSTMBlockCell", (*before, w, none, none, none, b))
    yield Case("LSTMBlockCellGrad", (*before, w, none, none, none, b, *opened(8, STATE)), {"use_peephole": False})
    yield Case("LSTMBlockCell", (*(each[:0] for each in before), *weights()), differs=EMPTY)


def layers() -> Iterator[Case]:
    """All steps and their gradients, some of them, none."""
    shape = (TIME, *STATE)
    for dtype in ("float", "half"):
        before = arrays((TIME, BATCH, INPUTS), STATE, STATE, dtype=dtype)
        rest = (*opened(7, shape, dtype), *arrays(shape, shape, dtype=dtype, first=30))
        for is_peephole in (False, True):
            attrs = {"use_peephole": is_peephole}
            for length in (TIME, 2) if dtype == "float" else (TIME,):
                differs = REST if length < TIME else ""
                inputs = (np.int64(length), *before, *weights(dtype))
                yield Case("BlockLSTMV2", inputs, attrs, differs=differs, gradient_differs=STATES_ONLY)
                yield Case("BlockLSTMGradV2", (*inputs, *rest), attrs, rtol=1e-2 if dtype == "half" else None)
    before = arrays((TIME, BATCH, INPUTS), STATE, STATE)
    clipped = {"cell_clip": 0.125, "use_peephole": True}
    yield Case(
        "BlockLSTMV2", (np.int64(TIME), *before, *weights()), clipped, smooth=False, gradient_differs=STATES_ONLY
    )
    nothing = (np.int64(0), before[0][:0], *before[1:], *weights())
    yield Case("BlockLSTMV2", nothing, smooth=False, gradient_differs=STATES_ONLY)


def grus() -> Iterator[Case]:
    """A step and its gradients, and an empty batch."""
    x, h, rest = *arrays((BATCH, INPUTS), STATE), opened(4, STATE)
    both = INPUTS + UNITS
    of_gru = arrays((both, 2 * UNITS), (both, UNITS), (2 * UNITS,), (UNITS,), first=10)
    yield Case("GRUBlockCell", (x, h, *of_gru))
    yield Case("GRUBlockCellGrad", (x, h, *of_gru, *rest))
    yield Case("GRUBlockCell", (x[:0], h[:0], *of_gru))
    yield Case("GRUBlockCellGrad", (x[:0], h[:0], *of_gru, *(each[:0] for each in rest)))
    good = (x, h, *of_gru)
    for place, wrong in ((0, x[:1]), (1, h[:, :1]), (2, of_gru[1]), (3, of_gru[0]), (4, h[0]), (5, h), (0, x[0])):
        yield Case("GRUBlockCell", (*good[:place], wrong, *good[place + 1 :]), fails=True)
    for place, wrong in ((6, h[:, :1]), (9, h[:1]), (4, h[0])):
        inputs = (*good, *rest)
        yield Case("GRUBlockCellGrad", (*inputs[:place], wrong, *inputs[place + 1 :]), fails=True)


def refused() -> Iterator[Case]:
    """Shapes that do not fit, and steps that there are not."""
    good: tuple[Any, ...] = (*arrays((BATCH, INPUTS), STATE, STATE), *weights())
    x, state = good[0], good[1]
    for place, wrong in ((0, x[0]), (1, state[:1]), (2, x), (3, good[3][:, :6]), (3, good[3][:4]), (7, good[7][:3])):
        yield Case("LSTMBlockCell", (*good[:place], wrong, *good[place + 1 :]), fails=True)
        inputs = (*good[:place], wrong, *good[place + 1 :], *opened(8, STATE))
        yield Case("LSTMBlockCellGrad", inputs, {"use_peephole": True}, fails=True)
    short = (*good[:4], good[4][:1], *good[5:])
    yield Case("LSTMBlockCell", short, {"use_peephole": True}, fails=True, differs=UNCHECKED)
    inputs = (*good, state[:, :1], *opened(7, STATE))
    yield Case("LSTMBlockCellGrad", inputs, {"use_peephole": False}, fails=True)
    layer: tuple[Any, ...] = (np.int64(TIME), *arrays((TIME, BATCH, INPUTS), STATE, STATE), *weights())
    for place, wrong in (
        (1, x),
        (2, state[:1]),
        (4, layer[4][:4]),
        (5, layer[5][:1]),
        (8, state[0]),
        (0, np.ones(2, np.int64)),
    ):
        yield Case("BlockLSTMV2", (*layer[:place], wrong, *layer[place + 1 :]), fails=True)
    for length in (-1, TIME + 1):
        yield Case("BlockLSTMV2", (np.int64(length), *layer[1:]), fails=True, differs=REST)
    rest = opened(9, (TIME, *STATE))
    yield Case(
        "BlockLSTMGradV2", (*layer, rest[0][:, :1], *rest[1:]), {"use_peephole": False}, fails=True, differs=UNCHECKED
    )


CASES: list[Case] = [*lstms(), *layers(), *grus(), *refused()]
