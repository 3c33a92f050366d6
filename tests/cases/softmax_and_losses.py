"""Cases of `ops/softmax_and_losses.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import FLOATING, numpy_type, sample, values

LOGITS = (
    (-np.inf, -np.inf),
    (-np.inf, 1),
    (np.inf, 1),
    (np.nan, 1),
    (1e30, -1e30),
    (1e4, 1e4),
    (-1e4, 0),
    (3, 3),
)

ONE_MORE_TERM = "TensorFlow's gradient leaves out that `backprop` depends on `labels`."


def softmaxes(op: str) -> Iterator[Case]:
    """Every dtype, ranks from 1 up, empty arrays, extreme logits, a scalar."""
    yield from (Case(op, (sample(dtype, (2, 3)),)) for dtype in FLOATING)
    yield from (
        Case(op, (sample("double", shape),)) for shape in ((3,), (1,), (0, 3), (3, 0), (2, 2, 0), (2, 1, 3), (1,) * 6)
    )
    yield from (Case(op, (values("double", *row),), smooth=False) for row in LOGITS)
    yield Case(op, (np.array(LOGITS, np.float32),), smooth=False)
    yield Case(op, (np.float32(1),), fails=True)


def probabilities(dtype: str, shape: tuple[int, ...], seed: int = 1) -> Array:
    """Rows that sum to 1."""
    weights = sample("double", shape, 0.1, 1, seed=seed)
    rows: Array = weights / weights.sum(axis=-1, keepdims=True)
    return rows.astype(numpy_type(dtype))


def cross_entropies() -> Iterator[Case]:
    """Dense labels: dtypes, every kind of broadcasting, empty batches, extreme logits, shapes that do not fit."""
    op = "SoftmaxCrossEntropyWithLogits"

    def case(dtype: str, features: tuple[int, ...], labels: tuple[int, ...]) -> Case:
        inputs = (sample(dtype, features), probabilities(dtype, labels))
        return Case(op, inputs, gradient_differs=ONE_MORE_TERM)

    yield from (case(dtype, (2, 3), (2, 3)) for dtype in FLOATING)
    shapes = (
        ((2, 3), (1, 3)),
        ((2, 3), (3,)),
        ((3,), (2, 3)),
        ((1, 3), (2, 3)),
        ((0, 3), (0, 3)),
        ((1, 1), (1, 1)),
        ((3, 2), (3, 2)),
    )
    yield from (case("double", *pair) for pair in shapes)
    # Logits of one column are stretched, and so are probabilities: these need not sum to 1 for the values.
    yield from (
        Case(op, (sample("double", a), sample("double", b, 0.1, 1)), smooth=False, gradient_differs=ONE_MORE_TERM)
        for a, b in (((2, 1), (2, 3)), ((2, 3), (2, 1)), ((2, 0), (2, 0)), ((2, 3), (2, 3)))
    )
    for labels in ((0, 1), (1, 0), (0.5, 0.5)):
        rows = np.array(LOGITS)
        yield Case(
            op,
            (rows, np.broadcast_to(np.array(labels, np.float64), rows.shape).copy()),
            smooth=False,
            gradient_differs=ONE_MORE_TERM,
        )
    wrong = (
        ((2, 3), (2, 4)),
        ((2, 3), (3, 3)),
        ((3,), (3,)),
        ((2, 2, 3), (2, 2, 3)),
        ((), ()),
        ((2, 3), (0, 3)),
        ((1, 2, 3), (2, 3)),
    )
    yield from (Case(op, (np.ones(a, np.float32), np.ones(b, np.float32)), fails=True) for a, b in wrong)


def sparse_cross_entropies() -> Iterator[Case]:
    """Labels that name classes: dtypes, an empty batch, extreme logits, labels that name none."""
    op = "SparseSoftmaxCrossEntropyWithLogits"
    for dtype in FLOATING:
        for index in ("int32", "int64"):
            yield Case(op, (sample(dtype, (3, 4)), values(index, 3, 0, 2)))
    yield Case(op, (sample("double", (0, 3)), values("int32")))
    yield Case(op, (sample("double", (2, 1)), values("int64", 0, 0)))
    yield from (Case(op, (np.array(LOGITS), np.full(len(LOGITS), label)), smooth=False) for label in (0, 1))
    for shape, labels in (
        ((2, 3), (0, 3)),
        ((2, 3), (-1, 0)),
        ((2, 3), (0,)),
        ((3,), (0, 1, 2)),
        ((2, 0), (0, 0)),
        ((0, 0), ()),
    ):
        yield Case(op, (sample("float", shape), values("int32", *labels)), fails=True)
    yield Case(op, (sample("float", (2, 3)), values("int32", 0, 1)[:, None]), fails=True)
    yield Case(op, (sample("float", (2, 2, 3)), np.zeros((2, 2), np.int32)), fails=True)


CASES: list[Case] = [
    *softmaxes("Softmax"),
    *softmaxes("LogSoftmax"),
    *cross_entropies(),
    *sparse_cross_entropies(),
    *(Case("L2Loss", (sample(dtype, (2, 3)),)) for dtype in FLOATING),
    *(Case("L2Loss", (sample("double", shape),)) for shape in ((), (0, 3), (2, 1, 2))),
    Case("L2Loss", (np.full(3000, 1, np.float16),)),
    Case("L2Loss", (values("double", np.inf, 1),), smooth=False),
]
