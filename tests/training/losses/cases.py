"""Cases of the losses: labels, predictions, weights."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from record_keras import Case

_RANDOM: Final = np.random.default_rng(20260101)


def _numbers(*shape: int, dtype: Any = np.float32, low: int = -96, high: int = 97) -> NDArray[Any]:
    return (_RANDOM.integers(low, high, shape) / 32).astype(dtype)


def _shares(*shape: int, dtype: Any = np.float32) -> NDArray[Any]:
    """Rows of probabilities."""
    parts = _RANDOM.integers(1, 20, shape)
    shares: NDArray[Any] = (parts / parts.sum(-1, keepdims=True)).astype(dtype)
    return shares


def _one_hot(*shape: int, dtype: Any = np.float32) -> NDArray[Any]:
    return np.eye(shape[-1], dtype=dtype)[_RANDOM.integers(0, shape[-1], shape[:-1])]


def _classes(*shape: int, count: int) -> NDArray[np.int32]:
    return _RANDOM.integers(0, count, shape).astype(np.int32)


def _bits(*shape: int, dtype: Any = np.float32) -> NDArray[Any]:
    return _RANDOM.integers(0, 2, shape).astype(dtype)


_WEIGHTS: Final = np.array([0.5, 2.0, 0.0, 1.25], np.float32)
_COLUMN: Final = _WEIGHTS[:, None]


def _regression() -> list[Case]:
    cases = []
    for name in (
        "MeanSquaredError",
        "MeanAbsoluteError",
        "MeanAbsolutePercentageError",
        "LogCosh",
        "Huber",
        "CosineSimilarity",
    ):
        cases += [
            Case(name, {}, [(_numbers(4, 3), _numbers(4, 3), None), (_numbers(4, 3), _numbers(4, 3), _WEIGHTS)]),
            Case(
                name,
                {},
                [
                    (
                        _numbers(4, 2, 3, dtype=np.float64),
                        _numbers(4, 2, 3, dtype=np.float64),
                        _COLUMN.astype(np.float64),
                    )
                ],
                "float64",
            ),
            Case(
                name,
                {},
                [
                    (_numbers(4), _numbers(4, 1), None),
                    (_numbers(4, 1), _numbers(4), None),
                    (_numbers(4), _numbers(4), None),
                    (_numbers(4, 1, 1), _numbers(4, 1), _WEIGHTS),
                    (_numbers(1, 3), _numbers(4, 3), _COLUMN),
                    (_classes(4, 3, count=5), _numbers(4, 3), None),
                    (np.zeros((4, 3), np.float32), _numbers(4, 3), None),
                ],
                "ranks",
            ),
        ]
    positive = [(_numbers(4, 3, low=0), _numbers(4, 3, low=1), None), (_numbers(4, 3), _numbers(4, 3), _WEIGHTS)]
    cases += [
        Case("MeanSquaredLogarithmicError", {}, positive),
        Case("Poisson", {}, [positive[0], (_numbers(4, 3, low=0), _numbers(4, 3, low=0), _COLUMN)]),
        Case("KLDivergence", {}, [(_shares(4, 3), _shares(4, 3), _WEIGHTS), (_one_hot(4, 3), _one_hot(4, 3), None)]),
        Case("Huber", {"delta": 0.25}, [(_numbers(4, 3), _numbers(4, 3), None)]),
        Case("CosineSimilarity", {"axis": 1}, [(_numbers(2, 3, 4), _numbers(2, 3, 4), None)]),
        Case(
            "LogCosh",
            {},
            [(np.array([[0.0, 0.0]], np.float32), np.array([[300.0, -300.0]], np.float32), None)],
            "large",
        ),
    ]
    return cases


def _hinges() -> list[Case]:
    signs = 2 * _bits(4, 3) - 1
    return [
        *(
            Case(name, {}, [(signs, _numbers(4, 3), _WEIGHTS), (_bits(4, 3), _numbers(4, 3), None)])
            for name in ("Hinge", "SquaredHinge")
        ),
        Case("CategoricalHinge", {}, [(_one_hot(4, 3), _numbers(4, 3), _WEIGHTS)]),
    ]


def _crossentropies() -> list[Case]:
    cases: list[Case] = []
    options: dict[str, Any]
    for options in (
        {},
        {"label_smoothing": 0.125},
        {"from_logits": True},
        {"from_logits": True, "label_smoothing": 0.125},
    ):
        logits = "from_logits" in options
        cases += [
            Case(
                "BinaryCrossentropy",
                options,
                [
                    (_bits(4, 3), _numbers(4, 3) if logits else _shares(4, 3), _WEIGHTS),
                    (_bits(4), _numbers(4) if logits else _shares(4), None),
                    (_bits(4), _numbers(4, 1) if logits else _shares(1, 4).T, None),
                    (
                        _bits(1, 4),
                        np.array([[0, 1, 100, -100]], np.float32) if logits else np.array([[0, 1, 1, 0]], np.float32),
                        None,
                    ),
                ],
            ),
            Case(
                "CategoricalCrossentropy",
                options,
                [
                    (_one_hot(4, 3), _numbers(4, 3) if logits else _shares(4, 3), _WEIGHTS),
                    (_one_hot(4, 2, 3), _numbers(4, 2, 3) if logits else _numbers(4, 2, 3, low=1), _COLUMN),
                    (_one_hot(3), _numbers(3) if logits else _shares(3), None),
                    (
                        _one_hot(1, 3),
                        np.array([[100, -100, 0]], np.float32) if logits else np.array([[1, 0, 0]], np.float32),
                        None,
                    ),
                ],
            ),
        ]
    for options in ({}, {"from_logits": True}, {"ignore_class": 1}, {"from_logits": True, "ignore_class": -1}):
        logits = "from_logits" in options
        labels = _classes(4, count=3) - ("ignore_class" in options and logits)
        cases += [
            Case(
                "SparseCategoricalCrossentropy",
                options,
                [
                    (labels, _numbers(4, 3) if logits else _shares(4, 3), _WEIGHTS),
                    (labels[:, None], _numbers(4, 3) if logits else _shares(4, 3), None),
                    (_classes(4, 2, count=3), _numbers(4, 2, 3) if logits else _shares(4, 2, 3), None),
                ],
            )
        ]
    doubles = [(_one_hot(4, 3, dtype=np.float64), _shares(4, 3, dtype=np.float64), None)]
    return [
        *cases,
        Case("CategoricalCrossentropy", {}, doubles, "float64"),
        Case("BinaryCrossentropy", {}, doubles, "float64"),
        Case("CategoricalCrossentropy", {"axis": 1}, [(_one_hot(2, 4, 3).transpose(0, 2, 1), _shares(2, 3, 4), None)]),
        Case(
            "CategoricalCrossentropy", {"axis": 1, "from_logits": True}, [(_one_hot(2, 3, 3), _numbers(2, 3, 3), None)]
        ),
        Case("BinaryCrossentropy", {"axis": 0}, [(_bits(4, 3), _shares(4, 3), None)]),
    ]


def _reductions() -> list[Case]:
    cases = []
    for reduction in ("none", "sum", "sum_over_batch_size", "mean_with_sample_weight"):
        calls = [(_numbers(4, 3), _numbers(4, 3), None), (_numbers(4, 3), _numbers(4, 3), _WEIGHTS)]
        scalar = (_numbers(4, 3), _numbers(4, 3), np.float32(0.5))
        cases += [
            Case("MeanSquaredError", {"reduction": reduction}, [*calls, scalar]),
            Case(
                "SparseCategoricalCrossentropy",
                {"reduction": reduction, "ignore_class": 0},
                [(_classes(4, count=3), _shares(4, 3), weight) for weight in (None, _WEIGHTS, _COLUMN)],
            ),
        ]
    return cases


CASES: Final = [*_regression(), *_hinges(), *_crossentropies(), *_reductions()]
