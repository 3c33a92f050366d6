"""Cases of the metrics: batches of values, or of labels and predictions, each with weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from record_keras import Case

_RANDOM: Final = np.random.default_rng(20260102)
_BATCH: Final = 8

_Array = NDArray[Any]


def _numbers(*shape: int, low: int = -96, high: int = 97) -> _Array:
    return (_RANDOM.integers(low, high, shape) / 32).astype(np.float32)


def _scores(*shape: int) -> _Array:
    """Numbers from 0 to 1, both included."""
    return (_RANDOM.integers(0, 33, shape) / 32).astype(np.float32)


def _shares(*shape: int) -> _Array:
    parts = _RANDOM.integers(1, 20, shape)
    shares: NDArray[Any] = (parts / parts.sum(-1, keepdims=True)).astype(np.float32)
    return shares


def _bits(*shape: int) -> _Array:
    return _RANDOM.integers(0, 2, shape).astype(np.float32)


def _classes(*shape: int, count: int = 5) -> NDArray[np.int32]:
    return _RANDOM.integers(0, count, shape).astype(np.int32)


def _one_hot(*shape: int) -> _Array:
    return np.eye(shape[-1], dtype=np.float32)[_RANDOM.integers(0, shape[-1], shape[:-1])]


def _weights(*shape: int) -> _Array:
    return (_RANDOM.integers(0, 9, shape) / 4).astype(np.float32)


def _values() -> list[Case]:
    calls = [
        (_numbers(_BATCH), None),
        (_numbers(_BATCH), _weights(_BATCH)),
        (_numbers(_BATCH, 3), None),
        (_numbers(_BATCH, 3), _weights(_BATCH)),
        (_numbers(_BATCH, 3), _weights(_BATCH, 3)),
        (_numbers(_BATCH, 3), _weights(_BATCH, 1)),
        (_numbers(_BATCH, 3, 2), _weights(_BATCH, 3)),
        (_numbers(_BATCH, 1), _weights(_BATCH)),
        (_numbers(_BATCH, 3), np.float32(0.5)),
        (np.float32(2.5), None),
        (np.float32(2.5), np.float32(0.5)),
        (np.zeros(0, np.float32), None),
        (_classes(_BATCH), None),
    ]
    return [Case(name, {}, calls) for name in ("Mean", "Sum")]


def _errors() -> list[Case]:
    numbers = [
        (_numbers(_BATCH, 3), _numbers(_BATCH, 3), None),
        (_numbers(_BATCH, 3), _numbers(_BATCH, 3), _weights(_BATCH)),
        (_numbers(_BATCH, 2, 3), _numbers(_BATCH, 2, 3), _weights(_BATCH)),
        (_numbers(_BATCH, 2, 3), _numbers(_BATCH, 2, 3), _weights(_BATCH, 2)),
        (_numbers(_BATCH), _numbers(_BATCH, 1), _weights(_BATCH)),
    ]
    positive = [(abs(y) + 0.25, abs(p) + 0.25, weight) for y, p, weight in numbers[:4]]
    signs = [
        (2 * _bits(_BATCH, 3) - 1, _numbers(_BATCH, 3), None),
        (_bits(_BATCH, 3), _numbers(_BATCH, 3), _weights(_BATCH)),
    ]
    classes = [
        (_one_hot(_BATCH, 3), _numbers(_BATCH, 3), _weights(_BATCH)),
        (_one_hot(_BATCH, 3), _numbers(_BATCH, 3), None),
    ]
    names = (
        "MeanSquaredError",
        "RootMeanSquaredError",
        "MeanAbsoluteError",
        "MeanAbsolutePercentageError",
        "LogCoshError",
        "CosineSimilarity",
    )
    return [
        *(Case(name, {}, numbers) for name in names),
        Case("CosineSimilarity", {"axis": 1}, numbers[:1]),
        *(Case(name, {}, positive) for name in ("MeanSquaredLogarithmicError", "Poisson")),
        Case(
            "KLDivergence",
            {},
            [(_shares(_BATCH, 3), _shares(_BATCH, 3), weight) for weight in (None, _weights(_BATCH))],
        ),
        *(Case(name, {}, signs) for name in ("Hinge", "SquaredHinge")),
        Case("CategoricalHinge", {}, classes),
    ]


def _crossentropies() -> list[Case]:
    cases: list[Case] = []
    options: dict[str, Any]
    for options in ({}, {"from_logits": True}, {"label_smoothing": 0.125}):
        make = _numbers if "from_logits" in options else _shares
        cases += [
            Case(
                "BinaryCrossentropy",
                options,
                [(_bits(_BATCH, 3), make(_BATCH, 3), w) for w in (None, _weights(_BATCH))],
            ),
            Case(
                "CategoricalCrossentropy",
                options,
                [(_one_hot(_BATCH, 3), make(_BATCH, 3), w) for w in (None, _weights(_BATCH))],
            ),
        ]
    for options in ({}, {"from_logits": True}, {"ignore_class": 1}):
        make = _numbers if "from_logits" in options else _shares
        calls = [
            (_classes(_BATCH), make(_BATCH, 5), None),
            (_classes(_BATCH), make(_BATCH, 5), _weights(_BATCH)),
            (_classes(_BATCH, 2), make(_BATCH, 2, 5), _weights(_BATCH, 2)),
        ]
        cases.append(Case("SparseCategoricalCrossentropy", options, calls))
    return cases


def _accuracies() -> list[Case]:
    categorical = [
        (_one_hot(_BATCH, 5), _scores(_BATCH, 5), None),
        (_one_hot(_BATCH, 5), _scores(_BATCH, 5), _weights(_BATCH)),
        (_one_hot(_BATCH, 2, 5), _scores(_BATCH, 2, 5), _weights(_BATCH, 2)),
        (_one_hot(_BATCH, 2, 5), _scores(_BATCH, 2, 5), _weights(_BATCH)),
    ]
    sparse = [(labels.argmax(-1).astype(np.int32), scores, weight) for labels, scores, weight in categorical]
    sparse.append((_classes(_BATCH, 1), _scores(_BATCH, 5), _weights(_BATCH)))
    return [
        Case(
            "Accuracy",
            {},
            [
                (_classes(_BATCH, count=2), _classes(_BATCH, count=2), None),
                (_classes(_BATCH, 3, count=2), _classes(_BATCH, 3, count=2), _weights(_BATCH)),
                (_classes(_BATCH, 1, count=2), _classes(_BATCH, count=2), _weights(_BATCH)),
            ],
        ),
        *(
            Case(
                "BinaryAccuracy",
                options,
                [
                    (_bits(_BATCH), _scores(_BATCH), None),
                    (_bits(_BATCH, 3), _scores(_BATCH, 3), _weights(_BATCH)),
                    (_bits(_BATCH, 1), _scores(_BATCH), _weights(_BATCH, 1)),
                ],
            )
            for options in ({}, {"threshold": 0.25})
        ),
        Case("CategoricalAccuracy", {}, categorical),
        Case("SparseCategoricalAccuracy", {}, sparse),
        Case("TopKCategoricalAccuracy", {}, categorical),
        Case("TopKCategoricalAccuracy", {"k": 2}, categorical),
        Case("SparseTopKCategoricalAccuracy", {"k": 3}, sparse[:4]),
    ]


def _detections() -> list[tuple[Any, ...]]:
    return [
        (_bits(_BATCH), _scores(_BATCH), None),
        (_bits(_BATCH), _scores(_BATCH), _weights(_BATCH)),
        (_bits(_BATCH, 3), _scores(_BATCH, 3), None),
        (_bits(_BATCH, 3), _scores(_BATCH, 3), _weights(_BATCH)),
        (_bits(_BATCH, 3), _scores(_BATCH, 3), _weights(_BATCH, 3)),
        (_bits(_BATCH, 1), _scores(_BATCH), _weights(_BATCH)),
        (3 * _bits(_BATCH), _scores(_BATCH), np.float32(0.5)),
    ]


def _confusions() -> list[Case]:
    thresholds: Sequence[Any] = (None, 0.25, [0.25, 0.75], [0.0, 0.25, 0.5, 0.75, 1.0], [0.125, 0.5, 0.625, 1.0])
    names = ("TruePositives", "FalsePositives", "TrueNegatives", "FalseNegatives", "Precision", "Recall")
    calls = _detections()
    cases = [Case(name, {} if t is None else {"thresholds": t}, calls) for name in names for t in thresholds]
    cases += [
        Case(name, options, calls[2:4])
        for name in ("Precision", "Recall")
        for options in (
            {"class_id": 1},
            {"top_k": 2},
            {"top_k": 1, "class_id": 0},
            {"top_k": 2, "thresholds": [0.25, 0.5]},
        )
    ]
    for name, option in (
        ("SensitivityAtSpecificity", "specificity"),
        ("SpecificityAtSensitivity", "sensitivity"),
        ("PrecisionAtRecall", "recall"),
        ("RecallAtPrecision", "precision"),
    ):
        cases += [
            Case(name, {option: 0.5, **more}, calls) for more in ({}, {"num_thresholds": 1}, {"num_thresholds": 5})
        ]
        cases += [Case(name, {option: 0.75}, calls), Case(name, {option: 0.5, "class_id": 1}, calls[2:4])]
    return cases


def _areas() -> list[Case]:
    calls = _detections()
    cases = []
    for curve in ("ROC", "PR"):
        cases += [
            Case("AUC", {"curve": curve, "summation_method": method}, calls)
            for method in ("interpolation", "minoring", "majoring")
        ]
        cases += [
            Case("AUC", {"curve": curve, "num_thresholds": 5}, calls),
            Case("AUC", {"curve": curve, "num_thresholds": 2}, calls),
            Case("AUC", {"curve": curve, "thresholds": [0.5, 0.125]}, calls),
            Case("AUC", {"curve": curve, "thresholds": [0.25, 0.5, 0.75]}, calls),
            Case("AUC", {"curve": curve, "multi_label": True, "num_labels": 3}, calls[2:4]),
            Case("AUC", {"curve": curve, "multi_label": True, "num_labels": 3, "thresholds": [0.5, 0.125]}, calls[2:3]),
            Case(
                "AUC",
                {"curve": curve, "multi_label": True, "num_labels": 3, "label_weights": [1.0, 0.5, 2.0]},
                calls[2:3],
            ),
            Case("AUC", {"curve": curve, "label_weights": [1.0, 0.5, 2.0]}, calls[2:5]),
        ]
    return [
        *cases,
        Case("AUC", {"from_logits": True}, [(_bits(_BATCH), _numbers(_BATCH), None)]),
        Case("AUC", {}, calls),
    ]


def _overlaps() -> list[Case]:
    calls = [
        (_classes(_BATCH), _classes(_BATCH), None),
        (_classes(_BATCH), _classes(_BATCH), _weights(_BATCH)),
        (_classes(_BATCH, 3), _classes(_BATCH, 3), _weights(_BATCH, 3)),
        (_classes(_BATCH, count=2), _classes(_BATCH, count=2), np.float32(0.5)),
    ]
    options = {"num_classes": 5, "dtype": "float32"}
    dense = [(_one_hot(_BATCH, 5), _scores(_BATCH, 5), _weights(_BATCH))]
    return [
        Case("MeanIoU", options, calls),
        Case("MeanIoU", {**options, "ignore_class": 1}, calls),
        Case("MeanIoU", {**options, "num_classes": 4}, calls, "labels out of range"),
        Case("MeanIoU", {**options, "num_classes": 7}, calls, "classes that do not occur"),
        Case("MeanIoU", {**options, "sparse_y_true": False, "sparse_y_pred": False}, dense),
    ]


CASES: Final = [*_values(), *_errors(), *_crossentropies(), *_accuracies(), *_confusions(), *_areas(), *_overlaps()]
