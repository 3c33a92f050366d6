"""Cases of `ops/ctc.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import ints, sample

SECOND: Final = "TensorFlow ignores the gradient of `gradient`."
ONE_CLASS: Final = "With a single class, TensorFlow reads beyond its arrays."
NO_LABELS: Final = "Of a sequence without labels, TensorFlow leaves out the last step."
TIES: Final = "Prefixes of the same probability are in another order in TensorFlow."
NAN: Final = "The gradient after the last step is 0 here, and nan in TensorFlow."

INDICES: Final = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
LABELS: Final = ints(1, 1, 0, 2)
STEPS: Final = ints(5, 4)


def logits(dtype: str = "float", shape: tuple[int, ...] = (5, 2, 4)) -> Array:
    """Logits, [time, batch, classes]."""
    return sample(dtype, shape, -2, 2)


def loss(*inputs: Any, op: str = "CTCLoss", attrs: dict[str, Any] | None = None, **options: Any) -> Case:
    """A case of the loss; the last inputs are the usual ones."""
    usual = (logits(), INDICES, LABELS, STEPS)
    options = {"smooth": False, **options}
    return Case(op, (*inputs, *usual[len(inputs) :]), attrs or {}, gradient_differs=SECOND, **options)


def losses() -> Iterator[Case]:
    """Repetitions, attributes, labels that end early, few steps, numbers that are not finite."""
    x = logits()
    flags = ("ctc_merge_repeated", "preprocess_collapse_repeated")
    for merge, collapse in ((True, False), (False, False), (True, True), (False, True)):
        yield loss(attrs=dict(zip(flags, (merge, collapse), strict=True)))
        yield loss(x, INDICES, LABELS + 1, op="CTCLossV2", attrs=dict(zip(flags, (merge, collapse), strict=True)))
    yield loss(logits("double"), rtol=1e-6, smooth=True)
    for values in (ints(1, 3, 0, 2), ints(1, 7, 0, 2)):
        yield loss(x, INDICES, values)
    yield loss(x, INDICES, ints(3, 3, 0, 2), differs=NO_LABELS)
    yield loss(x, np.array([[0, 0], [0, 4], [1, 2], [1, 3]]))
    yield loss(x, INDICES, LABELS, ints(2, 4))
    for steps in (ints(0, 4), ints(1, 4), ints(2, 1)):
        yield loss(x, INDICES, LABELS, steps, attrs={"ignore_longer_outputs_than_inputs": True})
    yield loss(np.where(x == x[1, 1, 2], np.float32(-np.inf), x))
    yield loss(np.where(x == x[1, 1, 2], np.float32(np.nan), x), INDICES, LABELS, differs=NAN)
    yield loss(x[..., :1], INDICES, 0 * LABELS, differs=ONE_CLASS)


def refused_losses() -> Iterator[Case]:
    """Labels, lengths and shapes that do not fit."""
    x = logits()
    for steps in (ints(6, 4), ints(-1, 4), ints(1, 4), ints(5), ints(5, 4)[None]):
        yield loss(x, INDICES, LABELS, steps, fails=True)
    for values in (ints(1, -1, 0, 2), ints(3, 1, 0, 2), LABELS[:3]):
        yield loss(x, INDICES, values, fails=True)
    yield loss(x, INDICES[2:], LABELS[2:], fails=True)
    yield loss(x, INDICES[:0], LABELS[:0], fails=True)
    for order in ([1, 0, 2, 3], [2, 1, 3, 0], [0, 0, 2, 3]):
        yield loss(x, INDICES[order], fails=True)
    for indices in (INDICES * [[1, -1]], INDICES + [[1, 0]], np.zeros((4, 3), np.int64), INDICES[0]):
        yield loss(x, indices, fails=True)
    for inputs in (x[0], x[:0], x[:, :0]):
        yield loss(inputs, fails=True)
    for values in (ints(0, 1, 1, 2), ints(1, 4, 1, 2)):
        yield loss(x, INDICES, values, op="CTCLossV2", fails=True)


def decoded() -> Iterator[Case]:
    """Both decoders: merged or not, blanks, lengths, several results, ties, nan."""
    for dtype in ("float", "double"):
        x = logits(dtype)
        for attrs in ({}, {"merge_repeated": True}, {"blank_index": 0}, {"blank_index": -4}):
            yield Case("CTCGreedyDecoder", (x, STEPS), attrs)
        for width, paths in ((1, 1), (3, 2), (10, 4), (100, 3)):
            for merge in (True, False):
                attrs = {"beam_width": width, "top_paths": paths, "merge_repeated": merge}
                yield Case("CTCBeamSearchDecoder", (x, STEPS), attrs, rtol=1e-6)
    x = logits(shape=(12, 2, 3))
    for width in (2, 5):
        attrs = {"beam_width": width, "top_paths": 2, "merge_repeated": False}
        yield Case("CTCBeamSearchDecoder", (x, ints(12, 7)), attrs)
    for seed, width in ((2, 2), (16, 2), (12, 3)):
        attrs = {"beam_width": width, "top_paths": 2, "merge_repeated": False}
        yield Case("CTCBeamSearchDecoder", (sample("float", (5, 1, 4), -3, 3, seed=seed), ints(5)), attrs)
    x, one = logits(), {"beam_width": 2, "top_paths": 1}
    for steps in (ints(0, 4), ints(-1, 3), ints(0, 0)):
        yield Case("CTCGreedyDecoder", (x, steps))
        yield Case("CTCBeamSearchDecoder", (x, steps), one)
    ties = np.zeros((3, 1, 3), np.float32)
    yield Case("CTCGreedyDecoder", (ties, ints(3)))
    yield Case("CTCBeamSearchDecoder", (ties, ints(3)), {**one, "beam_width": 4}, differs=TIES)
    ties[1, 0, 0] = ties[2, 0, 1] = np.nan
    yield Case("CTCGreedyDecoder", (ties, ints(3)))
    yield Case("CTCBeamSearchDecoder", (x[..., :1], STEPS), one)
    wrong = (
        (x[0], STEPS),
        (x[:0], ints(0, 0)),
        (x[:, :0], STEPS[:0]),
        (x[..., :0], STEPS),
        (x, STEPS[:1]),
        (x, ints(6, 4)),
    )
    for inputs in wrong:
        yield Case("CTCGreedyDecoder", inputs, fails=True)
        yield Case("CTCBeamSearchDecoder", inputs, one, fails=True)
    yield from (Case("CTCGreedyDecoder", (x, STEPS), {"blank_index": blank}, fails=True) for blank in (4, -5))
    yield Case("CTCBeamSearchDecoder", (x, STEPS), {"beam_width": 1, "top_paths": 2}, fails=True)
    yield Case("CTCBeamSearchDecoder", (x, ints(0, 4)), {"beam_width": 4, "top_paths": 2}, fails=True)


CASES: list[Case] = [*losses(), *refused_losses(), *decoded()]
